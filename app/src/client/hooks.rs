//! Test hooks, reachable by events on the document, so that recovery can be shown to work:
//!
//! * `jlens:crash-worker`: the figures' worker panics. * `jlens:kill-worker`: it ends without a word (noticed by its silence).
//! * `jlens:stop-page`: the page's own program panics. * `jlens:lose-gpu`: its GPU is lost. * `jlens:crash-fit-worker`, `jlens:kill-fit-worker`, `jlens:lose-fit-gpu`: the same for
//!   the first worker of every running fit.

use super::line::Line;
use super::{Client, Pool};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

/// Listens for the events as long as the page lives.
pub(super) fn listen(client: Client) {
    on("jlens:crash-worker", move || client.line().crash());
    on("jlens:kill-worker", move || client.line().kill());
    on("jlens:stop-page", || panic!("a test has asked for it"));
    on("jlens:lose-gpu", move || client.line().lose_device());
    on("jlens:lose-fit-gpu", || {
        Pool::stop_first_workers(Line::lose_device)
    });
    on("jlens:crash-fit-worker", || {
        Pool::stop_first_workers(Line::crash)
    });
    on("jlens:kill-fit-worker", || {
        Pool::stop_first_workers(Line::kill)
    });
}

fn on(event: &str, act: impl Fn() + 'static) {
    let Some(document) = web_sys::window().and_then(|w| w.document()) else {
        return;
    };
    let act = Closure::<dyn Fn()>::new(act);
    let _ = document.add_event_listener_with_callback(event, act.as_ref().unchecked_ref());
    act.forget();
}
