//! The figure: one request for all sentences, added to the mean one by one.

use super::chart::Chart;
use super::plane::Plane;
use super::signals::{Pointed, Shown};
use super::state::{Along, Chosen, Effects, MOST};
use crate::client::{Client, Command, Reply};
use crate::controls::{Button, Check, Segmented, Slider};
use crate::figures::bench::Bench;
use crate::figures::data_table::DataTable;
use crate::figures::history::PRESS;
use crate::figures::layer_slider::LayerSlider;
use crate::figures::numbers::number;
use crate::figures::parts::{KnownWord, WordList};
use crate::figures::plane::SummaryLine;
use engine::protocol::NudgeRequest;
use leptos::prelude::*;
use std::sync::Arc;

/// Figure 7.
#[component]
pub fn AverageFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let bench = Bench::new(client, "average", Chosen::default());
    let shown: Shown = RwSignal::new(None);
    let pointed: Pointed = RwSignal::new(None);
    let asked = bench.get(|s| Chosen {
        count: 0,
        out: 0,
        ..s.clone()
    });
    let wanted: Memo<Option<NudgeRequest>> = Memo::new(move |_| {
        let model = client.model()?;
        asked.with(|s| s.request(model.info.n_layers - 1, |word| model.id(word)))
    });
    bench.ask_checked(wanted, Command::Nudge, move |_, reply| {
        let (Reply::Nudges(answer), Some(model)) = (reply, untrack(move || client.model())) else {
            return Ok(());
        };
        let effects = Effects::new(answer, |id| model.word(id).to_owned());
        let effects = effects.ok_or("The worker's answer does not fit together.")?;
        shown.try_set(Some(Arc::new(effects)));
        Ok(())
    });
    bench.frame(
        move || wanted.with(Option::is_none),
        move || {
            view! {
                <Tools bench=bench />
                <Sentences bench=bench />
                <div class="figure-cols">
                    <Plane bench=bench shown=shown pointed=pointed />
                    <Chart shown=shown inside=inside(bench) />
                </div>
                <List bench=bench shown=shown pointed=pointed />
                <Summary bench=bench shown=shown />
                <Table bench=bench shown=shown />
            }
        },
    )
}

/// The sentences that are in the mean, in order.
fn inside(bench: Bench<Chosen>) -> Signal<Vec<usize>> {
    bench.get(|s| (0..MOST).filter(|&i| s.is_in(i)).collect())
}

#[component]
fn Tools(bench: Bench<Chosen>) -> impl IntoView {
    let along = bench.get(|s| s.along);
    view! {
        <div class="toolbar" role="group" aria-label="The nudge">
            <Segmented
                legend="Nudge along"
                name="average-along"
                options=vec![(Along::Word, "a lens vector"), (Along::Random, "a random direction")]
                value=along
                on_change=move |along| bench.change(PRESS, |s| s.along = along)
            />
            <Show
                when=move || along.get() == Along::Word
                fallback=move || view! {
                    <Button label="Another one" on_press=move |()| bench.change(PRESS, |s| s.seed = s.seed % 1000 + 1) />
                }
            >
                <KnownWord
                    client=bench.client
                    label="Lens vector of"
                    value=bench.get(|s| s.word.clone())
                    on_change=move |word: String| bench.change("word", |s| s.word = word)
                    id="average-word"
                    list="average-words"
                />
            </Show>
            <LayerSlider
                client=bench.client
                label="at layer"
                value=bench.get(|s| s.layer)
                on_change=move |layer: usize| bench.change("layer", |s| s.layer = layer)
            />
            <WordList client=bench.client id="average-words" />
        </div>
    }
}

