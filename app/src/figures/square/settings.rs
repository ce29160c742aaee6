//! The controls above the planes.

use super::maps::{EXTENT, MapKind};
use super::presets::PRESETS;
use super::signals::Figure;
use super::state::{HALF_RANGE, clamp_half};
use crate::client::Status;
use crate::controls::{Button, NumberField, Segmented, Select, Slider, WordField};
use crate::figures::numbers::number;
use crate::figures::parts::{Arrival, WordList};
use leptos::prelude::*;

/// Map, point, size, reset.
#[component]
pub fn Settings(figure: Figure) -> impl IntoView {
    let options = MapKind::ALL.map(|kind| (kind, kind.label())).to_vec();
    let coordinate = move |index: usize| Signal::derive(move || figure.p.get()[index]);
    let type_in =
        move |index: usize| Callback::new(move |value| figure.p.update(|p| p[index] = value));
    let size = Signal::derive(move || figure.half.get().log2());
    let set_size = Callback::new(move |power: f64| figure.half.set(clamp_half(power.exp2())));
    view! {
        <div class="toolbar" role="group" aria-label="Map, point and size">
            <Segmented legend="Map F" name="square-map" options value=figure.kind on_change=Callback::new(move |kind| figure.choose(kind)) />
            <div class="coords">
                <NumberField label="p, first" value=coordinate(0) on_change=type_in(0) min=-EXTENT max=EXTENT step=0.05 />
                <NumberField label="p, second" value=coordinate(1) on_change=type_in(1) min=-EXTENT max=EXTENT step=0.05 />
            </div>
            // The slider's own number is hidden: the field beside it shows the same one, and takes another.
            <div class="square-size">
                <Slider
                    label="Size of the square"
                    value=size
                    on_change=set_size
                    min=HALF_RANGE[0].log2()
                    max=HALF_RANGE[1].log2()
                    step=0.01
                    show=Callback::new(|power: f64| number(power.exp2(), 3))
                />
                <NumberField label="size" value=figure.half on_change=Callback::new(move |half| figure.half.set(clamp_half(half))) min=HALF_RANGE[0] max=HALF_RANGE[1] step=0.01 decimals=3 />
            </div>
            <Button label="Reset" on_press=Callback::new(move |()| figure.reset()) />
        </div>
    }
}

/// For the real model: slice, layer, token and the two words.
#[component]
pub fn ModelSettings(figure: Figure) -> impl IntoView {
    let model = move || figure.client.model();
    let chosen = move || {
        figure
            .setting
            .with(|s| PRESETS.iter().position(|p| p.setting() == *s))
            .unwrap_or(usize::MAX)
    };
    let presets = PRESETS
        .iter()
        .enumerate()
        .map(|(i, p)| (i, p.name.to_owned()))
        .collect::<Vec<_>>();
    let choose = Callback::new(move |index: usize| {
        if let Some(preset) = PRESETS.get(index) {
            figure.setting.set(preset.setting());
            figure.reset();
        }
    });
    let layers = move || {
        let count = model().map_or(8, |m| m.info.n_layers);
        (0..count)
            .map(|l| {
                (
                    l,
                    if l == 0 {
                        "0, embedding".to_owned()
                    } else {
                        l.to_string()
                    },
                )
            })
            .collect::<Vec<_>>()
    };
    let positions = move || {
        let words = figure.setting.with(|s| s.prompt.clone());
        words
            .split_whitespace()
            .enumerate()
            .map(|(i, word)| (i + 1, format!("{}. {word}", i + 1)))
            .collect::<Vec<_>>()
    };
    let word = move |index: usize, id: &'static str| {
        let label = ["First direction", "Second direction"][index];
        let known =
            Callback::new(move |word: String| model().is_some_and(|m| m.id(&word).is_some()));
        let suggest = Callback::new(move |word: String| {
            model()
                .and_then(|m| m.words(&word).into_iter().next())
                .map(|w| w.suggestions)
                .unwrap_or_default()
        });
        view! {
            <WordField
                label
                value=Signal::derive(move || figure.setting.with(|s| s.words[index].clone()))
                on_change=Callback::new(move |word| figure.setting.update(|s| s.words[index] = word))
                known
                suggest
                id
                list="square-words"
            />
        }
    };
    view! {
        <div class="stack" hidden=move || figure.kind.get() != MapKind::Model>
            <div class="toolbar" role="group" aria-label="Slice through the model">
                <Select label="Slice" options=Signal::stored(presets) value=Signal::derive(chosen) on_change=choose />
                <Select
                    label="Layer moved"
                    options=Signal::derive(layers)
                    value=Signal::derive(move || figure.setting.with(|s| s.layer))
                    on_change=Callback::new(move |layer| figure.setting.update(|s| s.layer = layer))
                />
                <Select
                    label="Token moved"
                    options=Signal::derive(positions)
                    value=Signal::derive(move || figure.setting.with(|s| s.position))
                    on_change=Callback::new(move |position| figure.setting.update(|s| s.position = position))
                />
                {word(0, "square-word-1")}
                {word(1, "square-word-2")}
            </div>
            <WordList client=figure.client id="square-words" />
            <p class="panel-note">"Prompt: “" {move || figure.setting.with(|s| s.prompt.clone())} "”. The last layer is watched at its last token."</p>
            <ModelStatus figure />
        </div>
    }
}

/// What the slice is waiting for, or why it was refused.
#[component]
fn ModelStatus(figure: Figure) -> impl IntoView {
    let ready = move || figure.client.status() == Status::Ready;
    let text = move || match figure.trouble.get() {
        Some(message) => Some(("status status-warn", message)),
        None if ready() && figure.grid.with(Option::is_none) => {
            Some(("status", "Sampling the grid …".to_owned()))
        }
        None => None,
    };
    view! {
        <Arrival client=figure.client />
        <p class=move || text().map_or("visually-hidden", |(class, _)| class) role="status">
            {move || text().map(|(_, text)| text)}
        </p>
    }
}
