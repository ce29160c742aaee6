//! The figure: its controls, and where its parts stand.

use super::plane::{Plane, Remainder};
use super::signals::Figure;
use super::state::{ALIKE, EXTENT, Movable, REMAINDER, Scene, Settings, Way};
use super::tables::{Amounts, Products, rows};
use crate::controls::{Button, NumberField, Segmented, Select, Slider};
use crate::figures::data_table::DataTable;
use crate::figures::numbers::number;
use crate::figures::place::{linked_settings, mark_ready};
use crate::figures::plane::{LegendLine, Spoken};
use leptos::prelude::*;

/// Name of the figure.
const NAME: &str = "dual";

/// Figure 16.
#[component]
pub fn DualFigure() -> impl IntoView {
    let settings = linked_settings(NAME, Settings::from_address, Settings::to_address);
    let scene = Memo::new(move |_| Scene::of(settings.get()));
    let figure = Figure { settings, scene };
    mark_ready(NAME);
    let said = move || scene.with(|s| s.as_ref().map_or_else(|| ALIKE.to_owned(), Scene::summary));
    view! {
        <div class="dual plane stack">
            <Controls figure />
            <div class="figure-cols">
                <div>
                    <h4 class="panel-title">"Drag the two word vectors and the activation"</h4>
                    <Plane figure />
                    <ul class="plane-legend" aria-label="Legend">
                        <LegendLine class="dual-before" text="how the amounts of h are found" />
                        <LegendLine class="dual-after" text="the same amounts, exchanged" />
                        <LegendLine class="dual-sample dual-dashes" idea="transport" text="dual vectors" />
                        <LegendLine class="dual-sample" idea="output" text="the change from h to h′" />
                    </ul>
                </div>
                <div class="stack">
                    <Amounts figure />
                    <Products figure />
                    <Remainder figure />
                </div>
            </div>
            <Spoken text=Signal::derive(said) />
            <DataTable
                summary="both exchanges"
                caption="Amounts of spider and ant as found in h, the true amounts in h′, and where h′ lies"
                heads=["found by", "spider in h", "ant in h", "spider in h′", "ant in h′", "h′, x", "h′, y"]
                rows=Signal::derive(move || scene.with(|s| s.as_ref().map(rows).unwrap_or_default()))
            />
        </div>
    }
}

/// How amounts are found, typed places, the remainder, reset.
#[component]
fn Controls(figure: Figure) -> impl IntoView {
    let settings = figure.settings;
    let what = RwSignal::new(Movable::Activation);
    let at = move |index: usize| Signal::derive(move || settings.get().place(what.get())[index]);
    let type_in = move |index: usize| {
        Callback::new(move |value| {
            settings.update(|s| {
                let mut place = s.place(what.get_untracked());
                place[index] = value;
                *s = s.moved(what.get_untracked(), place);
            });
        })
    };
    let options = Movable::ALL
        .map(|(what, name)| (what, name.to_owned()))
        .to_vec();
    let reset = move |()| {
        settings.update(|s| {
            *s = Settings {
                way: s.way,
                ..Settings::default()
            }
        })
    };
    view! {
        <div class="toolbar" role="group" aria-label="Way of exchanging, typed places, remainder">
            <Segmented
                legend="Amounts found by"
                name="dual-way"
                options=Way::ALL.to_vec()
                value=Signal::derive(move || settings.get().way)
                on_change=Callback::new(move |way| settings.update(|s| s.way = way))
            />
            <Select label="Coordinates of" options=Signal::stored(options) value=what on_change=Callback::new(move |wish| what.set(wish)) />
            <div class="coords">
                <NumberField label="x" value=at(0) on_change=type_in(0) min=-EXTENT max=EXTENT step=0.05 />
                <NumberField label="y" value=at(1) on_change=type_in(1) min=-EXTENT max=EXTENT step=0.05 />
            </div>
            <Slider
                label="Remainder r"
                value=Signal::derive(move || settings.get().rest)
                on_change=Callback::new(move |rest: f64| settings.update(|s| s.rest = rest.clamp(0.0, REMAINDER)))
                min=0.0
                max=REMAINDER
                step=0.05
                show=Callback::new(|rest: f64| number(rest, 2))
            />
            <Button label="Reset" on_press=Callback::new(reset) />
        </div>
    }
}
