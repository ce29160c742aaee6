//! Where figures stand in the page.

use super::address;
use crate::client::{Client, Status};
use js_sys::Array;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::{
    Element, HtmlElement, IntersectionObserver, IntersectionObserverEntry,
    IntersectionObserverInit, MutationObserver, MutationObserverInit,
};

/// Puts a live figure into `<figure data-figure="name">`, for good. A page without that figure is left alone.
pub fn mount<V: IntoView + 'static>(name: &str, live: impl FnOnce() -> V + 'static) {
    let Some(root) = root(name) else { return };
    mount_to(root, live).forget();
}

/// Puts a panel into `<section data-panel="name">`, whose text it replaces, for good.
pub fn mount_panel<V: IntoView + 'static>(name: &str, live: impl FnOnce() -> V + 'static) {
    let place = document()
        .query_selector(&format!("[data-panel=\"{name}\"]"))
        .ok()
        .flatten()
        .and_then(|place| place.dyn_into::<HtmlElement>().ok());
    if let Some(place) = place {
        place.set_text_content(None);
        let _ = place.set_attribute("data-ready", "true");
        mount_to(place, live).forget();
    }
}

/// A new `.figure-live` inside the figure's body.
fn root(name: &str) -> Option<HtmlElement> {
    let body = figure(name)?
        .query_selector(".figure-body")
        .ok()
        .flatten()?;
    let root: HtmlElement = document().create_element("div").ok()?.dyn_into().ok()?;
    root.set_class_name("figure-live");
    body.append_child(&root).ok()?;
    Some(root)
}

/// Says that the figure is live: its still disappears. May be called again.
pub fn mark_ready(name: &str) {
    if let Some(figure) = figure(name) {
        // Setting an attribute fails only for a malformed name.
        let _ = figure.set_attribute("data-ready", "true");
    }
}

/// Runs something once the figure is live or its model has failed to come.
pub fn when_settled(name: &'static str, client: Client, then: impl FnOnce() + 'static) {
    let then = StoredValue::new_local(Some(then));
    let run = move || {
        if let Some(then) = then.try_update_value(Option::take).flatten() {
            then();
        }
    };
    let ready = RwSignal::new(false);
    let watching = figure(name).and_then(|figure| watch_attribute(&figure, ready));
    Effect::new(move |_| {
        let failed = matches!(client.status(), Status::Failed(_));
        if ready.get() || failed || watching.is_none() {
            run();
        }
    });
}

/// Sets `ready` when the figure gets its `data-ready`.
fn watch_attribute(figure: &Element, ready: RwSignal<bool>) -> Option<()> {
    let seen = Closure::<dyn FnMut()>::new(move || {
        let _ = ready.try_set(true);
    });
    let observer = MutationObserver::new(seen.as_ref().unchecked_ref()).ok()?;
    let what = MutationObserverInit::new();
    what.set_attribute_filter(&Array::of1(&JsValue::from_str("data-ready")));
    observer.observe_with_options(figure, &what).ok()?;
    seen.forget(); // the page's one observer of this kind
    Some(())
}

/// Becomes true, for good, when the figure comes near the window; at once where that cannot be watched.
pub fn near(name: &str) -> ReadSignal<bool> {
    let (near, set_near) = signal(false);
    if watch(name, set_near).is_none() {
        set_near.set(true);
    }
    near
}

/// How far from the window a figure begins to compute.
const MARGIN: &str = "400px";

fn watch(name: &str, set_near: WriteSignal<bool>) -> Option<()> {
    let figure = figure(name)?;
    let seen = Closure::<dyn Fn(Array, IntersectionObserver)>::new(
        move |entries: Array, observer: IntersectionObserver| {
            let inside = |entry: JsValue| {
                let entry: IntersectionObserverEntry = entry.unchecked_into();
                entry.is_intersecting()
            };
            if entries.iter().any(inside) {
                observer.disconnect();
                set_near.try_set(true);
            }
        },
    );
    let options = IntersectionObserverInit::new();
    options.set_root_margin(MARGIN);
    let watching =
        IntersectionObserver::new_with_options(seen.as_ref().unchecked_ref(), &options).ok()?;
    watching.observe(&figure);
    seen.forget(); // the figure stays as long as the page
    Some(())
}

fn figure(name: &str) -> Option<Element> {
    document()
        .query_selector(&format!("figure[data-figure=\"{name}\"]"))
        .ok()
        .flatten()
}

/// Settings have come to rest when nothing has changed for so long.
const REST: Duration = Duration::from_millis(400);

/// Keeps a figure's settings in the page's address once they have come to rest; `None` stands for how the figure starts.
pub fn keep_in_address(
    figure: &'static str,
    settings: impl Fn() -> Option<String> + Send + Sync + 'static,
) {
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |before: Option<()>| {
        let text = settings();
        if let Some(handle) = waiting.try_update_value(Option::take).flatten() {
            handle.clear();
        }
        // The first run only says what the address said already.
        if before.is_some() {
            let write = move || address::write(figure, text.as_deref());
            waiting.set_value(set_timeout_with_handle(write, REST).ok());
        }
    });
}
