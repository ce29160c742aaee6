//! Proves the web pipeline end to end: mounts a line of text and shows what the worker answers.
use leptos::prelude::*;
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

fn main() {
    let (answer, set_answer) = signal(String::from("waiting for the worker"));
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    if let Ok(worker) = Worker::new_with_options("worker_loader.js", &options) {
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            set_answer.set(event.data().as_string().unwrap_or_default());
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        on_message.forget();
        std::mem::forget(worker);
    }
    mount_to_body(move || view! { <p id="answer">{answer}</p> });
}
