//! Below the planes: what the lines mean, what is exact, and the chart's numbers as a table.

use super::maps::MapKind;
use super::model;
use super::view::Figure;
use crate::figures::numbers::{number, small};
use crate::figures::parts::Provenance;
use leptos::prelude::*;

/// What the lines mean, and what is exact.
#[component]
pub fn Legend(figure: Figure) -> impl IntoView {
    let model = move || figure.kind.get() == MapKind::Model;
    view! {
        <ul class="square-legend" aria-label="Legend">
            <li><svg viewBox="0 0 34 10" aria-hidden="true"><path class="square-image" data-idea="output" d="M1 5L33 5"></path></svg>"true image of the square"</li>
            <li><svg viewBox="0 0 34 10" aria-hidden="true"><path class="square-prediction" data-idea="transport" d="M1 5L33 5"></path></svg>"parallelogram F(p) + J(p) d"</li>
            <li hidden=move || !model()><svg viewBox="0 0 34 10" aria-hidden="true"><path class="square-ghost" d="M1 5L33 5"></path></svg>"estimate between grid samples, until the exact answer is here"</li>
        </ul>
        <p class="panel-note" hidden=move || !model()>
            "Exact: F(p), both outlines, the matrix (one backward pass per row, at p). Interpolated: the grid, between "
            {model::GRID} " × " {model::GRID} " runs of the model. Unit: the mean length of a residual vector at that layer."
        </p>
        <div hidden=move || !model()><Provenance client=figure.client /></div>
    }
}

/// The gap chart's numbers.
#[component]
pub fn DataTable(figure: Figure) -> impl IntoView {
    let rows = move || {
        let ladder = figure
            .scene
            .with(|s| s.as_ref().and_then(|s| s.ladder.clone()));
        let ladder = ladder.unwrap_or(geometry::Ladder { gaps: Vec::new() });
        let ratios = ladder.ratios();
        let row = |(index, gap): (usize, &geometry::Gap)| {
            let ratio = ratios
                .get(index)
                .copied()
                .flatten()
                .map_or_else(String::new, |r| number(r, 2));
            view! { <tr><td class="num">{small(gap.half)}</td><td class="num">{small(gap.gap)}</td><td class="num">{ratio}</td></tr> }
        };
        ladder.gaps.iter().enumerate().map(row).collect_view()
    };
    let open = RwSignal::new(false);
    view! {
        <details class="figure-data" on:toggle=move |_| open.update(|o| *o = !*o)>
            <summary>"Data table: gap at each size"</summary>
            <div class="table-scroll" tabindex="0" role="region" aria-label="Gap at each size">
                <table class="data">
                    <caption>"Largest distance between the true image and the parallelogram, over the corners and the middles of the edges"</caption>
                    <thead><tr><th scope="col">"size"</th><th scope="col">"gap"</th><th scope="col">"gap ÷ gap at half the size"</th></tr></thead>
                    <tbody>{move || open.get().then(rows)}</tbody>
                </table>
            </div>
        </details>
    }
}
