//! The real model: one matrix per block at one token, their product, and the Jacobian of all blocks at once.

use super::blocks::{Choice, PROMPTS, norm};
use super::signals::Figure;
use crate::controls::{Select, Slider};
use crate::figures::canvas::{paint, theme_palette};
use crate::figures::heat::{Palette, limit};
use crate::figures::numbers::{number, small};
use crate::figures::parts::{Arrival, Provenance, Trouble};
use crate::figures::plane::Measure;
use engine::protocol::Span;
use leptos::html::Canvas;
use leptos::prelude::*;

/// Blocks to make room for before there is a model.
const EXPECTED: usize = 8;

/// The model's half of the figure.
#[component]
pub fn ModelPart(figure: Figure) -> impl IntoView {
    let Figure {
        client,
        choice,
        shown,
        trouble,
        attempt,
        ..
    } = figure;
    let palette = theme_palette();
    let blocks = Memo::new(move |_| client.model().map_or(EXPECTED, |m| m.info.n_layers));
    let from = Signal::derive(move || choice.get().from.min(blocks.get() - 1));
    let of_span = move |pick: fn(&Span) -> Vec<f32>| {
        Signal::derive(move || {
            shown.with(|s| {
                s.as_ref()
                    .and_then(|s| s.chain.spans.get(from.get()).map(pick))
                    .unwrap_or_default()
            })
        })
    };
    let (product, direct) = (
        of_span(|s| s.product.clone()),
        of_span(|s| s.direct.clone()),
    );
    let scale = Memo::new(move |_| direct.with(|m| limit(m)));
    let tiles = move || {
        let tile = |index: usize| {
            let values = Signal::derive(move || {
                shown.with(|s| {
                    s.as_ref()
                        .and_then(|s| s.chain.blocks.get(index).cloned())
                        .unwrap_or_default()
                })
            });
            let left_out = Signal::derive(move || index < from.get());
            view! { <Tile number=index + 1 values palette left_out /> }
        };
        (0..blocks.get()).rev().map(tile).collect_view()
    };
    let error = move || {
        let error = |s: &Span| small(f64::from(s.error));
        shown
            .with(|s| {
                s.as_ref()
                    .and_then(|s| s.chain.spans.get(from.get()).map(error))
            })
            .unwrap_or_else(|| "computing …".to_owned())
    };
    let norms = move || {
        let size = |m: &Vec<f32>| number(norm(m), 2);
        format!("{}, {}", product.with(size), direct.with(size))
    };
    view! {
        <div class="panel chain-model">
            <h4 class="panel-title">"The same with the real model: one matrix per block"</h4>
            <Arrival client />
            <Trouble message=trouble on_retry=Callback::new(move |()| attempt.update(|n| *n += 1)) />
            <Place figure from blocks />
            <ol class="chain-blocks" reversed=true>{tiles}</ol>
            <div class="chain-both">
                <Big title=Signal::derive(move || product_name(blocks.get(), from.get())) values=product palette scale kind="product" />
                <Big title="All these blocks at once, backwards" values=direct palette scale kind="direct" />
                <div class="chain-words">
                    <Key scale />
                    <dl class="plane-measures">
                        <Measure name="product − all at once, relative" id="model-error" value=Signal::derive(error) />
                        <Measure name="norms of the two" id="model-norms" value=Signal::derive(norms) />
                    </dl>
                    <p class="panel-note">
                        "The small matrices stand as in the product, the last block first. Below each stands its norm; each has colours of its own scale. Each comes from backward passes through one block alone, from this token to itself; the product is taken in single precision. The large one on the right never sees a single block: its rows come from backward passes through all of them. What is left between the two is rounding."
                    </p>
                    <p class="panel-note">
                        "Why one token is enough: blocks look back and never ahead, so nothing that leaves this token comes back to it. A way from the token at the bottom to the same token at the top has been at that token all along."
                    </p>
                </div>
            </div>
            <Provenance client />
        </div>
    }
}

fn product_name(blocks: usize, from: usize) -> String {
    match blocks - from {
        1 => format!("Block {blocks} alone"),
        2 => format!("Product of blocks {blocks} · {}", from + 1),
        _ => format!("Product of blocks {blocks} · … · {}", from + 1),
    }
}

