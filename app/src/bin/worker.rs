//! A dedicated worker: takes framed requests, answers them with the engine, and says when it dies.
//!
//! Its own event loop runs between two steps of the scheduler, so that new requests and cancellations get in.
#![forbid(unsafe_code)]

use engine::protocol::{Event, Request};
use engine::scheduler::Scheduler;
use engine::{BUILD, Cpu, frame};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::{Closure, JsValue};
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

fn main() {
    std::panic::set_hook(Box::new(|info| {
        let what = info.payload_as_str().unwrap_or("no reason given");
        let place = info
            .location()
            .map_or(String::new(), |l| format!(" at {l}"));
        let message = format!("{what}{place}");
        post(&Event::Panicked { message });
    }));
    let worker = Rc::new(Worker::new());
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        worker.clone().take(&event.data());
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget(); // the worker listens as long as it lives
    post(&Event::Ready {
        build: BUILD.into(),
        backend: "cpu".into(),
    });
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Sends an event, giving its bytes away instead of copying them.
fn post(event: &Event) {
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

struct Worker {
    inbox: RefCell<Vec<Request>>,
    scheduler: RefCell<Option<Scheduler<Cpu>>>,
    running: Cell<bool>,
    breath: Breath,
}

impl Worker {
    fn new() -> Self {
        let emit = Rc::new(|event| post(&event));
        Self {
            inbox: RefCell::default(),
            scheduler: RefCell::new(Some(Scheduler::new(Cpu::new(), emit))),
            running: Cell::new(false),
            breath: Breath::new(),
        }
    }

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
