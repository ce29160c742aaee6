//! The figure: where its parts stand.

use super::link;
use super::maps::MapKind;
use super::notes::{GapTable, Legend};
use super::panels::{GapPanel, MatrixPanel, MicroscopePanel};
use super::planes::{InputPlane, OutputPlane};
use super::settings::{ModelSettings, Settings};
use super::signals::Figure;
use super::wire;
use crate::client::Client;
use crate::figures::place::mark_ready;
use crate::figures::plane::Spoken;
use leptos::prelude::*;

/// Figure 4.
#[component]
pub fn SquareFigure(client: Client) -> impl IntoView {
    let figure = Figure::new(client);
    wire::connect(figure);
    mark_ready("square");
    let said = Signal::derive(move || {
        let scene = figure.scene.get();
        scene.map_or_else(String::new, |scene| scene.summary())
    });
    link::keep(figure);
    let input_title = move || match figure.kind.get() {
        MapKind::Model => figure.setting.with(|s| {
            format!(
                "In: the residual at layer {}, moved along two words",
                s.layer
            )
        }),
        _ => "In: nudges around p".to_owned(),
    };
    let output_title = move || match figure.kind.get() {
        MapKind::Model => "Out: what the last layer makes of it",
        _ => "Out: what F makes of them",
    };
    view! {
        <div class="square stack">
            <Settings figure />
            <ModelSettings figure />
            <p class="square-about">{move || figure.kind.get().describe()}</p>
            <div class="figure-cols square-planes">
                <div>
                    <h4 class="panel-title">{input_title}</h4>
                    <InputPlane figure />
                </div>
                <div>
                    <h4 class="panel-title">{output_title}</h4>
                    <OutputPlane figure />
                </div>
            </div>
            <Legend figure />
            <div class="figure-cols-3 square-panels">
                <MatrixPanel figure />
                <MicroscopePanel figure />
                <GapPanel figure />
            </div>
            <Spoken text=said />
            <GapTable figure />
        </div>
    }
}
