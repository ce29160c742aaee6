//! The sentence that is being computed, and the mean so far, as heat maps.

use super::signals::Figure;
use super::state::Run;
use crate::figures::canvas::{paint, theme_palette};
use crate::figures::heat::{Palette, diagonal_and_rest, entry_at, limit, moved};
use crate::figures::numbers::number;
use leptos::html::Canvas;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent, PointerEvent};

/// Both matrices, their scale, and the layer.
#[component]
pub fn Matrices(figure: Figure) -> impl IntoView {
    let palette = theme_palette();
    let values_of_mean = move || {
        figure.run.with(|run| {
            run.layers
                .as_ref()
                .and_then(|layers| layers.get(figure.layer()).cloned())
        })
    };
    let sentence = move || {
        figure
            .run
            .with(|run| run.filling.as_ref().map(|f| f.values.clone()))
    };
    let scale = Memo::new(move |_| {
        values_of_mean()
            .or_else(sentence)
            .map_or(1.0, |values| limit(&values))
    });
    let title = move || {
        let median = figure.fitted.with(|s| s.median);
        figure
            .run
            .with(|run| run.lens_title(median, figure.layer()))
    };
    let sentence_title = move || figure.run.with(Run::sentence_title);
    let empty = Memo::new(move |_| values_of_mean().is_none() && sentence().is_none());
    let promise = move || {
        let n = figure.settings.with(|s| s.prompts);
        let sentences = if n == 1 {
            "one sentence is".to_owned()
        } else {
            format!("{n} sentences are")
        };
        format!(
            "Nothing fitted yet. Press “Fit the lens”: {sentences} put through the model, and the rows of each one's matrix appear here."
        )
    };
    let promise_of_mean = "The mean of these matrices appears here: the lens.".to_owned();
    view! {
        <div class="figure-cols fit-matrices">
            <HeatMap figure palette scale title=Signal::derive(sentence_title) values=Signal::derive_local(sentence) kind="sentence" promise=Signal::derive(promise) />
            <HeatMap figure palette scale title=Signal::derive(title) values=Signal::derive_local(values_of_mean) kind="mean" promise=Signal::stored(promise_of_mean) />
        </div>
        <div hidden=empty><Scale scale /></div>
    }
}

/// One matrix on a canvas; the entry under the pointer or the keyboard is said in words.
#[component]
fn HeatMap(
    figure: Figure,
    palette: RwSignal<Palette>,
    #[prop(into)] scale: Signal<f32>,
    #[prop(into)] title: Signal<String>,
    values: Signal<Option<Vec<f32>>, LocalStorage>,
    kind: &'static str,
    /// What stands in the square while there are no numbers.
    promise: Signal<String>,
) -> impl IntoView {
    let canvas = NodeRef::<Canvas>::new();
    let entry = RwSignal::new(None::<[usize; 2]>);
    // What the keyboard has found is spoken; what the pointer finds, or the next sentence changes, is only seen.
    let spoken = RwSignal::new(None::<String>);
    let d = move || figure.run.with(|run| run.d.max(1));
    Effect::new(move |_| {
        if let Some(canvas) = canvas.get() {
            values
                .with(|values| paint(&canvas, values.as_deref(), d(), palette.get(), scale.get()));
        }
    });
    let at = move |event: PointerEvent| {
        let place = event
            .current_target()
            .map(|target| target.unchecked_into::<HtmlElement>());
        let share = place.map(|place| {
            let (width, height) = (
                f64::from(place.client_width()),
                f64::from(place.client_height()),
            );
            [
                f64::from(event.offset_x()) / width,
                f64::from(event.offset_y()) / height,
            ]
        });
        entry.set(share.and_then(|[x, y]| entry_at(d(), x, y)));
    };
    let said = move || {
        let value = |[row, column]: [usize; 2]| {
            values.with(|v| v.as_ref().and_then(|v| v.get(row * d() + column).copied()))
        };
        let text = |[row, column]: [usize; 2], value: f32| {
            let value = if value.is_nan() {
                "not there yet".to_owned()
            } else {
                number(f64::from(value), 3)
            };
            format!("output {row}, input {column}: {value}")
        };
        entry
            .get()
            .and_then(|place| Some(text(place, value(place)?)))
    };
    let key = move |event: KeyboardEvent| {
        let from = entry.get_untracked().unwrap_or([0, 0]);
        if let Some(next) = moved(from, &event.key(), event.shift_key(), d()) {
            event.prevent_default();
            entry.set(Some(next));
            spoken.set(untrack(said));
        }
    };
    let overview = move || {
        values
            .with(|v| v.as_ref().and_then(|v| diagonal_and_rest(v, d())))
            .filter(|[diagonal, _]| diagonal.is_finite())
            .map(|[diagonal, rest]| {
                format!(
                    "diagonal {} on average, elsewhere ±{}",
                    number(diagonal.into(), 2),
                    number(rest.into(), 3)
                )
            })
    };
    let empty = move || values.with(Option::is_none);
    let below = move || said().or_else(overview);
    view! {
        <div class="heat-frame">
            <h4 class="panel-title">{title}</h4>
            <div class="fit-square">
            <canvas
                class="heat-canvas"
                node_ref=canvas
                data-matrix=kind
                width="96"
                height="96"
                role="img"
                tabindex=move || if empty() { "-1" } else { "0" }
                aria-label=move || format!("{}. {}", title.get(), overview().unwrap_or_else(|| "empty".to_owned()))
                on:pointermove=at
                on:pointerdown=at
                on:pointerleave=move |_| entry.set(None)
                on:focus=move |_| entry.set(Some([0, 0]))
                on:blur=move |_| {
                    entry.set(None);
                    spoken.set(None);
                }
                on:keydown=key
            ></canvas>
            <p class="fit-promise" hidden=move || !empty()>{promise}</p>
            </div>
            <p class="visually-hidden" aria-live="polite">{spoken}</p>
            <p class="panel-note">{below}</p>
        </div>
    }
}

/// The common scale: colours follow the square root of the size, so the quarter marks stand half-way.
#[component]
fn Scale(#[prop(into)] scale: Signal<f32>) -> impl IntoView {
    let mark = move |share: f32| {
        let text = move || match share {
            0.0 => "0".to_owned(),
            _ => number(
                f64::from(scale.get() * share),
                if scale.get() < 0.4 { 3 } else { 2 },
            ),
        };
        view! { <span class="fit-mark">{text}</span> }
    };
    let label = move || {
        format!(
            "Colour scale from minus {0:.3} to plus {0:.3}, by square roots",
            scale.get()
        )
    };
    view! {
        <div class="fit-scale" role="img" aria-label=label>
            <span class="heat-ramp"></span>
            <span class="fit-marks">{[-1.0, -0.25, 0.0, 0.25, 1.0].map(mark)}</span>
        </div>
        <p class="panel-note">"Colours follow the square root of an entry, so that small ones show: half the colour is a quarter of the size. One entry in a hundred lies beyond the scale. Rows: output coordinates at the target layer. Columns: input coordinates. Point at an entry, or use the arrow keys, to read it."</p>
    }
}
