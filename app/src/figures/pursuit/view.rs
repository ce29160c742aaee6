//! The figure: one request, words picked one by one, and three curves.

use super::state::{Chosen, Found, MOST, Pick};
use crate::client::{Client, Command, Reply};
use crate::controls::{Button, Check, Segmented, Slider};
use crate::figures::bench::Bench;
use crate::figures::chart::Axis;
use crate::figures::data_table::DataTable;
use crate::figures::history::PRESS;
use crate::figures::layer_slider::LayerSlider;
use crate::figures::lines::Curves;
use crate::figures::numbers::number;
use crate::figures::parts::bar;
use crate::figures::plane::SummaryLine;
use crate::figures::prompt::PromptTools;
use crate::figures::text::{percent, target_options};
use engine::protocol::PursuitRequest;
use leptos::prelude::*;
use std::sync::Arc;

/// Seed of the random dictionary.
const SEED: u64 = 1;

type Shown = RwSignal<Option<Arc<Found>>>;

/// Figure 13.
#[component]
pub fn PursuitFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let bench = Bench::new(client, "pursuit", Chosen::spider());
    let shown: Shown = RwSignal::new(None);
    let wanted = wanted(bench);
    bench.ask(wanted, Command::Pursue, move |request, reply| {
        if let (Reply::Pursuit(answer), Some(model)) = (reply, untrack(move || client.model())) {
            let found = Found::new(request, answer, |id| model.word(id).to_owned());
            shown.try_set(Some(Arc::new(found)));
        }
    });
    let line = bench.line("pursuit-prompt", "pursuit-prompt-hint");
    let examples = bench.examples([
        ("spins webs", Chosen::spider),
        ("eiffel tower", Chosen::france),
        ("a couplet", Chosen::couplet),
    ]);
    bench.frame(
        move || wanted.with(Option::is_none),
        move || {
            view! {
                <PromptTools line=line examples=examples.clone() />
                <p class="panel-note">"The chosen token of the prompt is the one whose activation is taken apart."</p>
                <Tools bench=bench />
                <Steps bench=bench shown=shown />
                <div class="pursuit-lists">
                    <List bench=bench shown=shown plain=false />
                    <List bench=bench shown=shown plain=true />
                    <Summary bench=bench shown=shown />
                    <Chart bench=bench shown=shown />
                </div>
                <Table shown=shown />
            }
        },
    )
}

fn wanted(bench: Bench<Chosen>) -> Memo<Option<PursuitRequest>> {
    let tokens = bench.tokens();
    let chosen = bench.get(|s| (s.spot.position, s.layer, s.targets, s.centred));
    Memo::new(move |_| {
        let (model, tokens) = (bench.client.model()?, tokens.get()?);
        let (position, layer, targets, centred) = chosen.get();
        Some(PursuitRequest {
            position: position.min(tokens.len() - 1),
            layer: layer.min(model.info.n_layers - 1),
            targets,
            centred,
            most: MOST.min(model.info.d_model),
            seed: SEED,
            tokens,
        })
    })
}

#[component]
fn Tools(bench: Bench<Chosen>) -> impl IntoView {
    view! {
        <div class="toolbar" role="group" aria-label="Layer and lens vectors">
            <LayerSlider
                client=bench.client
                value=bench.get(|s| s.layer)
                on_change=move |layer: usize| bench.change("layer", |s| s.layer = layer)
            />
            <Segmented
                legend="Lens vectors of"
                name="pursuit-targets"
                options=target_options()
                value=bench.get(|s| s.targets)
                on_change=move |targets| bench.change(PRESS, |s| s.targets = targets)
            />
            <Check
                label="centred vectors"
                value=bench.get(|s| s.centred)
                on_change=move |centred| bench.change(PRESS, |s| s.centred = centred)
            />
        </div>
    }
}

