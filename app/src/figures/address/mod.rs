//! Settings of figures in the page's address, so that a link leads to what one sees.
//!
//! They stand in the fragment ([`fragment`]), which no server sees and which the page can change without loading again. The page
//! rewrites the fragment of the present step of the browser's history and adds no steps; a reader who follows a link on the page
//! keeps all settings, and who goes back finds those of that step. Links with settings in the query (`?hero=...`), as the page
//! made them once, are read and rewritten. `?backend=` and `?fault=` are not settings of figures: see `client/engine.rs`.
//!
//! The page's programs share one address: what it says is kept beside it, in `<html data-address>`. A fragment that differs from
//! that is news, which the program that sees it first works in; each program then tells its own figures.

mod fragment;

pub use fragment::Fragment;

use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::{ScrollBehavior, ScrollIntoViewOptions, UrlSearchParams};

type Source = Rc<dyn Fn() -> Option<String>>;
type Taker = Rc<dyn Fn(Option<&str>)>;

#[derive(Default)]
struct Own {
    /// What this program's figures have been told, or have said.
    seen: Fragment,
    /// Settings as they are now, which the address may not know yet.
    sources: Vec<(&'static str, Source)>,
    /// Who takes settings from the address.
    takers: Vec<(&'static str, Taker)>,
}

thread_local! {
    static OWN: RefCell<Own> = RefCell::default();
}

/// Reads the address and follows it from now on; scrolls to the place that a link with settings names. Call it once in each
/// program, before any figure is mounted.
pub fn start() {
    settle();
    OWN.with_borrow_mut(|own| own.seen = shared().unwrap_or_default());
    let arrived = Closure::<dyn Fn()>::new(|| {
        settle();
        tell();
    });
    for event in ["popstate", "hashchange"] {
        let _ = window().add_event_listener_with_callback(event, arrived.as_ref().unchecked_ref());
    }
    arrived.forget(); // the page follows its address as long as it lives
}

/// What the address says about a figure; `None` if nothing.
pub fn read(figure: &str) -> Option<String> {
    shared().and_then(|fragment| fragment.figures.get(figure).cloned())
}

/// Writes a figure's settings into the address, without a step in the browser's history; `None` takes them out.
pub fn write(figure: &str, settings: Option<&str>) {
    if settle() {
        // The reader has just gone elsewhere: what that step says comes first, and what it does not say about this figure stays.
        let known = |own: &Own| own.seen.figures.get(figure).cloned();
        let before = OWN.with_borrow(known);
        tell();
        if OWN.with_borrow(known) != before {
            return;
        }
    }
    let mut fragment = shared().unwrap_or_default();
    if fragment.set(figure, settings) {
        OWN.with_borrow_mut(|own| own.seen.set(figure, settings));
        rewrite(&fragment, None);
    }
}

/// Has a figure's present settings asked for when a link to it is made.
pub fn source(figure: &'static str, settings: impl Fn() -> Option<String> + 'static) {
    OWN.with_borrow_mut(|own| own.sources.push((figure, Rc::new(settings))));
}

/// Calls `take` when the reader goes to another step of the history or follows a link with settings: with the figure's
/// settings, or `None` for how it starts.
pub fn follow(figure: &'static str, take: impl Fn(Option<&str>) + 'static) {
    let now = read(figure);
    OWN.with_borrow_mut(|own| {
        own.seen.set(figure, now.as_deref());
        own.takers.push((figure, Rc::new(take)));
    });
}

/// A link to a figure as it is now, and to nothing else.
pub fn link(figure: &str) -> String {
    let source = OWN.with_borrow(|own| {
        let source = own.sources.iter().find(|(name, _)| *name == figure);
        source.map(|(_, source)| Rc::clone(source))
    });
    let now = source.map_or_else(|| read(figure), |source| untrack(|| source()));
    let mut fragment = Fragment {
        anchor: format!("fig-{figure}"),
        ..Fragment::default()
    };
    fragment.set(figure, now.as_deref());
    let location = window().location();
    let origin = location.origin().unwrap_or_default();
    let path = location.pathname().unwrap_or_default();
    format!("{origin}{path}#{}", fragment.to_text())
}

/// Works in what is new about the address; whether there was anything.
fn settle() -> bool {
    let (text, before) = (hash(), shared());
    if before.is_some() && known().as_deref() == Some(text.as_str()) {
        return false;
    }
    let came = Fragment::parse(&text);
    let mut fragment = came.clone();
    let fresh = mark().is_null();
    let mut search = None;
    match before {
        // A link on the page, or pasted over its address: what it does not mention stays.
        Some(before) if fresh => {
            for (name, settings) in before.figures {
                fragment.figures.entry(name).or_insert(settings);
            }
        }
        Some(_) => {}
        None => search = take_from_query(&mut fragment),
    }
    // The browser finds plain anchors by itself, unless the address changes under its hands.
    let lost = search.is_some() || came.anchor != text.trim_start_matches('#');
    rewrite(&fragment, search);
    if fresh && lost {
        scroll_to(&came);
    }
    true
}

/// Tells this program's figures what they have not heard yet.
fn tell() {
    let after = shared().unwrap_or_default();
    let news = OWN.with_borrow_mut(|own| {
        let before = std::mem::replace(&mut own.seen, after.clone());
        let changed = |name: &str| before.figures.get(name) != after.figures.get(name);
        let takers = own.takers.iter().filter(|(name, _)| changed(name));
        takers
            .map(|(name, take)| (Rc::clone(take), after.figures.get(*name).cloned()))
            .collect::<Vec<_>>()
    });
    for (take, settings) in news {
        take(settings.as_deref());
    }
}

/// Makes the present step of the history say this, and marks it as the page's own; `search` replaces the query.
fn rewrite(fragment: &Fragment, search: Option<String>) {
    let text = fragment.to_text();
    let location = window().location();
    let path = location.pathname().unwrap_or_default();
    let search = search.unwrap_or_else(|| location.search().unwrap_or_default());
    let hash_mark = if text.is_empty() { "" } else { "#" };
    let address = format!("{path}{search}{hash_mark}{text}");
    // A browser may refuse too many changes in a row; the next one then tells the whole state.
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::TRUE, "", Some(&address));
    }
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute(SHARED, &text);
        let _ = root.set_attribute(KNOWN, &hash());
    }
}

