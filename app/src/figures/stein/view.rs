//! The figure: one request, cosines in falling order, and the lists at both ends.

use super::state::{Chosen, Sides, TOP};
use crate::client::{Client, Command, Reply};
use crate::controls::{Button, Check, Segmented, Select};
use crate::figures::bench::Bench;
use crate::figures::chart::Axis;
use crate::figures::history::PRESS;
use crate::figures::layer_slider::LayerSlider;
use crate::figures::lines::Curves;
use crate::figures::numbers::number;
use crate::figures::parts::{KnownWord, WordList, bar};
use crate::figures::text::target_options;
use leptos::prelude::*;
use std::sync::Arc;

/// Phrases that occur often enough in the text.
const PHRASES: [&str; 4] = [
    "the eiffel tower",
    "builds dams",
    "spins webs",
    "let me think",
];

type Shown = RwSignal<Option<Arc<Sides>>>;

/// Figure 11.
#[component]
pub fn SteinFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let bench = Bench::new(client, "stein", Chosen::default());
    let shown: Shown = RwSignal::new(None);
    // the word looked at changes nothing that is computed
    let asked = bench.get(|s| Chosen {
        word: String::new(),
        ..s.clone()
    });
    let wanted = Memo::new(move |_| {
        let model = client.model()?;
        let last = model.info.n_layers - 1;
        asked.with(|chosen| chosen.request(last, |word| model.id(word)))
    });
    bench.ask(wanted, Command::Stein, move |_, reply| {
        if let (Reply::Stein(answer), Some(model)) = (reply, untrack(move || client.model())) {
            shown.try_set(Sides::new(answer, &model.info.words).map(Arc::new));
        }
    });
    bench.frame(
        move || wanted.with(Option::is_none),
        move || {
            view! {
                <Tools bench=bench />
                <div class="figure-cols">
                    <Chart bench=bench shown=shown />
                    <div>
                        <Lists shown=shown />
                        <Summary bench=bench shown=shown />
                    </div>
                </div>
                <Template bench=bench shown=shown />
            }
        },
    )
}

#[component]
fn Tools(bench: Bench<Chosen>) -> impl IntoView {
    view! {
        <div class="toolbar" role="group" aria-label="Layer, lens and word">
            <LayerSlider
                client=bench.client
                value=bench.get(|s| s.layer)
                on_change=move |layer: usize| bench.change("layer", |s| s.layer = layer)
                min=1
            />
            <Segmented
                legend="Lens vectors of"
                name="stein-targets"
                options=target_options()
                value=bench.get(|s| s.targets)
                on_change=move |targets| bench.change(PRESS, |s| s.targets = targets)
            />
            <Check
                label="centred vectors"
                value=bench.get(|s| s.centred)
                on_change=move |centred| bench.change(PRESS, |s| s.centred = centred)
            />
            <KnownWord
                client=bench.client
                label="Word"
                value=bench.get(|s| s.word.clone())
                on_change=move |word: String| bench.change("word", |s| s.word = word)
                id="stein-word"
                list="stein-words"
            />
            <Button label="Reset" on_press=move |()| bench.settings.update(|s| s.reset()) />
        </div>
        <WordList client=bench.client id="stein-words" />
    }
}

#[component]
fn Chart(bench: Bench<Chosen>, shown: Shown) -> impl IntoView {
    let axes = Memo::new(move |_| {
        let words = shown.with(|s| s.as_ref().map_or(2, |s| s.count()));
        [
            Axis::linear(
                "place of the word, most alike first",
                [1.0, words as f64],
                5,
            ),
            Axis::linear("cosine", [-0.6, 1.0], 9),
        ]
    });
    let word = bench.get(|s| s.word.clone());
    let curves = Signal::derive(move || {
        shown.with(|s| {
            s.as_ref()
                .map_or_else(Vec::new, |s| word.with(|w| s.curves(w)))
        })
    });
    view! {
        <div>
            <h4 class="panel-title">"Cosine of averaged gradient and regression, all words"</h4>
            <Curves
                label="Cosine of averaged gradient and regression for every word in falling order, and the same for pairs of different words; a ring marks the chosen word"
                axes=axes
                curves=curves
            />
        </div>
    }
}

