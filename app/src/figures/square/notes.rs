//! Below the planes: what the lines mean, what is exact, and the chart's numbers as a table.

use super::maps::MapKind;
use super::model;
use super::signals::Figure;
use crate::figures::data_table::DataTable;
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
pub fn GapTable(figure: Figure) -> impl IntoView {
    let rows = Signal::derive(move || {
        let scene = figure.scene;
        let ladder = scene.with(|s| s.as_ref().and_then(|s| s.ladder.clone()));
        let ladder = ladder.unwrap_or(geometry::Ladder { gaps: Vec::new() });
        let row = |(gap, ratio): (&geometry::Gap, Option<f64>)| {
            let ratio = ratio.map_or_else(String::new, |r| number(r, 2));
            vec![small(gap.half), small(gap.gap), ratio]
        };
        let ratios = ladder.ratios().into_iter().chain(std::iter::repeat(None));
        ladder.gaps.iter().zip(ratios).map(row).collect::<Vec<_>>()
    });
    view! {
        <DataTable
            summary="gap at each size"
            caption="Largest distance between the true image and the parallelogram, over the corners and the middles of the edges"
            heads=["size", "gap", "gap ÷ gap at half the size"]
            rows=rows
        />
    }
}