/// How many words are taken.
#[component]
fn Steps(bench: Bench<Chosen>, shown: Shown) -> impl IntoView {
    let words = bench.get(|s| s.words);
    let most = Signal::derive(move || {
        shown.with(|s| s.as_ref().map_or(MOST, |f| f.found().max(1))) as f64
    });
    let take = move |tag, words: usize| bench.change(tag, |s| s.words = words.clamp(1, MOST));
    view! {
        <div class="toolbar" role="group" aria-label="Number of words">
            <Slider
                label="Words taken, k"
                value=Signal::derive(move || words.get() as f64)
                min=1.0
                max=most
                on_change=move |k: f64| take("words", k as usize)
            />
            <Button label="Take the next word" kind="btn-primary" on_press=move |()| take(PRESS, words.get_untracked() + 1) />
            <Button label="Give the last one back" on_press=move |()| take(PRESS, words.get_untracked().saturating_sub(1)) />
        </div>
    }
}

#[component]
fn List(bench: Bench<Chosen>, shown: Shown, plain: bool) -> impl IntoView {
    let words = bench.get(|s| s.words);
    let caption = if plain {
        "Largest inner products"
    } else {
        "Picked by the pursuit"
    };
    let rows = move || {
        let k = words.get();
        let list = shown.with(|s| {
            s.as_ref()
                .map_or_else(Vec::new, |f| f.list(plain, k.min(f.found())))
        });
        list.into_iter().enumerate().map(row).collect_view()
    };
    let share = move || {
        shown.with(|s| {
            let [pursuit, top, _] = s.as_ref()?.explained(words.get());
            Some(percent(if plain { top } else { pursuit }))
        })
    };
    view! {
        <div>
            <table class="readout pursuit-list" data-lens=if plain { "plain" } else { "pursuit" }>
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"word"</th>
                        <th scope="col">"coefficient"</th>
                        <th scope="col">"likeness"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <p class="pursuit-together">"Together they explain " <span class="live" data-explained="true">{share}</span></p>
        </div>
    }
}

fn row((i, pick): (usize, Pick)) -> impl IntoView {
    let Pick {
        word,
        coefficient,
        share,
        likeness,
    } = pick;
    view! {
        <tr
            data-word=word.clone()
            data-rank=(i + 1).to_string()
            data-prob=format!("{coefficient:.4}")
            data-zero=(coefficient == 0.0).then_some("true")
        >
            <th scope="row">{word.clone()}</th>
            <td class="readout-bar">{bar(share)} <span class="num">{number(f64::from(coefficient), 2)}</span></td>
            <td class="num pursuit-likeness">{if i == 0 { "–".to_owned() } else { number(f64::from(likeness), 2) }}</td>
        </tr>
    }
}

#[component]
fn Chart(bench: Bench<Chosen>, shown: Shown) -> impl IntoView {
    let axes = [
        Axis::linear("words", [0.0, MOST as f64], 6),
        Axis::linear("explained share", [0.0, 1.0], 6),
    ];
    let words = bench.get(|s| s.words);
    let curves = Signal::derive(move || {
        let k = words.get();
        shown.with(|s| s.as_ref().map_or_else(Vec::new, |f| f.curves(k)))
    });
    view! {
        <div class="pursuit-chart">
            <h4 class="panel-title">"Explained, word by word"</h4>
            <Curves
                label="Explained share of the activation over the number of words; the numbers are in the data table"
                axes=Signal::stored(axes)
                curves=curves
                size=[420, 320]
            />
        </div>
    }
}

#[component]
fn Summary(bench: Bench<Chosen>, shown: Shown) -> impl IntoView {
    let words = bench.get(|s| s.words);
    let text = Memo::new(move |_| {
        shown.with(|s| {
            s.as_ref()
                .map_or_else(String::new, |f| f.summary(words.get()))
        })
    });
    view! { <SummaryLine text=text /> }
}

#[component]
fn Table(shown: Shown) -> impl IntoView {
    let heads = [
        "words",
        "latest word",
        "pursuit",
        "latest by inner product",
        "inner products",
        "random",
    ];
    let rows = Signal::derive(move || {
        shown.with(|s| {
            let Some(f) = s else { return Vec::new() };
            let last = |plain, k| {
                f.list(plain, k)
                    .last()
                    .map_or_else(String::new, |p| p.word.clone())
            };
            let row = |k: usize| {
                let [a, b, c] = f.explained(k).map(|x| format!("{x:.4}"));
                vec![k.to_string(), last(false, k), a, last(true, k), b, c]
            };
            (1..=f.found()).map(row).collect::<Vec<_>>()
        })
    });
    view! { <DataTable caption="Explained share of the activation" heads=heads rows=rows /> }
}