#[component]
fn Lists(shown: Shown) -> impl IntoView {
    let rows = move |greatest: bool| {
        move || shown.with(|s| s.as_ref().map_or_else(Vec::new, |s| s.ends(greatest, TOP)))
    };
    view! {
        <div class="stein-lists">
            <List lens="alike" caption="Most alike" rows=Signal::derive(rows(true)) />
            <List lens="unlike" caption="Least alike" rows=Signal::derive(rows(false)) />
        </div>
    }
}

#[component]
fn List(
    lens: &'static str,
    #[prop(into)] caption: Signal<String>,
    rows: Signal<Vec<(String, f32)>>,
) -> impl IntoView {
    let row = |(i, (word, cosine)): (usize, (String, f32))| {
        view! {
            <tr data-word=word.clone() data-rank=(i + 1).to_string() data-prob=format!("{cosine:.4}")>
                <th scope="row">{word.clone()}</th>
                <td class="readout-bar">{bar(cosine)} <span class="num">{number(f64::from(cosine), 2)}</span></td>
            </tr>
        }
    };
    let body = move || rows.get().into_iter().enumerate().map(row).collect_view();
    view! {
        <table class="readout" data-lens=lens>
            <caption>{caption}</caption>
            <thead><tr><th scope="col">"word"</th><th scope="col">"cosine"</th></tr></thead>
            <tbody>{body}</tbody>
        </table>
    }
}

#[component]
fn Summary(bench: Bench<Chosen>, shown: Shown) -> impl IntoView {
    let word = bench.get(|s| s.word.clone());
    let text = Memo::new(move |_| shown.with(|s| s.as_ref().map(|s| word.with(|w| s.summary(w)))));
    let cosine = move || {
        let found = shown.with(|s| s.as_ref().and_then(|s| word.with(|w| s.of(w))));
        found.map(|(cosine, _)| format!("{cosine:.4}"))
    };
    let from = move || {
        let states = shown.with(|s| s.as_ref().map(|s| s.states()))?;
        Some(format!(
            "The regression is made of {states} states, those of the text that the lens was fitted on."
        ))
    };
    view! {
        <p class="summary-line" role="status" data-cosine=cosine>{text}</p>
        <p class="panel-note">{from}</p>
    }
}

/// A phrase, and the words whose lens vectors point as its whitened mean state does.
#[component]
fn Template(bench: Bench<Chosen>, shown: Shown) -> impl IntoView {
    let phrase = bench.get(|s| s.phrase.clone());
    let options = Signal::derive(move || {
        let known = |text: &str| {
            let model = bench.client.model();
            model.is_some_and(|m| text.split(' ').all(|word| m.id(word).is_some()))
        };
        let mut all: Vec<(String, String)> = PHRASES
            .into_iter()
            .filter(|text| known(text))
            .map(|text| (text.to_owned(), text.to_owned()))
            .collect();
        let now = phrase.get();
        if !all.iter().any(|(text, _)| *text == now) {
            all.push((now.clone(), now));
        }
        all
    });
    let rows = Signal::derive(move || {
        shown.with(|s| s.as_ref().map_or_else(Vec::new, |s| s.template().1))
    });
    let note = move || {
        let found = shown.with(|s| s.as_ref().map(|s| s.template().0))?;
        Some(match found {
            0..3 => {
                format!("The phrase ends in only {found} places of this text, too few for a mean.")
            }
            n => format!(
                "Mean state over {n} places where the phrase ends, minus the mean of all states, whitened in part; beside the lens vectors of future words."
            ),
        })
    };
    view! {
        <h4 class="panel-title stein-template">"A template for several words"</h4>
        <div class="toolbar" role="group" aria-label="Phrase">
            <Select
                label="Phrase"
                options=options
                value=phrase
                on_change=move |phrase: String| bench.change(PRESS, |s| s.phrase = phrase)
            />
        </div>
        <p class="panel-note">{note}</p>
        <List lens="template" caption="Lens vectors nearest to its template" rows=rows />
    }
}
