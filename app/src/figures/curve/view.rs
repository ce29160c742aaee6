//! The figure: its controls, and where its parts stand.

use super::panels::{GapPanel, Microscope, Plot};
use super::signals::Figure;
use super::state::{CURVES, EXTENT, Scene, Settings, WINDOW, about};
use crate::controls::{Button, NumberField, Segmented, Slider};
use crate::figures::data_table::DataTable;
use crate::figures::numbers::{number, small};
use crate::figures::place::{linked_settings, mark_ready};
use crate::figures::plane::{LegendLine, Spoken};
use leptos::prelude::*;

/// Name of the figure.
const NAME: &str = "curve";

/// Figure 2.
#[component]
pub fn CurveFigure() -> impl IntoView {
    let settings = linked_settings(NAME, Settings::from_address, Settings::to_address);
    let scene = Memo::new(move |_| Scene::of(settings.get()));
    let figure = Figure { settings, scene };
    mark_ready(NAME);
    view! {
        <div class="curve plane stack">
            <Controls figure />
            <p class="plane-about">{move || about(settings.get().curve)}</p>
            <div class="figure-cols curve-plots">
                <Plot figure />
                <Microscope figure />
            </div>
            <ul class="plane-legend" aria-label="Legend">
                <LegendLine class="plane-true" text="the curve f" />
                <LegendLine class="plane-linear" text="its tangent at x" />
                <LegendLine class="plane-gap" text="the gap between them" />
            </ul>
            <GapPanel figure />
            <Spoken text=Signal::derive(move || scene.with(Scene::summary)) />
            <DataTable
                summary="gap at each window"
                caption="Distance between curve and tangent at the end of the window, the larger of right and left"
                heads=["window", "gap", "gap ÷ gap at half the window"]
                rows=Signal::derive(move || scene.with(rows))
            />
        </div>
    }
}

fn rows(scene: &Scene) -> Vec<Vec<String>> {
    let ratios = scene.ladder.ratios();
    let row = |(index, gap): (usize, &geometry::Gap)| {
        let ratio = ratios.get(index).copied().flatten();
        vec![
            small(gap.half),
            small(gap.gap),
            ratio.map_or_else(String::new, |r| number(r, 2)),
        ]
    };
    scene.ladder.gaps.iter().enumerate().map(row).collect()
}

/// Curve, point, window, reset.
#[component]
fn Controls(figure: Figure) -> impl IntoView {
    let settings = figure.settings;
    let options = CURVES.map(|(curve, label, _)| (curve, label)).to_vec();
    let set_window = Callback::new(move |window| settings.update(|s| *s = s.with_window(window)));
    view! {
        <div class="toolbar" role="group" aria-label="Curve, point and window">
            <Segmented
                legend="Curve f"
                name="curve-f"
                options
                value=Signal::derive(move || settings.get().curve)
                on_change=Callback::new(move |curve| settings.set(Settings::of(curve)))
            />
            <NumberField
                label="x"
                value=Signal::derive(move || settings.get().x)
                on_change=Callback::new(move |x| settings.update(|s| *s = s.at(x)))
                min=-EXTENT
                max=EXTENT
                step=0.05
            />
            // The slider's own number is hidden: the field beside it shows the same one, and takes another.
            <div class="curve-window">
                <Slider
                    label="Window of nudges (zoom)"
                    value=Signal::derive(move || settings.get().window.log2())
                    on_change=Callback::new(move |power: f64| set_window.run(power.exp2()))
                    min=WINDOW[0].log2()
                    max=WINDOW[1].log2()
                    step=0.01
                    show=Callback::new(|power: f64| number(power.exp2(), 3))
                />
                <NumberField
                    label="window"
                    value=Signal::derive(move || settings.get().window)
                    on_change=set_window
                    min=WINDOW[0]
                    max=WINDOW[1]
                    step=0.01
                    decimals=3
                />
            </div>
            <Button label="Halve it" on_press=Callback::new(move |()| settings.update(|s| *s = s.with_window(s.window / 2.0))) />
            <Button label="Reset" on_press=Callback::new(move |()| settings.update(|s| *s = Settings::of(s.curve))) />
        </div>
    }
}
