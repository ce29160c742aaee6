//! Text in drawings keeps its size on the screen, however wide the drawing is.
//!
//! A drawing has user units of its own (its `viewBox`), and text in it would grow and shrink with it. So every `svg.plot` knows, as
//! `--unit`, how many user units make a CSS pixel, and the sheets multiply sizes of text with that. A chart needs the number too, for
//! the room that its labels take: [`unit`].

use js_sys::Array;
use leptos::prelude::*;
use leptos::svg::Svg;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::{
    Element, MutationObserver, MutationObserverInit, ResizeObserver, ResizeObserverEntry,
    SvgElement,
};

/// Drawings that are not watched yet.
const NEW: &str = "svg.plot:not([data-sized])";

/// Keeps `--unit` of all drawings inside `root`, also of those that come later, for as long as the page lives.
pub fn watch(root: &Element) {
    let _ = try_watch(root.clone()); // where sizes cannot be watched, text scales with its drawing
}

fn try_watch(root: Element) -> Result<(), JsValue> {
    let sizes = resized(|svg, unit| {
        let _ = svg.style().set_property("--unit", &format!("{unit:.2}"));
    })?;
    let look = {
        let root = root.clone();
        move || {
            while let Ok(Some(svg)) = root.query_selector(NEW) {
                let _ = svg.set_attribute("data-sized", "");
                sizes.observe(&svg);
            }
        }
    };
    look();
    let seen = Closure::<dyn Fn()>::new(look);
    let observer = MutationObserver::new(seen.as_ref().unchecked_ref())?;
    let what = MutationObserverInit::new();
    what.set_child_list(true);
    what.set_subtree(true);
    observer.observe_with_options(&root, &what)?;
    seen.forget(); // figures stay as long as the page
    Ok(())
}

/// Reactive: user units per CSS pixel of a drawing, in steps of a tenth; 1 until it is known.
pub fn unit(drawing: NodeRef<Svg>) -> Signal<f64> {
    let units = RwSignal::new(1.0);
    Effect::new(move |_| {
        let svg = drawing.get()?;
        let sizes = resized(move |_, unit| {
            let step = (10.0 * unit).round().max(1.0) / 10.0;
            if units.try_get_untracked().is_some_and(|now| now != step) {
                units.try_set(step);
            }
        });
        sizes.ok()?.observe(svg.unchecked_ref());
        Some(())
    });
    units.into()
}

/// Calls `tell` with the user units per pixel of every drawing that it observes, now and whenever a size changes.
fn resized(tell: impl Fn(&SvgElement, f64) + 'static) -> Result<ResizeObserver, JsValue> {
    let seen = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
        for entry in entries.iter() {
            let entry: ResizeObserverEntry = entry.unchecked_into();
            let svg: SvgElement = entry.target().unchecked_into();
            let across = svg.get_attribute("viewBox").and_then(|b| width_of(&b));
            let pixels = entry.content_rect().width();
            if let Some(across) = across.filter(|_| pixels > 0.0) {
                tell(&svg, across / pixels);
            }
        }
    });
    let observer = ResizeObserver::new(seen.as_ref().unchecked_ref())?;
    seen.forget(); // as the observer, which the browser keeps
    Ok(observer)
}

/// The width in a `viewBox`.
fn width_of(view_box: &str) -> Option<f64> {
    let mut numbers = view_box.split([' ', ',']).filter(|part| !part.is_empty());
    numbers.nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::width_of;

    #[test]
    fn the_third_number_is_the_width() {
        assert_eq!(width_of("0 0 400 300"), Some(400.0));
        assert_eq!(width_of("-1,-2, 12.5 300"), Some(12.5));
        assert_eq!(width_of("0 0"), None);
    }
}
