//! Where the focus goes when what has it goes away: a browser would drop it, and with it a keyboard reader's place on the page.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement, MouseEvent};

/// If the focus is inside `css`, its figure takes it; the next Tab goes to the figure's first control.
pub fn hand_to_figure(css: &str) -> Option<()> {
    let inside = document().active_element()?.closest(css).ok()??;
    let figure: HtmlElement = inside.closest("figure").ok()??.dyn_into().ok()?;
    figure.set_tab_index(-1);
    focus(&figure)
}

/// If a button was pressed by key, the element with this id takes the focus. (Not after a mouse or a finger, which keep their
/// place themselves: a phone would unfold its keyboard over the page.)
pub fn hand_to(press: &MouseEvent, id: &str) -> Option<()> {
    let by_key = press.detail() == 0;
    let element = document().get_element_by_id(id).filter(|_| by_key)?;
    focus(&element.dyn_into().ok()?)
}

/// Where the page is scrolled to stays as it is.
fn focus(element: &HtmlElement) -> Option<()> {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    element.focus_with_options(&options).ok()
}
