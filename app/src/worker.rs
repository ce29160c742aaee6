//! What every dedicated worker does, whatever it computes with: takes framed requests, answers them with the engine, and says
//! when it dies.
//!
//! Its own event loop runs between two steps of the scheduler, so that new requests and cancellations get in.

use engine::protocol::{About, Event, Request};
use engine::scheduler::{Emit, Scheduler};
use engine::{BUILD, frame};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use transformer::Ops;
use wasm_bindgen::prelude::{Closure, JsValue};
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

/// Panics are told to the page, as the last word of the worker.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        let what = info.payload_as_str().unwrap_or("no reason given");
        let place = info
            .location()
            .map_or(String::new(), |l| format!(" at {l}"));
        let message = format!("{what}{place}");
        post(&Event::Panicked { message });
    }));
}

/// Answers requests as long as the worker lives.
pub fn serve<O: Ops + Clone + 'static>(about: About, scheduler: impl FnOnce(Emit) -> Scheduler<O>) {
    let emit: Emit = Rc::new(|event| post(&event));
    let worker = Rc::new(Worker {
        inbox: RefCell::default(),
        scheduler: RefCell::new(Some(scheduler(emit).with_clock(Rc::new(now)))),
        running: Cell::new(false),
        breath: Breath::new(),
    });
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        worker.clone().take(&event.data());
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget(); // the worker listens as long as it lives
    post(&Event::Ready {
        build: BUILD.into(),
        about,
    });
}

/// Seconds since the worker started.
pub fn now() -> f64 {
    scope().performance().map_or(0.0, |p| p.now() / 1000.0)
}

/// What the page added to the worker's address, as in `?forced&fault=wrong-numbers`.
pub fn asked_for(what: &str) -> bool {
    let search = scope().location().search();
    search
        .trim_start_matches('?')
        .split('&')
        .any(|part| part == what)
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Sends an event, giving its bytes away instead of copying them.
pub fn post(event: &Event) {
    let bytes = match frame::encode(event) {
        Ok(bytes) => js_sys::Uint8Array::from(&bytes[..]),
        Err(error) => wasm_bindgen::throw_str(&error.to_string()),
    };
    let buffer = bytes.buffer();
    let transfer = js_sys::Array::of1(&buffer);
    scope()
        .post_message_with_transfer(&buffer, &transfer)
        .unwrap_throw();
}

struct Worker<O: Ops> {
    inbox: RefCell<Vec<Request>>,
    scheduler: RefCell<Option<Scheduler<O>>>,
    running: Cell<bool>,
    breath: Breath,
}

impl<O: Ops + Clone + 'static> Worker<O> {
    /// A message from the page: waits in the inbox until the scheduler has a free moment.
    fn take(self: Rc<Self>, data: &JsValue) {
        let bytes = js_sys::Uint8Array::new(data).to_vec();
        match frame::decode(&bytes) {
            Ok(request) => self.inbox.borrow_mut().push(request),
            Err(error) => post(&Event::Unreadable {
                message: error.to_string(),
            }),
        }
        if !self.running.replace(true) {
            spawn_local(self.run());
        }
    }

    /// Works until there is nothing left to do.
    async fn run(self: Rc<Self>) {
        let Some(mut scheduler) = self.scheduler.take() else {
            return;
        };
        loop {
            for request in self.inbox.take() {
                scheduler.push(request);
            }
            if scheduler.is_idle() {
                break;
            }
            scheduler.step().await;
            self.breath.take().await;
        }
        self.scheduler.replace(Some(scheduler));
        self.running.set(false);
    }
}

/// Lets the event loop deliver what has arrived. A message to oneself takes microseconds, where a timer would take up to 4 ms.
struct Breath(MessageChannel);

impl Breath {
    fn new() -> Self {
        Self(MessageChannel::new().unwrap_throw())
    }

    async fn take(&self) {
        let (here, there) = (self.0.port1(), self.0.port2());
        let promise = js_sys::Promise::new(&mut |resolve, _| here.set_onmessage(Some(&resolve)));
        there.post_message(&JsValue::NULL).unwrap_throw();
        let _ = JsFuture::from(promise).await;
    }
}
