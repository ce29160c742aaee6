//! The figure: two requests, three lenses.

use super::state::{Asked, Chosen, Lens, Place, Readings, Seen};
use crate::client::{Client, Command, Model, Reply, fetch_file};
use crate::controls::Segmented;
use crate::figures::bench::Bench;
use crate::figures::chart::Axis;
use crate::figures::hero::RankTints;
use crate::figures::hero::state::tint;
use crate::figures::history::PRESS;
use crate::figures::lines::Curves;
use crate::figures::numbers::number;
use crate::figures::parts::{KnownWord, Trouble, WordList};
use crate::figures::prompt::PromptTools;
use crate::figures::text::{quoted, target_options};
use engine::protocol::{Cell, ReadRequest, TunedReading, TunedRequest};
use leptos::prelude::*;
use std::sync::Arc;

/// Address of the tuned lens, fetched when the figure comes near the window.
const FILE: &str = "lenses/world-tuned.safetensors.shuffled";

type File = RwSignal<Option<Arc<Vec<u8>>>>;
type Cells = RwSignal<Option<(Asked, Arc<Vec<Cell>>)>>;
type Tuned = RwSignal<Option<(Asked, Arc<TunedReading>)>>;
type All = Memo<Option<Arc<Readings>>>;

/// Figure 10.
#[component]
pub fn RelativesFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let bench = Bench::new(client, "relatives", Chosen::spider());
    let (cells, tuned): (Cells, Tuned) = (RwSignal::new(None), RwSignal::new(None));
    let (file, missing) = tuned_lens(bench);
    let wanted = wanted(bench);
    let asked = move |tokens: Vec<u32>, tracked: &[u32]| {
        let model = untrack(move || client.model())?;
        Some(Asked::new(tokens, tracked, |id| model.word(id).to_owned()))
    };
    bench.ask(wanted, Command::Read, move |request, reply| {
        let of = asked(request.tokens, &request.tracked);
        if let (Reply::Read { cells: all, .. }, Some(of)) = (reply, of) {
            cells.try_set(Some((of, Arc::new(all))));
        }
    });
    let wanted_tuned = Memo::new(move |_| {
        let ReadRequest {
            tokens,
            top,
            tracked,
            ..
        } = wanted.get()?;
        let lens = file.with(|file| file.as_ref().map(|bytes| bytes.to_vec()))?;
        Some(TunedRequest {
            lens,
            tokens,
            top,
            tracked,
        })
    });
    bench.ask(wanted_tuned, Command::ReadTuned, move |request, reply| {
        let of = asked(request.tokens, &request.tracked);
        if let (Reply::Tuned(reading), Some(of)) = (reply, of) {
            tuned.try_set(Some((of, Arc::new(reading))));
        }
    });
    let all: All = Memo::new(move |_| {
        let (of, cells) = cells.get()?;
        let tuned = tuned.get().map(|(of, reading)| (of, (*reading).clone()));
        Readings::new(of, (*cells).clone(), tuned).map(Arc::new)
    });
    let line = bench.line("relatives-prompt", "relatives-prompt-hint");
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
                <Tools bench=bench />
                {move || unknown(bench).map(|word| view! {
                    <p class="status status-warn" role="status">{quoted(&word)} " is not a word this model knows."</p>
                })}
                <Trouble message=missing.0 on_retry=missing.1 />
                <div class="figure-cols">
                    <Chart bench=bench all=all word=0 />
                    <Chart bench=bench all=all word=1 />
                </div>
                <Summary bench=bench all=all />
                <Table bench=bench all=all tuned=tuned />
            }
        },
    )
}

/// The tuned lens's file, once the figure is near; what went wrong with it, and a way to try again.
fn tuned_lens(bench: Bench<Chosen>) -> (File, (RwSignal<Option<String>>, Callback<()>)) {
    let (file, missing): (File, _) = (RwSignal::new(None), RwSignal::new(None));
    let attempt = RwSignal::new(0u32);
    Effect::new(move |_| {
        attempt.track();
        if !bench.is_near() || bench.client.model().is_none() {
            return;
        }
        wasm_bindgen_futures::spawn_local(async move {
            match fetch_file(FILE).await {
                Ok(bytes) => {
                    missing.try_set(None);
                    file.try_set(Some(Arc::new(bytes)));
                }
                Err(message) => {
                    missing.try_set(Some(message));
                }
            }
        });
    });
    let again = Callback::new(move |()| attempt.update(|n| *n += 1));
    (file, (missing, again))
}

