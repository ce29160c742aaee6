//! Where figures stand in the page.

use super::address;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

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
