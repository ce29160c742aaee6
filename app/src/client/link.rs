//! One worker and its three ways to be heard from: messages, errors, and messages that cannot be read.

use engine::frame;
use engine::protocol::Event;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// What comes from a worker.
pub(super) enum Heard {
    Event(Box<Event>),
    /// It cannot go on; why.
    Death(String),
}

/// A running worker; dropping it ends it.
pub(super) struct Link {
    worker: Worker,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(ErrorEvent)>,
    _on_unreadable: Closure<dyn Fn(MessageEvent)>,
}

impl Link {
    pub(super) fn open(script: &str, hear: impl Fn(Heard) + 'static) -> Result<Self, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(script, &options).map_err(|e| said(&e))?;
        let hear = Rc::new(hear);
        let (on_error, on_unreadable) = (Rc::clone(&hear), Rc::clone(&hear));
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
            let bytes = js_sys::Uint8Array::new(&message.data()).to_vec();
            hear(match frame::decode(&bytes) {
                Ok(event) => Heard::Event(Box::new(event)),
                Err(error) => Heard::Death(error.to_string()),
            });
        });
        let on_error = Closure::<dyn Fn(ErrorEvent)>::new(move |error: ErrorEvent| {
            error.prevent_default();
            on_error(Heard::Death(reason(&error)));
        });
        let on_unreadable = Closure::<dyn Fn(MessageEvent)>::new(move |_| {
            on_unreadable(Heard::Death("it sent a message that cannot be read".into()));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_unreadable.as_ref().unchecked_ref()));
        Ok(Self {
            worker,
            _on_message: on_message,
            _on_error: on_error,
            _on_unreadable: on_unreadable,
        })
    }

    /// Sends a frame; the copy that JavaScript needs is handed over, not copied again.
    pub(super) fn send(&self, frame: &[u8]) -> Result<(), String> {
        let buffer = js_sys::Uint8Array::from(frame).buffer();
        let transfer = js_sys::Array::of1(&buffer);
        self.worker
            .post_message_with_transfer(&buffer, &transfer)
            .map_err(|e| said(&e))
    }

    /// Ends the worker without a word, as a browser short of memory does.
    pub(super) fn kill(&self) {
        self.worker.terminate();
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.set_onmessageerror(None);
        self.worker.terminate();
    }
}

/// A script that cannot be loaded makes an error event without a message.
fn reason(error: &ErrorEvent) -> String {
    let message = js_sys::Reflect::get(error, &JsValue::from_str("message"))
        .ok()
        .and_then(|m| m.as_string());
    match message {
        Some(message) if !message.is_empty() => message,
        _ => "its script could not be loaded".into(),
    }
}

/// What a JavaScript exception says.
pub(super) fn said(value: &JsValue) -> String {
    match value.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => format!("{value:?}"),
    }
}
