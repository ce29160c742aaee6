//! The figure: what is done, and what the model then says.

use super::chart::{Chart, Peaks, Table, over_strength};
use super::signals::{Now, Shown};
use super::state::{Act, Chosen, Kind, MOST, STRONGEST, request, rows, said, summary, sweep};
use crate::client::{Client, Command, Reply};
use crate::controls::{BandSlider, Button, Check, NumberField, Segmented, Slider};
use crate::figures::bench::Bench;
use crate::figures::history::PRESS;
use crate::figures::numbers::number;
use crate::figures::parts::{KnownWord, Readout, WordList};
use crate::figures::plane::SummaryLine;
use crate::figures::prompt::{PromptLine, PromptTools};
use crate::figures::text::target_options;
use engine::protocol::SteerRequest;
use leptos::prelude::*;
use std::sync::Arc;

/// Figure 15.
#[component]
pub fn SteerFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let bench = Bench::new(client, "steer", Chosen::spider());
    let (now, swept): (Now, Now) = (RwSignal::new(None), RwSignal::new(None));
    let wanted = wanted(bench, |s| (s.clone(), vec![s.strength as f32]));
    // the curve does not depend on the strength that the reader has chosen
    let wanted_curve = self::wanted(bench, |s| {
        let all = (s.act == Act::Add).then(sweep).unwrap_or_default();
        (
            Chosen {
                strength: 0.0,
                ..s.clone()
            },
            all,
        )
    });
    for (wanted, shown) in [(wanted, now), (wanted_curve, swept)] {
        bench.ask(wanted, Command::Steer, move |request, reply| {
            if let (Reply::Steered(answer), Some(model)) = (reply, untrack(move || client.model()))
            {
                let all = Shown {
                    request,
                    answer,
                    model,
                };
                shown.try_set(Some(Arc::new(all)));
            }
        });
    }
    let all = over_strength(swept);
    // every token is steered alike, so none is chosen
    let line = PromptLine {
        position: Signal::stored(usize::MAX),
        ..bench.line("steer-prompt", "steer-prompt-hint")
    };
    let examples = bench.examples([
        ("spider to ant", Chosen::spider),
        ("france to china", Chosen::france),
        ("an animal out of nothing", Chosen::blank),
    ]);
    bench.frame(
        move || wanted.with(Option::is_none),
        move || {
            view! {
                <PromptTools line=line examples=examples.clone() />
                <Tools bench=bench />
                <Strength bench=bench />
                <div class="figure-cols-3 steer-lists">
                    <List now=now kind=Kind::Clean lens="output" caption="Left alone" />
                    <List now=now kind=Kind::Lens lens="steered" caption="Along the lens vector" />
                    <div>
                        <List now=now kind=Kind::Random lens="random" caption="Along random directions" />
                        <Button label="Other random directions" kind="btn-quiet btn-small" on_press=move |()| bench.change(PRESS, |s| s.seed = s.seed % 1000 + 1) />
                    </div>
                </div>
                <div class="steer-below">
                    <div>
                        <Said bench=bench now=now />
                        <Peaks bench=bench all=all />
                    </div>
                    <Chart bench=bench all=all />
                </div>
                <Table bench=bench all=all />
            }
        },
    )
}

/// The request for what `pick` takes from the settings; none for no strength.
fn wanted(
    bench: Bench<Chosen>,
    pick: fn(&Chosen) -> (Chosen, Vec<f32>),
) -> Memo<Option<SteerRequest>> {
    let tokens = bench.tokens();
    let picked = bench.get(pick);
    Memo::new(move |_| {
        let (model, tokens) = (bench.client.model()?, tokens.get()?);
        let (chosen, strengths) = picked.get();
        let last = model.info.n_layers - 1;
        let asked = request(&chosen, tokens, last, strengths, |word| model.id(word))?;
        (!asked.strengths.is_empty()).then_some(asked)
    })
}

