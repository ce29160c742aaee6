//! The figure: one request, three lists, two matrices compared.

use super::state::{Chosen, Pair};
use crate::client::{Client, Command, Model, Reply};
use crate::controls::Segmented;
use crate::figures::bench::Bench;
use crate::figures::data_table::DataTable;
use crate::figures::history::PRESS;
use crate::figures::layer_slider::LayerSlider;
use crate::figures::numbers::number;
use crate::figures::parts::{KnownWord, Readout, WordList};
use crate::figures::plane::SummaryLine;
use crate::figures::prompt::PromptTools;
use crate::figures::text::{legible, quoted, target_options};
use engine::protocol::{Local, LocalRequest, Said};
use leptos::prelude::*;
use std::sync::Arc;

/// Words per list.
const TOP: usize = 8;

/// An answer and the model that can spell it.
struct Shown {
    pair: Pair,
    model: Arc<Model>,
}

type Shared = RwSignal<Option<Arc<Shown>>>;

/// Figure 8.
#[component]
pub fn LocalFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let bench = Bench::new(client, "local", Chosen::spider());
    let shown: Shared = RwSignal::new(None);
    let wanted = wanted(bench);
    bench.ask(wanted, Command::Local, move |request, reply| {
        let (Reply::Local(answer), Some(model)) = (reply, untrack(move || client.model())) else {
            return;
        };
        let spell = |id: Option<&u32>| id.map_or_else(String::new, |&id| model.word(id).to_owned());
        let pair = Pair {
            here: spell(request.tokens.get(request.position)),
            tracked: spell(request.tracked.first()),
            request,
            answer,
        };
        shown.try_set(Some(Arc::new(Shown { pair, model })));
    });
    let line = bench.line("local-prompt", "local-prompt-hint");
    let examples = bench.examples([
        ("spins webs", Chosen::spider),
        ("climbs walls", Chosen::walls),
        ("eiffel tower", Chosen::france),
        ("a couplet", Chosen::couplet),
    ]);
    bench.frame(
        move || wanted.with(Option::is_none),
        move || {
            view! {
                <PromptTools line=line examples=examples.clone() />
                <Where bench=bench />
                <Facts shown=shown />
                <div class="figure-cols-3 local-lists">
                    <List shown=shown lens="local" caption="This sentence’s own Jacobian" pick=|a| &a.local />
                    <List shown=shown lens="jacobian" caption="Jacobian lens, the ready-made average" pick=|a| &a.average />
                    <List shown=shown lens="logit" caption="Logit lens, no Jacobian" pick=|a| &a.logit />
                </div>
                <Summary shown=shown />
                <Table shown=shown />
            }
        },
    )
}

fn wanted(bench: Bench<Chosen>) -> Memo<Option<LocalRequest>> {
    let tokens = bench.tokens();
    let chosen = bench.get(|s| (s.spot.position, s.layer, s.targets, s.tracked.clone()));
    Memo::new(move |_| {
        let (model, tokens) = (bench.client.model()?, tokens.get()?);
        let (position, layer, targets, tracked) = chosen.get();
        Some(LocalRequest {
            position: position.min(tokens.len() - 1),
            layer: layer.min(model.info.n_layers - 1),
            targets,
            top: TOP,
            tracked: vec![model.id(&tracked)?],
            tokens,
        })
    })
}

#[component]
fn Where(bench: Bench<Chosen>) -> impl IntoView {
    view! {
        <WordList client=bench.client id="local-words" />
        <div class="toolbar" role="group" aria-label="Word, lens and layer">
            <KnownWord
                client=bench.client
                label="Follow the word"
                value=bench.get(|s| s.tracked.clone())
                on_change=move |word: String| bench.change("tracked", |s| s.tracked = word)
                id="local-tracked"
                list="local-words"
            />
            <Segmented
                legend="Jacobian lens looks at"
                name="local-targets"
                options=target_options()
                value=bench.get(|s| s.targets)
                on_change=move |targets| bench.change(PRESS, |s| s.targets = targets)
            />
            <LayerSlider
                client=bench.client
                value=bench.get(|s| s.layer)
                on_change=move |layer: usize| bench.change("layer", |s| s.layer = layer)
            />
        </div>
        <p class="panel-note">"The chosen token of the prompt is the place that is read."</p>
    }
}

/// The two matrices in numbers.
#[component]
fn Facts(shown: Shared) -> impl IntoView {
    let fact = move |name: &'static str, id: &'static str, value: fn(&Local) -> String| {
        let text = move || shown.with(|s| s.as_ref().map(|s| value(&s.pair.answer)));
        view! { <div><dt>{name}</dt><dd class="live" data-fact=id>{text}</dd></div> }
    };
    view! {
        <dl class="local-facts">
            {fact("cosine of the two matrices", "cosine", |a| number(f64::from(a.cosine), 3))}
            {fact("length of this sentence’s matrix", "local", |a| number(f64::from(a.norms[0]), 2))}
            {fact("length of the average matrix", "average", |a| number(f64::from(a.norms[1]), 2))}
            {fact("target tokens summed", "targets", |a| a.targets.to_string())}
        </dl>
    }
}

#[component]
fn List(
    shown: Shared,
    lens: &'static str,
    caption: &'static str,
    pick: fn(&Local) -> &Said,
) -> impl IntoView {
    let rows = Memo::new(move |_| {
        shown.with(|s| {
            s.as_ref().map_or_else(Vec::new, |s| {
                Pair::rows(pick(&s.pair.answer), |id| legible(s.model.word(id)))
            })
        })
    });
    let layer = Signal::derive(move || shown.with(|s| s.as_ref().map(|s| s.pair.request.layer)));
    view! { <Readout caption=caption lens=lens layer=layer rows=rows /> }
}

#[component]
fn Summary(shown: Shared) -> impl IntoView {
    let text = Memo::new(move |_| {
        shown.with(|s| s.as_ref().map_or_else(String::new, |s| s.pair.summary()))
    });
    view! { <SummaryLine text=text /> }
}

#[component]
fn Table(shown: Shared) -> impl IntoView {
    let heads = ["rank", "own Jacobian", "average", "logit lens"];
    let rows = Signal::derive(move || {
        shown.with(|s| {
            let Some(s) = s else { return Vec::new() };
            let answer = &s.pair.answer;
            let word = |said: &Said, i: usize| {
                said.best.get(i).map_or_else(
                    || "–".to_owned(),
                    |r| format!("{} {:.4}", legible(s.model.word(r.word)), r.prob),
                )
            };
            let row = |i: usize| {
                let all = [&answer.local, &answer.average, &answer.logit].map(|said| word(said, i));
                std::iter::once((i + 1).to_string()).chain(all).collect()
            };
            (0..TOP).map(row).collect::<Vec<Vec<String>>>()
        })
    });
    let caption = Signal::derive(move || {
        shown.with(|s| {
            s.as_ref().map_or_else(String::new, |s| {
                format!(
                    "Layer {}, at {}: word and probability",
                    s.pair.request.layer,
                    quoted(&s.pair.here)
                )
            })
        })
    });
    view! { <DataTable caption=caption heads=heads rows=rows /> }
}