/// Where the page's programs keep what they know: the fragment as they wrote it, and as the browser then spells it.
const SHARED: &str = "data-address";
const KNOWN: &str = "data-address-known";

/// What the programs know of the address; `None` before the first has looked.
fn shared() -> Option<Fragment> {
    let text = document().document_element()?.get_attribute(SHARED)?;
    Some(Fragment::parse(&text))
}

fn known() -> Option<String> {
    document().document_element()?.get_attribute(KNOWN)
}

/// Moves settings of figures from the query into the fragment; the query that is left, if anything was moved.
fn take_from_query(fragment: &mut Fragment) -> Option<String> {
    let search = window().location().search().ok()?;
    let query = UrlSearchParams::new_with_str(&search).ok()?;
    let mut moved = false;
    for name in super::place::names() {
        if let Some(settings) = query.get(&name) {
            if !fragment.figures.contains_key(&name) {
                fragment.set(&name, Some(&settings));
            }
            query.delete(&name);
            moved = true;
        }
    }
    let left = String::from(query.to_string());
    let mark = if left.is_empty() { "" } else { "?" };
    moved.then(|| format!("{mark}{left}"))
}

fn scroll_to(fragment: &Fragment) {
    let element = fragment
        .target()
        .and_then(|id| document().get_element_by_id(&id));
    if let Some(element) = element {
        let how = ScrollIntoViewOptions::new();
        how.set_behavior(ScrollBehavior::Instant);
        element.scroll_into_view_with_scroll_into_view_options(&how);
    }
}

fn hash() -> String {
    window().location().hash().unwrap_or_default()
}

/// What the present step of the history carries: null if the page has not been at it yet.
fn mark() -> JsValue {
    let history = window().history();
    history.and_then(|h| h.state()).unwrap_or(JsValue::NULL)
}