/// How many sentences have been added.
#[component]
fn Sentences(bench: Bench<Chosen>) -> impl IntoView {
    let count = bench.get(|s| s.count);
    let add = move |tag, count: usize| bench.change(tag, |s| s.count = count.min(MOST));
    let (can_undo, is_first) = (
        Signal::derive(move || bench.settings.with(|s| s.can_undo())),
        Signal::derive(move || bench.settings.with(|s| s.is_first())),
    );
    view! {
        <div class="toolbar" role="group" aria-label="Sentences">
            <Slider
                label="Sentences added"
                value=Signal::derive(move || count.get() as f64)
                min=0.0
                max=MOST as f64
                on_change=move |n: f64| add("count", n as usize)
            />
            <Button
                label="Add a sentence"
                kind="btn-primary"
                disabled=Signal::derive(move || count.get() >= MOST)
                on_press=move |()| add(PRESS, count.get_untracked() + 1)
            />
            <div class="btn-pair">
                <Button label="Undo" disabled=Signal::derive(move || !can_undo.get()) on_press=move |()| bench.settings.update(|s| s.undo()) />
                <Button label="Reset" disabled=is_first on_press=move |()| bench.settings.update(|s| s.reset()) />
            </div>
        </div>
    }
}

/// The added sentences, each with the number of its arrow and its check box.
#[component]
fn List(bench: Bench<Chosen>, shown: Shown, pointed: Pointed) -> impl IntoView {
    let count = bench.get(|s| s.count);
    let item = move |i: usize, effects: &Effects| {
        let inside = Memo::new(move |_| bench.settings.with(|s| s.now().is_in(i)));
        let cosine = number(effects.cosine(i), 2);
        view! {
            <li
                data-chosen=move || (pointed.get() == Some(i)).to_string()
                on:pointerenter=move |_| pointed.set(Some(i))
                on:pointerleave=move |_| pointed.set(None)
                on:focusin=move |_| pointed.set(Some(i))
                on:focusout=move |_| pointed.set(None)
            >
                <span class="average-which" aria-hidden="true">{i + 1}</span>
                <Check
                    label=effects.sentences[i].clone()
                    value=inside
                    on_change=move |_| bench.change(PRESS, |s| s.toggle(i))
                />
                <span class="num live">{cosine}</span>
            </li>
        }
    };
    let items = move || {
        let effects = shown.get()?;
        let n = count.get().min(effects.sentences.len());
        Some((0..n).map(|i| item(i, &effects)).collect_view())
    };
    view! {
        <div>
            <h4 class="panel-title">"Sentences, and the cosine of each effect with the shipped lens"</h4>
            <ol class="average-list" tabindex="0" aria-label="Sentences that have been added">{items}</ol>
        </div>
    }
}

#[component]
fn Summary(bench: Bench<Chosen>, shown: Shown) -> impl IntoView {
    let inside = inside(bench);
    let text = Memo::new(move |_| {
        shown.with(|s| {
            s.as_ref()
                .map_or_else(String::new, |e| e.summary(&inside.get()))
        })
    });
    view! { <SummaryLine text=text /> }
}

#[component]
fn Table(bench: Bench<Chosen>, shown: Shown) -> impl IntoView {
    let inside = inside(bench);
    let heads = [
        "sentence",
        "along the mean",
        "across",
        "outside the plane",
        "cosine with the lens",
        "mean so far: to all",
        "to the lens",
    ];
    let rows = Signal::derive(move || {
        let inside = inside.get();
        shown.with(|s| {
            let Some(e) = s else { return Vec::new() };
            let row = |(n, &i): (usize, &usize)| {
                let [x, y] = e.answer.plane[i].map(f64::from);
                let so_far = &inside[..=n];
                let distance = |d: Option<f64>| d.map_or_else(String::new, |d| format!("{d:.4}"));
                vec![
                    e.sentences[i].clone(),
                    number(x, 3),
                    number(y, 3),
                    number(e.out_of_plane(i), 3),
                    number(e.cosine(i), 4),
                    distance(e.to_all(so_far)),
                    distance(e.to_lens(so_far)),
                ]
            };
            inside.iter().enumerate().map(row).collect::<Vec<_>>()
        })
    });
    view! { <DataTable caption="Effects of the sentences that are in the mean" heads=heads rows=rows /> }
}
