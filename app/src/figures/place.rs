//! Where figures stand in the page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Puts a live figure into `<figure data-figure="name">`, for good. A page without that figure is left alone.
pub fn mount<V: IntoView + 'static>(name: &str, live: impl FnOnce() -> V + 'static) {
    let Some(root) = root(name) else { return };
    mount_to(root, live).forget();
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
