//! The figure: its controls, and where its parts stand.

use super::map::Map;
use super::signals::Figure;
use super::state::{EXTENT, MAPS, REACH, Scene, Settings};
use super::terms::Sum;
use crate::controls::{Button, NumberField, Segmented};
use crate::figures::data_table::DataTable;
use crate::figures::numbers::{signed, small};
use crate::figures::place::{linked_settings, mark_ready};
use crate::figures::plane::{LegendLine, Spoken};
use leptos::prelude::*;

/// Name of the figure.
const NAME: &str = "gradient";

/// Figure 3.
#[component]
pub fn GradientFigure() -> impl IntoView {
    let settings = linked_settings(NAME, Settings::from_address, Settings::to_address);
    let scene = Memo::new(move |_| Scene::of(settings.get()));
    let figure = Figure { settings, scene };
    mark_ready(NAME);
    view! {
        <div class="gradient plane stack">
            <Controls figure />
            <div class="figure-cols">
                <div>
                    <h4 class="panel-title">"Drag the point and the nudge over the height map"</h4>
                    <Map figure />
                    <ul class="plane-legend" aria-label="Legend">
                        <LegendLine class="gradient-sample" idea="transport" text=Signal::derive(move || scene.with(|s| s.arrow_name().to_owned())) />
                        <LegendLine class="gradient-sample" idea="token" text="nudge" />
                        <LegendLine class="gradient-level" text="line of equal height through p" />
                    </ul>
                    <p class="panel-note">"The stronger the shade, the higher the ground; lines join places of equal height, ▲ marks a top, with its height. All numbers are computed from the map's formula."</p>
                </div>
                <Sum figure />
            </div>
            <Spoken text=Signal::derive(move || scene.with(Scene::summary)) />
            <DataTable
                summary="the change along the nudge"
                caption="Change of height for parts of the nudge: forecast by the gradient at p, exact, and the gap"
                heads=["part of the nudge", "linear", "exact", "gap"]
                rows=Signal::derive(move || rows(settings.get()))
            />
        </div>
    }
}

/// Forecast and truth for the whole nudge, half of it, a quarter ...
fn rows(settings: Settings) -> Vec<Vec<String>> {
    let row = |k: i32| {
        let part = 0.5_f64.powi(k);
        let scene = Scene::of(settings.nudged(settings.nudge.map(|v| v * part)));
        let name = if k == 0 {
            "whole".to_owned()
        } else {
            format!("1/{}", 1 << k)
        };
        vec![
            name,
            signed(scene.linear),
            signed(scene.exact),
            small(scene.gap()),
        ]
    };
    (0..6).map(row).collect()
}

/// Map, point, nudge, reset.
#[component]
fn Controls(figure: Figure) -> impl IntoView {
    let settings = figure.settings;
    let options = MAPS.map(|(map, label, _)| (map, label)).to_vec();
    let p = move |index: usize| Signal::derive(move || settings.get().p[index]);
    let nudge = move |index: usize| Signal::derive(move || settings.get().nudge[index]);
    let set_p = move |index: usize| {
        Callback::new(move |value| {
            settings.update(|s| {
                let mut p = s.p;
                p[index] = value;
                *s = s.at(p);
            });
        })
    };
    let set_nudge = move |index: usize| {
        Callback::new(move |value| {
            settings.update(|s| {
                let mut nudge = s.nudge;
                nudge[index] = value;
                *s = s.nudged(nudge);
            });
        })
    };
    let halve = move |()| settings.update(|s| *s = s.nudged(s.nudge.map(|v| v / 2.0)));
    view! {
        <div class="toolbar" role="group" aria-label="Map, point and nudge">
            <Segmented
                legend="Height map f"
                name="gradient-f"
                options
                value=Signal::derive(move || settings.get().map)
                on_change=Callback::new(move |map| settings.set(Settings::of(map)))
            />
            <div class="coords">
                <NumberField label="p, first" value=p(0) on_change=set_p(0) min=-EXTENT max=EXTENT step=0.05 />
                <NumberField label="p, second" value=p(1) on_change=set_p(1) min=-EXTENT max=EXTENT step=0.05 />
            </div>
            <div class="coords">
                <NumberField label="nudge, first" value=nudge(0) on_change=set_nudge(0) min=-REACH max=REACH step=0.05 />
                <NumberField label="nudge, second" value=nudge(1) on_change=set_nudge(1) min=-REACH max=REACH step=0.05 />
            </div>
            <Button label="Halve the nudge" on_press=Callback::new(halve) />
            <Button label="Reset" on_press=Callback::new(move |()| settings.update(|s| *s = Settings::of(s.map))) />
        </div>
    }
}
