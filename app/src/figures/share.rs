//! The button below every figure that copies a link to it.

use super::address;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// What came of the last press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Not pressed yet.
    None,
    /// The link is in the clipboard.
    Copied,
    /// The browser does not let pages write there: the link stands in a field, ready to be copied by hand.
    Refused,
}

/// Copies a link to the figure with its present settings; where the browser refuses that, shows the link to be copied by hand.
#[component]
pub fn Share(
    /// Name in `data-figure`.
    name: &'static str,
) -> impl IntoView {
    let outcome = RwSignal::new(Outcome::None);
    let made = RwSignal::new(String::new());
    let press = move |_| {
        let link = address::link(name);
        made.set(link.clone());
        spawn_local(async move {
            let copied = match clipboard() {
                Some(clipboard) => JsFuture::from(clipboard.write_text(&link)).await.is_ok(),
                None => false,
            };
            let result = if copied {
                Outcome::Copied
            } else {
                Outcome::Refused
            };
            outcome.try_set(result);
        });
    };
    let said = move || match outcome.get() {
        Outcome::None => "",
        Outcome::Copied => "Link copied: it leads to this figure as it is now.",
        Outcome::Refused => "The browser refused the clipboard. Copy the link from here:",
    };
    let id = format!("link-{name}");
    let by_hand = move || {
        let label = id.clone();
        (outcome.get() == Outcome::Refused).then(|| {
            view! {
                <input type="text" class="share-link" readonly id=label aria-label="Link to this figure" prop:value=made on:focus=select_all />
            }
        })
    };
    view! {
        <span class="share-said" role="status">{said}</span>
        {by_hand}
        <button type="button" class="btn btn-quiet btn-small" data-share=name on:click=press>"Copy link to this figure"</button>
    }
}

/// `None` where there is none, as on pages that did not come over a safe connection.
fn clipboard() -> Option<web_sys::Clipboard> {
    let navigator = web_sys::window()?.navigator();
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into()).ok()?;
    clipboard.is_truthy().then(|| clipboard.unchecked_into())
}

fn select_all(event: web_sys::FocusEvent) {
    event_target::<web_sys::HtmlInputElement>(&event).select();
}