fn wanted(bench: Bench<Chosen>) -> Memo<Option<ReadRequest>> {
    let tokens = bench.tokens();
    let chosen = bench.get(|s| (s.targets, s.bridge.clone(), s.answer.clone()));
    Memo::new(move |_| {
        let (model, tokens) = (bench.client.model()?, tokens.get()?);
        let (targets, bridge, answer) = chosen.get();
        Some(ReadRequest {
            tokens,
            targets,
            top: 1,
            tracked: vec![model.id(&bridge)?, model.id(&answer)?],
        })
    })
}

/// The position that is looked at; `None` is the best.
fn place(bench: Bench<Chosen>) -> Signal<Option<usize>> {
    bench.get(|s| (s.place == Place::Here).then_some(s.spot.position))
}

/// The two words as chosen.
fn chosen(bench: Bench<Chosen>) -> Signal<[String; 2]> {
    bench.get(|s| [s.bridge.clone(), s.answer.clone()])
}

/// The two words whose ranks are shown; before there are any, those chosen.
fn words(bench: Bench<Chosen>, all: All) -> Memo<[String; 2]> {
    let chosen = chosen(bench);
    Memo::new(move |_| {
        let shown = all.with(|a| a.as_ref().map(|a| a.words().clone()));
        shown.unwrap_or_else(|| chosen.get())
    })
}

/// A chosen word that the model lacks, as a link may ask for. Reactive.
fn unknown(bench: Bench<Chosen>) -> Option<String> {
    let model = bench.client.model()?;
    let lacks = |word: &String| model.id(word).is_none();
    chosen(bench).get().into_iter().find(lacks)
}

#[component]
fn Tools(bench: Bench<Chosen>) -> impl IntoView {
    view! {
        <WordList client=bench.client id="relatives-words" />
        <div class="toolbar" role="group" aria-label="Words and lens">
            <KnownWord
                client=bench.client
                label="The unspoken word"
                value=bench.get(|s| s.bridge.clone())
                on_change=move |word: String| bench.change("bridge", |s| s.bridge = word)
                id="relatives-bridge"
                list="relatives-words"
            />
            <KnownWord
                client=bench.client
                label="The answer"
                value=bench.get(|s| s.answer.clone())
                on_change=move |word: String| bench.change("answer", |s| s.answer = word)
                id="relatives-answer"
                list="relatives-words"
            />
            <Segmented
                legend="Look at"
                name="relatives-place"
                options=vec![(Place::Best, "the best token"), (Place::Here, "the chosen token")]
                value=bench.get(|s| s.place)
                on_change=move |place| bench.change(PRESS, |s| s.place = place)
            />
            <Segmented
                legend="Jacobian lens looks at"
                name="relatives-targets"
                options=target_options()
                value=bench.get(|s| s.targets)
                on_change=move |targets| bench.change(PRESS, |s| s.targets = targets)
            />
        </div>
    }
}

#[component]
fn Chart(bench: Bench<Chosen>, all: All, word: usize) -> impl IntoView {
    let (place, words) = (place(bench), words(bench, all));
    let axes = Signal::derive(move || {
        let last = all.with(|a| a.as_ref().map_or(8, |a| a.layers() - 1));
        let layer = Axis::linear("layer", [0.0, last as f64], 9);
        let decades = all.with(|a| a.as_ref().map_or(2, |a| a.decades(place.get())));
        let rank = Axis::log(
            "rank, lower is better",
            [0.8, 10f64.powi(decades as i32)],
            decades as usize + 1,
        );
        [layer, rank]
    });
    let curves = Signal::derive(move || {
        all.with(|a| {
            a.as_ref()
                .map_or_else(Vec::new, |a| a.curves(word, place.get()))
        })
    });
    let title = move || {
        let what = if word == 0 {
            "Rank of the unspoken"
        } else {
            "Rank of the answer"
        };
        format!("{what} {}", words.with(|w| quoted(&w[word])))
    };
    view! {
        <div>
            <h4 class="panel-title">{title}</h4>
            <Curves
                label=Signal::derive(move || format!("{} over the layers; the numbers are in the table", title()))
                axes=axes
                curves=curves
            />
        </div>
    }
}

