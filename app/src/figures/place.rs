//! Where figures stand in the page.

use super::address;
use super::share::Share;
use super::unit;
use crate::client::{Client, Status};
use crate::controls::hand_to_figure;
use js_sys::Array;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::{
    Element, HtmlElement, IntersectionObserver, IntersectionObserverEntry,
    IntersectionObserverInit, MutationObserver, MutationObserverInit,
};

/// Puts a live figure into `<figure data-figure="name">`, for good. A page without that figure is left alone.
pub fn mount_now<V: IntoView + 'static>(name: &'static str, live: impl FnOnce() -> V + 'static) {
    let Some(root) = root(name) else { return };
    mount_to(root, live).forget();
    share(name);
}

/// As [`mount_now`], once the figure comes near the window; until then its still stands there.
pub fn mount<V: IntoView + 'static>(name: &'static str, live: impl FnOnce() -> V + 'static) {
    let live = Cell::new(Some(live));
    let come = move || {
        if let (Some(live), Some(root)) = (live.take(), root(name)) {
            mount_to(root, live).forget();
        }
    };
    share(name);
    when_near(name, AHEAD, come);
}

/// The link below the figure becomes a button that copies it, with the figure's settings in it.
fn share(name: &'static str) {
    let place = figure(name).and_then(|figure| figure.query_selector(".figure-share").ok()?);
    if let Some(place) = place.and_then(|place| place.dyn_into::<HtmlElement>().ok()) {
        place.set_text_content(None);
        mount_to(place, move || view! { <Share name=name /> }).forget();
    }
}

/// Names of all figures on the page.
pub fn names() -> Vec<String> {
    let found = document().query_selector_all("figure[data-figure]");
    let Ok(found) = found else { return Vec::new() };
    let name = |i| {
        found
            .get(i)?
            .dyn_into::<Element>()
            .ok()?
            .get_attribute("data-figure")
    };
    (0..found.length()).filter_map(name).collect()
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
    unit::watch(&root);
    MOUNTED.with_borrow_mut(|mounted| mounted.push(name.to_owned()));
    Some(root)
}

thread_local! {
    static MOUNTED: RefCell<Vec<String>> = RefCell::default();
}

/// The figures that this program has put into the page.
pub(super) fn mounted() -> Vec<Element> {
    let names = MOUNTED.try_with(|names| names.try_borrow().map(|names| names.clone()));
    let names = names.ok().and_then(Result::ok).unwrap_or_default();
    names.iter().filter_map(|name| figure(name)).collect()
}

/// Says that the figure is live: its still disappears. May be called again.
pub fn mark_ready(name: &str) {
    if let Some(figure) = figure(name) {
        hand_to_figure(&format!("[data-figure=\"{name}\"] .figure-still"));
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
    when_near(name, MARGIN, move || {
        set_near.try_set(true);
    });
    near
}

/// How far from the window a figure begins to compute.
const MARGIN: &str = "400px";
/// How far from the window it is put into the page: a screen further, so that it is there before it is seen.
const AHEAD: &str = "1200px";

/// Calls `come` once, when the figure comes so near to the window; at once where that cannot be watched.
fn when_near(name: &str, margin: &str, come: impl Fn() + 'static) {
    let come = Rc::new(come);
    if watch(name, margin, Rc::clone(&come)).is_none() {
        come();
    }
}

fn watch(name: &str, margin: &str, come: Rc<impl Fn() + 'static>) -> Option<()> {
    let figure = figure(name)?;
    let seen = Closure::<dyn Fn(Array, IntersectionObserver)>::new(
        move |entries: Array, observer: IntersectionObserver| {
            let inside = |entry: JsValue| {
                let entry: IntersectionObserverEntry = entry.unchecked_into();
                entry.is_intersecting()
            };
            if entries.iter().any(inside) {
                observer.disconnect();
                come();
            }
        },
    );
    let options = IntersectionObserverInit::new();
    options.set_root_margin(margin);
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
    let settings = Rc::new(settings);
    address::source(figure, {
        let settings = Rc::clone(&settings);
        move || settings()
    });
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

/// Takes a figure's settings from the page's address when the reader goes back or follows a link with settings: `take` gets
/// them, or the first ones. Text that is no settings changes nothing.
pub fn follow_address<S>(
    figure: &'static str,
    read: impl Fn(&str) -> Option<S> + 'static,
    take: impl Fn(Option<S>) + 'static,
) {
    address::follow(figure, move |text| match text.map(&read) {
        None => take(None),
        Some(Some(settings)) => take(Some(settings)),
        Some(None) => {}
    });
}

/// The settings of a figure that needs no model: as a link says, or the first ones; kept in the page's address and following it.
pub fn linked_settings<S: Copy + Default + PartialEq + Send + Sync + 'static>(
    figure: &'static str,
    read: fn(&str) -> Option<S>,
    write: fn(S) -> String,
) -> RwSignal<S> {
    let linked = address::read(figure).and_then(|text| read(&text));
    let settings = RwSignal::new(linked.unwrap_or_default());
    keep_in_address(figure, move || {
        let now = settings.get();
        (now != S::default()).then(|| write(now))
    });
    follow_address(figure, read, move |linked| {
        settings.try_set(linked.unwrap_or_default());
    });
    settings
}