/// Prompt, token and first layer.
#[component]
fn Place(figure: Figure, from: Signal<usize>, blocks: Memo<usize>) -> impl IntoView {
    let choice = figure.choice;
    let prompts: Vec<_> = PROMPTS
        .iter()
        .enumerate()
        .map(|(i, (name, _))| (i, (*name).to_owned()))
        .collect();
    let tokens = move || {
        let words = choice.get().words().enumerate();
        words
            .map(|(i, word)| (i + 1, format!("{}. {word}", i + 1)))
            .collect::<Vec<_>>()
    };
    view! {
        <div class="toolbar" role="group" aria-label="Prompt, token and layer">
            <Select
                label="Prompt"
                options=Signal::stored(prompts)
                value=Signal::derive(move || choice.get().prompt)
                on_change=Callback::new(move |prompt| choice.set(Choice::of_prompt(prompt)))
            />
            <Select
                label="Token"
                options=Signal::derive(tokens)
                value=Signal::derive(move || choice.get().position)
                on_change=Callback::new(move |position| choice.update(|c| c.position = position))
            />
            <Slider
                label="From layer"
                value=Signal::derive(move || from.get() as f64)
                on_change=Callback::new(move |layer: f64| choice.update(|c| c.from = layer as usize))
                min=0.0
                max=Signal::derive(move || (blocks.get() - 1) as f64)
                show=Callback::new(|layer: f64| if layer == 0.0 { "0, embedding".to_owned() } else { number(layer, 0) })
            />
        </div>
        // What is shown, not what is chosen: another token's matrices may be on their way, or have been refused.
        <p class="panel-note" data-shown="true">"“" {move || PROMPTS[figure.of().prompt].1} "”, at the token “" {move || figure.of().word()} "”."</p>
    }
}

/// One block's matrix, small.
#[component]
fn Tile(
    number: usize,
    values: Signal<Vec<f32>>,
    palette: RwSignal<Palette>,
    left_out: Signal<bool>,
) -> impl IntoView {
    let size = move || {
        values.with(|v| {
            if v.is_empty() {
                "…".to_owned()
            } else {
                crate::figures::numbers::number(norm(v), 2)
            }
        })
    };
    let scale = Memo::new(move |_| values.with(|m| limit(m)));
    let label = move || {
        format!(
            "Matrix of block {number}, norm {}{}",
            size(),
            if left_out.get() {
                ", not in the product"
            } else {
                ""
            }
        )
    };
    view! {
        <li value=number.to_string() data-left-out=move || left_out.get().to_string()>
            <Matrix values palette scale label=Signal::derive(label) kind=format!("block-{number}") />
            <span class="chain-caption"><span>"block " {number}</span> <span>"norm " {size}</span></span>
        </li>
    }
}

/// What the colours of the large matrices mean.
#[component]
fn Key(#[prop(into)] scale: Signal<f32>) -> impl IntoView {
    let end = move |sign: f64| {
        let value = sign * f64::from(scale.get());
        number(value, if value.abs() < 0.4 { 3 } else { 2 })
    };
    view! {
        <p class="heat-scale"><span>{move || end(-1.0)}</span><span class="heat-ramp" aria-hidden="true"></span><span>{move || end(1.0)}</span></p>
        <p class="panel-note">"Colours of both large matrices; they follow the square root of an entry. Rows: output coordinates, columns: input coordinates."</p>
    }
}

/// A large matrix with a title.
#[component]
fn Big(
    #[prop(into)] title: Signal<String>,
    values: Signal<Vec<f32>>,
    palette: RwSignal<Palette>,
    #[prop(into)] scale: Signal<f32>,
    kind: &'static str,
) -> impl IntoView {
    view! {
        <div class="heat-frame">
            <h4 class="panel-title">{title}</h4>
            <Matrix values palette scale label=title kind=kind.to_owned() />
        </div>
    }
}

#[component]
fn Matrix(
    values: Signal<Vec<f32>>,
    palette: RwSignal<Palette>,
    #[prop(into)] scale: Signal<f32>,
    label: Signal<String>,
    kind: String,
) -> impl IntoView {
    let canvas = NodeRef::<Canvas>::new();
    Effect::new(move |_| {
        if let Some(canvas) = canvas.get() {
            values.with(|values| {
                let d = values.len().isqrt().max(1);
                paint(&canvas, Some(values), d, palette.get(), scale.get());
            });
        }
    });
    view! { <canvas class="heat-canvas" node_ref=canvas data-matrix=kind width="96" height="96" role="img" aria-label=label></canvas> }
}