#[component]
fn Summary(bench: Bench<Chosen>, all: All) -> impl IntoView {
    let place = place(bench);
    let text = Memo::new(move |_| {
        let place = place.get();
        all.with(|a| a.as_ref().map(|a| a.summary(place)))
    });
    let lines = move || {
        let line = |text: String| view! { <span class="relatives-line">{text} " "</span> };
        text.get()
            .map(|lines| lines.into_iter().map(line).collect_view())
    };
    view! { <p class="summary-line" role="status">{lines}</p> }
}

/// Layer by layer: the word on top where the unspoken word stands highest, and both ranks.
#[component]
fn Table(bench: Bench<Chosen>, all: All, tuned: Tuned) -> impl IntoView {
    let (place, words) = (place(bench), words(bench, all));
    let model = move || untrack(move || bench.client.model());
    let rows = move || {
        let (all, model) = (all.get()?, model()?);
        let row = |layer: usize| {
            let cells = Lens::ALL.map(|lens| {
                let seen = [0, 1].map(|word| all.seen(lens, layer, word, place.get()));
                cell(&model, &words.get(), seen)
            });
            let left = all
                .divergence(layer)
                .map_or_else(|| "–".to_owned(), |x| number(f64::from(x), 2));
            view! { <tr data-layer=layer.to_string()><th scope="row">{layer}</th>{cells}<td class="num">{left}</td></tr> }
        };
        Some((0..all.layers()).rev().map(row).collect_view())
    };
    let caption = move || {
        let [bridge, answer] = words.get().map(|word| quoted(&word));
        if place.get().is_some() {
            return format!(
                "At the chosen token: the word on top, and the ranks of {bridge} and {answer}."
            );
        }
        format!(
            "In each cell: the word on top at the token where {bridge} stands highest, and the ranks of {bridge} and {answer}, each at its own best token."
        )
    };
    let from = move || {
        tuned.with(|t| {
            let (_, reading) = t.as_ref()?;
            let warned = reading.warnings.join(" ");
            Some(format!(
                "The last column is what the tuned lens still misses of the model’s output, as a divergence in nats; at the output nothing is left to miss. It was trained on {}. {warned}",
                reading.corpus
            ))
        })
    };
    view! {
        <h4 class="panel-title">"Layer by layer"</h4>
        <p class="panel-note" id="relatives-cells">{caption}</p>
        <RankTints word=Signal::derive(move || words.with(|w| w[0].clone())) />
        <div class="table-scroll" tabindex="0" role="region" aria-label="Three lenses, layer by layer">
            <table class="data relatives-table" aria-label="Three lenses, layer by layer" aria-describedby="relatives-cells">
                <thead>
                    <tr>
                        <th scope="col">"layer"</th>
                        {Lens::ALL.map(|lens| view! { <th scope="col">{lens.name()}</th> })}
                        <th scope="col" class="num">"tuned lens misses"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="panel-note">{from}</p>
    }
}

fn cell(
    model: &Model,
    words: &[String; 2],
    [bridge, answer]: [Option<Seen>; 2],
) -> impl IntoView + use<> {
    let heat = bridge.map(|seen| tint(seen.ranks[0]).to_string());
    let (a, b) = (bridge.map(|s| s.ranks[0]), answer.map(|s| s.ranks[1]));
    let content = bridge.zip(answer).map(|(bridge, answer)| {
        let rank = |word: &String, rank: u32| {
            view! { <span class="relatives-rank">{word.clone()} ": " <span class="num">{rank}</span></span> " " }
        };
        view! {
            <div class="relatives-cell">
                <span class="relatives-word">{quoted(model.word(bridge.top))}</span>
                " "
                {rank(&words[0], bridge.ranks[0])}
                {rank(&words[1], answer.ranks[1])}
            </div>
        }
    });
    view! { <td data-heat=heat data-bridge=a.map(|r| r.to_string()) data-answer=b.map(|r| r.to_string())>{content}</td> }
}
