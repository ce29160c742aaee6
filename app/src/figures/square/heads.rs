//! Heads of a matrix's columns: which arrow each is, with the arrow's own head and colour.

use super::signals::NUDGES;
use leptos::prelude::*;

/// The arrow of a nudge as a sign in a line of text: the first one's head is filled, the second one's open.
#[component]
pub fn NudgeSign(
    /// Which nudge, 0 or 1.
    index: usize,
) -> impl IntoView {
    let head = ["M11 1L20 6L11 11Z", "M12 1L19 6L12 11"][index];
    let shaft = ["M1 6H12", "M1 6H18"][index];
    view! {
        <svg class="nudge-sign" viewBox="0 0 21 12" data-idea=NUDGES[index] aria-hidden="true">
            <path class="nudge-shaft" d=shaft></path>
            <path class="nudge-head" data-open=(index == 1).to_string() d=head></path>
        </svg>
    }
}

/// The heads of both columns.
#[component]
pub fn ColumnHeads(
    /// Names of the nudges.
    #[prop(into)]
    names: Signal<[String; 2]>,
) -> impl IntoView {
    let head = move |index: usize| {
        view! {
            <th scope="col" data-idea=NUDGES[index]>
                <NudgeSign index /> " " {move || names.with(|names| names[index].clone())}
            </th>
        }
    };
    view! {
        <thead>
            <tr>{head(0)}{head(1)}</tr>
        </thead>
    }
}