#[component]
fn Tools(bench: Bench<Chosen>) -> impl IntoView {
    let act = bench.get(|s| s.act);
    let last = Signal::derive(move || bench.client.model().map_or(7, |m| m.info.n_layers - 1));
    view! {
        <WordList client=bench.client id="steer-words" />
        <div class="toolbar" role="group" aria-label="What is done">
            <Segmented
                legend="Do this"
                name="steer-act"
                options=vec![
                    (Act::Add, "add the word"),
                    (Act::Ablate, "take the word out"),
                    (Act::AblateTop, "take out all top words"),
                ]
                value=act
                on_change=move |act| bench.change(PRESS, |s| s.act = act)
            />
            <Show when=move || act.get() != Act::AblateTop>
                <KnownWord
                    client=bench.client
                    label="Direction of the word"
                    value=bench.get(|s| s.handle().to_owned())
                    on_change=move |word: String| bench.change("word", |s| match s.act {
                        Act::Ablate => s.removed = word,
                        _ => s.word = word,
                    })
                    id="steer-word"
                    list="steer-words"
                />
            </Show>
            <KnownWord
                client=bench.client
                label="Watch the word"
                value=bench.get(|s| s.watched.clone())
                on_change=move |word: String| bench.change("watched", |s| s.watched = word)
                id="steer-watched"
                list="steer-words"
            />
        </div>
        <div class="toolbar" role="group" aria-label="Layers and lens">
            <BandSlider
                legend="Layers"
                value=bench.get(|s| s.band)
                on_change=move |band| bench.change("band", |s| s.band = band)
                min=1
                max=last
            />
            <Segmented
                legend="Lens vectors of"
                name="steer-targets"
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

/// How much of it.
#[component]
fn Strength(bench: Bench<Chosen>) -> impl IntoView {
    let act = bench.get(|s| s.act);
    let strength = bench.get(|s| s.strength);
    let top = bench.get(|s| s.top);
    let set = move |a: f64| bench.change("strength", |s| s.strength = a);
    move || {
        match act.get() {
        Act::Add => view! {
            <div class="toolbar" role="group" aria-label="Strength">
                <Slider
                    label="Strength a, in mean lengths of an activation"
                    value=strength
                    min=-STRONGEST
                    max=STRONGEST
                    step=0.02
                    show=Callback::new(|a: f64| number(a, 2))
                    on_change=set
                />
                <NumberField label="or type it" value=strength min=-STRONGEST max=STRONGEST step=0.02 on_change=set />
            </div>
        }
        .into_any(),
        Act::Ablate => ().into_any(),
        Act::AblateTop => view! {
            <div class="toolbar" role="group" aria-label="Number of words">
                <Slider
                    label="Words taken out of each state"
                    value=Signal::derive(move || top.get() as f64)
                    min=1.0
                    max=MOST as f64
                    on_change=move |k: f64| bench.change("top", |s| s.top = k as usize)
                />
            </div>
        }
        .into_any(),
    }
    }
}

#[component]
fn List(now: Now, kind: Kind, lens: &'static str, caption: &'static str) -> impl IntoView {
    let rows = Memo::new(move |_| {
        now.with(|s| {
            let spelled = s.as_ref().and_then(|s| {
                let list = said(&s.answer, kind)?;
                Some(rows(list, |id| s.model.word(id).to_owned()))
            });
            spelled.unwrap_or_default()
        })
    });
    view! { <Readout caption=caption lens=lens layer={None::<usize>} rows=rows /> }
}

/// What came of it, and the words that were taken out.
#[component]
fn Said(bench: Bench<Chosen>, now: Now) -> impl IntoView {
    let text = Memo::new(move |_| {
        now.with(|s| {
            s.as_ref().map_or_else(String::new, |s| {
                let spell = |id: u32| s.model.word(id).to_owned();
                let settings = bench.settings;
                settings.with_untracked(|c| summary(c.now(), &s.answer, spell))
            })
        })
    });
    let taken = move || {
        now.with(|s| {
            let s = s.as_ref()?;
            let list = |(i, words): (usize, &Vec<u32>)| {
                let words: Vec<&str> = words.iter().map(|&id| s.model.word(id)).collect();
                format!("layer {}: {}", s.request.band[0] + i, words.join(", "))
            };
            let all: Vec<String> = s.answer.taken.iter().enumerate().map(list).collect();
            (!all.is_empty()).then(|| format!("Taken out at the last token, {}.", all.join("; ")))
        })
    };
    view! {
        <SummaryLine text=text />
        <p class="panel-note">"Tinted rows and the chart: the watched word."</p>
        <p class="panel-note" data-taken="true">{taken}</p>
    }
}
