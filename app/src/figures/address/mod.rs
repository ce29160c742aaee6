//! Settings of figures in the page's address, so that a link leads to what one sees.
//!
//! They stand in the fragment ([`fragment`]), which no server sees and which the page can change without loading again. The page
//! rewrites the fragment of the present step of the browser's history and adds no steps; a reader who follows a link on the page
//! keeps all settings, and who goes back finds those of that step. Links with settings in the query (`?hero=...`), as the page
//! made them once, are read and rewritten. `?backend=` and `?fault=` are not settings of figures: see `client/engine.rs`.

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
struct Known {
    /// What the address says, and the text of that.
    fragment: Fragment,
    text: String,
    /// Settings as they are now, which the address may not know yet.
    sources: Vec<(&'static str, Source)>,
    /// Who takes settings from the address.
    takers: Vec<(&'static str, Taker)>,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// Reads the address and follows it from now on; scrolls to the place that a link with settings names. Call it once, before any
/// figure is mounted.
pub fn start() {
    let mut fragment = Fragment::parse(&hash());
    let fresh = mark().is_null();
    let moved = take_from_query(&mut fragment);
    KNOWN.with_borrow_mut(|known| known.fragment = fragment.clone());
    rewrite(moved);
    if fresh && !fragment.figures.is_empty() {
        scroll_to(&fragment);
    }
    let arrived = Closure::<dyn Fn()>::new(arrive);
    for event in ["popstate", "hashchange"] {
        let _ = window().add_event_listener_with_callback(event, arrived.as_ref().unchecked_ref());
    }
    arrived.forget(); // the page follows its address as long as it lives
}

/// What the address says about a figure; `None` if nothing.
pub fn read(figure: &str) -> Option<String> {
    KNOWN.with_borrow(|known| known.fragment.figures.get(figure).cloned())
}

/// Writes a figure's settings into the address, without a step in the browser's history; `None` takes them out.
pub fn write(figure: &str, settings: Option<&str>) {
    if KNOWN.with_borrow_mut(|known| known.fragment.set(figure, settings)) {
        rewrite(None);
    }
}

/// Has a figure's present settings asked for when a link to it is made.
pub fn source(figure: &'static str, settings: impl Fn() -> Option<String> + 'static) {
    KNOWN.with_borrow_mut(|known| known.sources.push((figure, Rc::new(settings))));
}

/// Calls `take` when the reader goes to another step of the history or follows a link with settings: with the figure's
/// settings, or `None` for how it starts.
pub fn follow(figure: &'static str, take: impl Fn(Option<&str>) + 'static) {
    KNOWN.with_borrow_mut(|known| known.takers.push((figure, Rc::new(take))));
}

/// A link to a figure as it is now, and to nothing else.
pub fn link(figure: &str) -> String {
    let source = KNOWN.with_borrow(|known| {
        let source = known.sources.iter().find(|(name, _)| *name == figure);
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

/// The reader is at another step of the history, or at a new one.
fn arrive() {
    let text = hash();
    if KNOWN.with_borrow(|known| known.text == text) {
        return;
    }
    let fragment = Fragment::parse(&text);
    let fresh = mark().is_null();
    let takers = KNOWN.with_borrow_mut(|known| {
        let before = std::mem::replace(&mut known.fragment, fragment.clone());
        if fresh {
            // A link on the page, or pasted over its address: what it does not mention stays.
            for (name, settings) in before.figures.clone() {
                known.fragment.figures.entry(name).or_insert(settings);
            }
        }
        let after = &known.fragment.figures;
        let changed = |name: &str| before.figures.get(name) != after.get(name);
        let takers = known.takers.iter().filter(|(name, _)| changed(name));
        takers
            .map(|(name, take)| (Rc::clone(take), after.get(*name).cloned()))
            .collect::<Vec<_>>()
    });
    rewrite(None);
    for (take, settings) in takers {
        take(settings.as_deref());
    }
    if fresh && !fragment.figures.is_empty() {
        scroll_to(&fragment);
    }
}

/// Makes the present step of the history say what is known, and marks it as the page's own; `search` replaces the query.
fn rewrite(search: Option<String>) {
    let text = KNOWN.with_borrow(|known| known.fragment.to_text());
    let location = window().location();
    let path = location.pathname().unwrap_or_default();
    let search = search.unwrap_or_else(|| location.search().unwrap_or_default());
    let hash_mark = if text.is_empty() { "" } else { "#" };
    let address = format!("{path}{search}{hash_mark}{text}");
    // A browser may refuse too many changes in a row; the next one then tells the whole state.
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::TRUE, "", Some(&address));
    }
    KNOWN.with_borrow_mut(|known| known.text = hash());
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
