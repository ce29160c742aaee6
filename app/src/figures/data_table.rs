//! The numbers behind a drawing.

use leptos::prelude::*;

/// Heads of columns: fixed ones, or those that depend on what is shown.
#[derive(Clone, Copy, Debug)]
pub struct Heads(Signal<Vec<String>>);

impl<const N: usize> From<[&'static str; N]> for Heads {
    fn from(names: [&'static str; N]) -> Self {
        Self(Signal::stored(names.map(str::to_owned).to_vec()))
    }
}

impl From<Signal<Vec<String>>> for Heads {
    fn from(names: Signal<Vec<String>>) -> Self {
        Self(names)
    }
}

/// A table of numbers, closed at first and filled in only while it is open.
#[component]
pub fn DataTable(
    /// What the numbers are.
    #[prop(into)]
    caption: Signal<String>,
    /// What the closed table says after "Data table".
    #[prop(optional)]
    summary: &'static str,
    /// Heads of the columns.
    #[prop(into)]
    heads: Heads,
    /// Rows as text; the first cell heads its row.
    #[prop(into)]
    rows: Signal<Vec<Vec<String>>>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let toggled =
        move |event| open.set(event_target::<web_sys::Element>(&event).has_attribute("open"));
    let head = move || {
        let cell = |text: String| view! { <th scope="col" class="num">{text}</th> };
        heads.0.get().into_iter().map(cell).collect_view()
    };
    let row = |cells: Vec<String>| {
        let mut cells = cells.into_iter();
        let head = cells.next();
        let rest = cells.map(|text| view! { <td class="num">{text}</td> });
        view! { <tr><th scope="row">{head}</th>{rest.collect_view()}</tr> }
    };
    let body = move || rows.get().into_iter().map(row).collect_view();
    let table = move || {
        open.get().then(|| {
            view! {
                <table class="data">
                    <caption>{caption}</caption>
                    <thead><tr>{head}</tr></thead>
                    <tbody>{body}</tbody>
                </table>
            }
        })
    };
    let colon = if summary.is_empty() { "" } else { ": " };
    view! {
        <details class="figure-data" on:toggle=toggled>
            <summary>"Data table" {colon} {summary}</summary>
            <div class="table-scroll" tabindex="0" role="region" aria-label=caption>{table}</div>
        </details>
    }
}
