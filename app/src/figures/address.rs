//! Settings of figures in the page's address, so that a link leads to what one sees.

use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::UrlSearchParams;

/// What the address says about a figure; `None` if nothing.
pub fn read(figure: &str) -> Option<String> {
    parameters()?.get(figure)
}

/// Writes a figure's settings into the address, without a step in the browser's history; `None` takes them out.
pub fn write(figure: &str, settings: Option<&str>) {
    let Some(parameters) = parameters() else {
        return;
    };
    if parameters.get(figure).as_deref() == settings {
        return;
    }
    match settings {
        Some(settings) => parameters.set(figure, settings),
        None => parameters.delete(figure),
    }
    let location = window().location();
    let (path, hash) = (
        location.pathname().unwrap_or_default(),
        location.hash().unwrap_or_default(),
    );
    // Commas stay readable: they need no escape in a query.
    let query = String::from(parameters.to_string()).replace("%2C", ",");
    let mark = if query.is_empty() { "" } else { "?" };
    let address = format!("{path}{mark}{query}{hash}");
    // A browser may refuse too many changes in a row; the next one then tells the whole state.
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
}

fn parameters() -> Option<UrlSearchParams> {
    UrlSearchParams::new_with_str(&window().location().search().ok()?).ok()
}
