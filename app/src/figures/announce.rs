//! What all figures show, said to screen readers once: the client's notice, or why the model does not come.

use crate::client::{Client, Status};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The one place of the page where such things are said.
const PLACE: &str = "announcements";

/// Says the client's notices and failures from now on. The page's programs share the place, so what both say is said once.
pub fn announce(client: Client) {
    if let Some(place) = place() {
        mount_to(place.clone(), move || follow(client, place)).forget();
    }
}

fn follow(client: Client, place: HtmlElement) {
    Effect::new(move |before: Option<Option<String>>| {
        let text = said(client.status(), client.notice());
        let there = place.text_content();
        match (&text, before.flatten()) {
            (Some(text), _) if there.as_ref() != Some(text) => place.set_text_content(Some(text)),
            // what the other program has said meanwhile stays
            (None, before) if before.is_some() && there == before => place.set_text_content(None),
            _ => {}
        }
        text
    });
}

fn said(status: Status, notice: Option<String>) -> Option<String> {
    match status {
        Status::Failed(message) => Some(message),
        _ => notice,
    }
}

/// An empty live region must stand in the page before it is written to.
fn place() -> Option<HtmlElement> {
    let document = document();
    if let Some(place) = document.get_element_by_id(PLACE) {
        return place.dyn_into().ok();
    }
    let place = document.create_element("div").ok()?;
    place.set_id(PLACE);
    place.set_class_name("visually-hidden");
    place.set_attribute("role", "status").ok()?;
    let main = document.query_selector("main").ok()??;
    main.append_child(&place).ok()?;
    place.dyn_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_not_said() {
        let starting = Status::Starting {
            received: 1e5,
            total: None,
        };
        assert_eq!(said(starting, None), None);
        assert_eq!(
            said(Status::Ready, Some("restarted".into())),
            Some("restarted".into())
        );
        let failed = Status::Failed("no network".into());
        assert_eq!(
            said(failed, Some("restarted".into())),
            Some("no network".into())
        );
    }
}
