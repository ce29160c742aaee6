//! The figure: its controls, and where its parts stand.

use super::plane::Plane;
use super::signals::Figure;
use super::state::{DEPTH, EXTENT, Movable, Scene, Settings, WORDS};
use super::ways::{Nearest, Ways};
use crate::controls::{Button, NumberField, Segmented, Select};
use crate::figures::data_table::DataTable;
use crate::figures::numbers::{number, small_or_zero};
use crate::figures::place::{linked_settings, mark_ready};
use crate::figures::plane::{LegendLine, Spoken};
use leptos::prelude::*;

/// Name of the figure.
const NAME: &str = "cone";

/// Figure 12.
#[component]
pub fn ConeFigure() -> impl IntoView {
    let settings = linked_settings(NAME, Settings::from_address, Settings::to_address);
    let scene = Memo::new(move |_| Scene::of(settings.get()));
    let way = RwSignal::new(None);
    // Which words a way is made of may have changed with the drawing.
    let of =
        Memo::new(move |_| scene.with(|s| s.ways.iter().map(|w| w.of.clone()).collect::<Vec<_>>()));
    Effect::new(move |_| {
        of.track();
        way.set(None);
    });
    let figure = Figure {
        settings,
        scene,
        way,
    };
    mark_ready(NAME);
    // what is not drawn is not in the legend either
    let exact = move || scene.with(Scene::is_exact);
    let alone = move || scene.with(|s| s.drawn(way.get()).of.len() < 2);
    view! {
        <div class="cone plane stack">
            <Controls figure />
            <div class="figure-cols">
                <div>
                    <h4 class="panel-title">"Drag the activation h and the vectors of four words"</h4>
                    <Plane figure />
                    <ul class="plane-legend" aria-label="Legend">
                        <LegendLine class="cone-rays" text="ray of a word" />
                        <LegendLine class="cone-ray" text="ray or cone of the nearest point" />
                        <li hidden=exact>
                            <svg viewBox="0 0 34 10" aria-hidden="true"><path class="cone-nearest" d="M26 -1L32 5L26 11L20 5Z"></path></svg>
                            "nearest point"
                        </li>
                        <li hidden=exact>
                            <svg viewBox="0 0 34 10" aria-hidden="true"><path class="cone-residual" d="M1 5L33 5"></path></svg>
                            "residual"
                        </li>
                        <li hidden=alone>
                            <svg viewBox="0 0 34 10" aria-hidden="true"><path class="cone-sides" d="M1 5L33 5"></path></svg>
                            "the amounts, laid end to end"
                        </li>
                    </ul>
                    <p class="panel-note">"A cartoon: four made-up vectors in two dimensions. All numbers are computed from where they stand. Our model has far more vectors and dimensions."</p>
                </div>
                <div class="stack">
                    <Nearest figure />
                    <Ways figure />
                </div>
            </div>
            <Spoken text=Signal::derive(move || scene.with(Scene::summary)) />
            <DataTable
                summary="vectors and amounts"
                caption="Where the vectors stand, their amount in the nearest point, and their inner product with h"
                heads=["word", "x", "y", "amount", "inner product with h"]
                rows=Signal::derive(move || scene.with(rows))
            />
        </div>
    }
}

fn rows(scene: &Scene) -> Vec<Vec<String>> {
    let row = |(i, v): (usize, &geometry::Point)| {
        let part = scene.nearest.of.iter().position(|of| *of == i);
        let amount = part.map_or(0.0, |at| scene.nearest.amounts[at]);
        vec![
            WORDS[i].to_owned(),
            number(v.x, 2),
            number(v.y, 2),
            number(amount, 3),
            number(v.dot(&scene.h), 3),
        ]
    };
    let h = vec![
        "h".to_owned(),
        number(scene.h.x, 2),
        number(scene.h.y, 2),
        String::new(),
        number(scene.h.norm_squared(), 3),
    ];
    let residual = vec![
        "residual".to_owned(),
        String::new(),
        String::new(),
        small_or_zero(scene.nearest.residual),
        String::new(),
    ];
    scene
        .vectors
        .iter()
        .enumerate()
        .map(row)
        .chain([h, residual])
        .collect()
}

/// How many words, typed places, reset.
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
    view! {
        <div class="toolbar" role="group" aria-label="Number of words, and typed places">
            <Segmented
                legend="Words at most, k"
                name="cone-k"
                options=vec![(1, "one"), (2, "two")]
                value=Signal::derive(move || settings.get().k)
                on_change=Callback::new(move |k| settings.update(|s| s.k = k))
            />
            <Select label="Coordinates of" options=Signal::stored(Movable::all()) value=what on_change=Callback::new(move |wish| what.set(wish)) />
            <div class="coords">
                <NumberField label="x" value=at(0) on_change=type_in(0) min=-EXTENT max=EXTENT step=0.05 />
                <NumberField label="y" value=at(1) on_change=type_in(1) min=-DEPTH max=EXTENT step=0.05 />
            </div>
            <Button label="Reset" on_press=Callback::new(move |()| settings.update(|s| *s = Settings { k: s.k, ..Settings::default() })) />
        </div>
    }
}
