//! The figure: its controls, and where its parts stand.

use super::blocks::{Choice, caption, rows, summary};
use super::matrices::Matrices;
use super::model::ModelPart;
use super::planes::{After, Input};
use super::signals::{Figure, NAME, from_link};
use super::state::{MAPS, Scene, Settings};
use crate::client::Client;
use crate::controls::{Button, NumberField, Segmented};
use crate::figures::data_table::DataTable;
use crate::figures::place::{follow_address, keep_in_address, mark_ready};
use crate::figures::plane::{LegendLine, Spoken};
use crate::figures::square::maps::{EXTENT, MapKind};
use crate::figures::square::state::HALF_RANGE;
use leptos::prelude::*;

/// Figure 5.
#[component]
pub fn ChainFigure(client: Client) -> impl IntoView {
    let figure = Figure::new(client);
    let Figure {
        settings,
        scene,
        choice,
        shown,
        ..
    } = figure;
    figure.connect();
    mark_ready(NAME);
    keep_in_address(NAME, move || {
        let (now, place) = (settings.get(), choice.get());
        let first = (now, place) == (Settings::default(), Choice::default());
        (!first).then(|| format!("{},{}", now.to_address(), place.to_address()))
    });
    follow_address(
        NAME,
        |text| Some(from_link(text)),
        move |linked| {
            let (now, place) = linked.unwrap_or_default();
            settings.try_set(now.unwrap_or_default());
            choice.try_set(place);
        },
    );
    let said = move || {
        let from = choice.get().from;
        let model = shown.with(|s| s.as_ref().map(|s| summary(s, from)));
        format!(
            "{} {}",
            scene.with(Scene::summary),
            model.unwrap_or_default()
        )
    };
    view! {
        <div class="chain plane stack">
            <Controls figure />
            <div class="figure-cols-3">
                <Input figure />
                <After figure both=false />
                <After figure both=true />
            </div>
            <ul class="plane-legend" aria-label="Legend">
                <LegendLine class="plane-true" text="true image of the square" />
                <LegendLine class="plane-linear" text="what the matrices make of it" />
            </ul>
            <Matrices figure />
            <ModelPart figure />
            <Spoken text=Signal::derive(said) />
            <DataTable
                summary="the model's matrices"
                caption=Signal::derive(move || caption(figure.of()))
                heads=["from layer", "next block", "product to the end", "all blocks at once", "difference"]
                rows=Signal::derive(move || shown.with(|s| s.as_ref().map(|s| rows(&s.chain)).unwrap_or_default()))
            />
        </div>
    }
}

/// Both maps, point, size, reset.
#[component]
fn Controls(figure: Figure) -> impl IntoView {
    let settings = figure.settings;
    let options = || MAPS.map(|kind| (kind, kind.label())).to_vec();
    let coordinate = move |index: usize| Signal::derive(move || settings.with(|s| s.p[index]));
    let type_in = move |index: usize| {
        Callback::new(move |value| {
            settings.update(|s| {
                let mut p = s.p;
                p[index] = value;
                *s = s.at(p);
            });
        })
    };
    view! {
        <div class="toolbar" role="group" aria-label="Maps, point and size">
            <Segmented
                legend="First map f"
                name="chain-f"
                options=options()
                value=Signal::derive(move || settings.with(|s| s.first))
                on_change=Callback::new(move |first: MapKind| settings.update(|s| s.first = first))
            />
            <Segmented
                legend="Second map g"
                name="chain-g"
                options=options()
                value=Signal::derive(move || settings.with(|s| s.second))
                on_change=Callback::new(move |second: MapKind| settings.update(|s| s.second = second))
            />
            <div class="coords">
                <NumberField label="p, first" value=coordinate(0) on_change=type_in(0) min=-EXTENT max=EXTENT step=0.05 />
                <NumberField label="p, second" value=coordinate(1) on_change=type_in(1) min=-EXTENT max=EXTENT step=0.05 />
                <NumberField
                    label="size"
                    value=Signal::derive(move || settings.with(|s| s.half))
                    on_change=Callback::new(move |half| settings.update(|s| *s = s.sized(half)))
                    min=HALF_RANGE[0]
                    max=HALF_RANGE[1]
                    step=0.01
                    decimals=3
                />
            </div>
            <Button label="Reset" on_press=Callback::new(move |()| settings.set(Settings::default())) />
        </div>
    }
}
