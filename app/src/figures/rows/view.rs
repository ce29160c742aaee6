//! The figure: its request, its grid, and the rows themselves.

use super::bars::Bars;
use super::state::{Ask, Chosen, Flow};
use crate::client::{Client, Command, Reply};
use crate::controls::{Button, NumberField, Segmented, Slider};
use crate::figures::bench::Bench;
use crate::figures::columns::WholeColumns;
use crate::figures::data_table::DataTable;
use crate::figures::grid::{At, GridCell, LayerGrid};
use crate::figures::history::PRESS;
use crate::figures::numbers::signed;
use crate::figures::parts::{KnownWord, WordList};
use crate::figures::plane::SummaryLine;
use crate::figures::prompt::PromptTools;
use crate::figures::text::quoted;
use engine::protocol::{Covector, RowsRequest};
use leptos::leptos_dom::helpers::IntervalHandle;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Time per layer while the flow is watched.
const BEAT: Duration = Duration::from_millis(320);

type Shown = RwSignal<Option<Arc<Flow>>>;

/// Figure 6.
#[component]
pub fn RowsFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let bench = Bench::new(client, "rows", Chosen::spider());
    let shown: Shown = RwSignal::new(None);
    let wanted = wanted(bench);
    bench.ask_checked(wanted, Command::Rows, move |request, reply| {
        let (Reply::Rows(answer), Some(model)) = (reply, untrack(move || client.model())) else {
            return Ok(());
        };
        let flow = Flow::new(request, answer, |id| model.word(id).to_owned());
        let flow = flow.ok_or("The worker's answer does not fit the prompt.")?;
        shown.try_set(Some(Arc::new(flow)));
        Ok(())
    });
    let at = looked_at(bench, shown);
    let line = bench.line("rows-prompt", "rows-prompt-hint");
    let examples = bench.examples([
        ("spins webs", Chosen::spider),
        ("a target in the middle", Chosen::middle),
        ("eiffel tower", Chosen::paris),
    ]);
    bench.frame(
        move || wanted.with(Option::is_none),
        move || {
            view! {
                <PromptTools line=line examples=examples.clone() />
                <p class="panel-note">"The chosen token is the target: the backward pass starts at its last state."</p>
                <Asked bench=bench shown=shown />
                <Flowing bench=bench shown=shown at=at />
                <Row shown=shown at=at />
                <Table shown=shown />
            }
        },
    )
}

fn wanted(bench: Bench<Chosen>) -> Memo<Option<RowsRequest>> {
    let tokens = bench.tokens();
    let chosen = bench.get(|s| (s.ask, s.coordinate, s.word.clone(), s.spot.position));
    Memo::new(move |_| {
        let (model, tokens) = (bench.client.model()?, tokens.get()?);
        let (ask, coordinate, word, target) = chosen.get();
        let covector = match ask {
            Ask::Coordinate => Covector::Coordinate(coordinate.min(model.info.d_model - 1) as u32),
            Ask::Word => Covector::Word(model.id(&word)?),
        };
        Some(RowsRequest {
            target: target.min(tokens.len() - 1),
            tokens,
            covector,
        })
    })
}

/// The cell that is looked at, in the grid that is shown.
fn looked_at(bench: Bench<Chosen>, shown: Shown) -> Memo<At> {
    let wished = bench.get(|s| s.at);
    Memo::new(move |_| {
        let wished = wished.get();
        shown.with(|s| s.as_ref().map_or(wished, |flow| flow.inside(wished)))
    })
}

/// What is asked of the last state.
#[component]
fn Asked(bench: Bench<Chosen>, shown: Shown) -> impl IntoView {
    let ask = bench.get(|s| s.ask);
    let coordinate = bench.get(|s| s.coordinate);
    let choose = Callback::new(move |i: usize| {
        bench.change("coordinate", |s| {
            (s.coordinate, s.ask) = (i, Ask::Coordinate)
        });
    });
    let last =
        Signal::derive(move || bench.client.model().map_or(95, |m| m.info.d_model - 1) as f64);
    let value = Signal::derive(move || coordinate.get() as f64);
    let output = Signal::derive(move || {
        shown.with(|s| {
            s.as_ref()
                .map_or_else(Vec::new, |flow| flow.output().to_vec())
        })
    });
    let mark = Signal::derive(move || (ask.get() == Ask::Coordinate).then(|| coordinate.get()));
    let chosen = move || {
        let (Ask::Coordinate, i) = (ask.get(), coordinate.get()) else {
            return String::new();
        };
        output.with(|numbers| {
            numbers.get(i).map_or_else(String::new, |&x| {
                format!("Coordinate {i} is {}. ", signed(f64::from(x)))
            })
        })
    };
    let label = move || {
        let target = shown.with(|s| s.as_ref().map(|f| quoted(&f.words[f.request.target])));
        format!(
            "The last state at {}, coordinate by coordinate",
            target.unwrap_or_default()
        )
    };
    view! {
        <WordList client=bench.client id="rows-words" />
        <div class="toolbar rows-asked" role="group" aria-label="What is asked">
            <Segmented
                legend="Seed the backward pass with"
                name="rows-ask"
                options=vec![(Ask::Coordinate, "one coordinate"), (Ask::Word, "a word’s row")]
                value=ask
                on_change=move |ask| bench.change(PRESS, |s| s.ask = ask)
            />
            <Show
                when=move || ask.get() == Ask::Coordinate
                fallback=move || view! {
                    <KnownWord
                        client=bench.client
                        label="Word"
                        value=bench.get(|s| s.word.clone())
                        on_change=move |word: String| bench.change("word", |s| s.word = word)
                        id="rows-word"
                        list="rows-words"
                    />
                }
            >
                <Slider label="Output coordinate i" value=value min=0.0 max=last on_change=move |i: f64| choose.run(i as usize) />
                <NumberField label="or type i" value=value min=0.0 max=last step=1.0 decimals=0 on_change=move |i: f64| choose.run(i as usize) />
            </Show>
        </div>
        <div>
            <h4 class="panel-title">{label}</h4>
            <Bars label=Signal::derive(label) numbers=output idea="output" mark=mark on_press=choose />
            <p class="panel-note">{chosen} "Press a bar, or drag across them, to ask for another coordinate."</p>
        </div>
    }
}

/// The grid, uncovered layer by layer on request.
#[component]
fn Flowing(bench: Bench<Chosen>, shown: Shown, at: Memo<At>) -> impl IntoView {
    let uncovered = RwSignal::new(0usize);
    let clock = StoredValue::new(None::<IntervalHandle>);
    let layers = Signal::derive(move || shown.with(|s| s.as_ref().map_or(0, |f| f.layers)));
    let stop = move || {
        if let Some(handle) = clock.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    };
    let down = move || {
        let now = uncovered.try_get_untracked().unwrap_or(0);
        if now == 0 {
            stop();
        } else {
            uncovered.try_set(now - 1);
        }
    };
    let play = move |()| {
        stop();
        uncovered.set(layers.get_untracked().saturating_sub(1));
        clock.set_value(set_interval_with_handle(down, BEAT).ok());
    };
    let step = move |()| {
        stop();
        let top = layers.get_untracked().saturating_sub(1);
        uncovered.update(|n| *n = n.checked_sub(1).unwrap_or(top));
    };
    let words =
        Memo::new(move |_| shown.with(|s| s.as_ref().map_or_else(Vec::new, |f| f.words.clone())));
    let cell = Callback::new(move |at: At| {
        shown.with(|s| s.as_ref().map_or_else(GridCell::default, |f| f.cell(at)))
    });
    let goal =
        Signal::derive(move || shown.with(|s| s.as_ref().map_or(0, |flow| flow.request.target)));
    let summary = Memo::new(move |_| {
        shown.with(|s| s.as_ref().map_or_else(String::new, |f| f.summary(at.get())))
    });
    let cost = move || {
        shown.with(|s| {
            let flow = s.as_ref()?;
            let ([forward, backward], repeats) = flow.cost();
            let cells = flow.layers * flow.words.len();
            Some(view! {
                "one forward pass "
                <span class="live" data-cost="forward">{forward}</span>
                ", one backward pass "
                <span class="live" data-cost="backward">{backward}</span>
                {format!(", for all {cells} cells together (medians of {repeats}).")}
            })
        })
    };
    view! {
        <div class="rows-head">
            <h4 class="panel-title">"The backward pass, from the model output down"</h4>
            <div class="toolbar" role="group" aria-label="Watch the pass">
                <Button label="Watch it flow down" kind="btn-primary rows-play" on_press=play />
                <Button label="Layer by layer" on_press=step />
            </div>
        </div>
        <div class="rows-grid">
            <WholeColumns heads=words at=Signal::derive(move || at.get().position) goal=goal first=RwSignal::new(0)>
                <LayerGrid
                    label="Length of the gradient"
                    heads=words
                    layers=layers
                    cell=cell
                    at=at
                    on_look=move |at| bench.amend(|s| s.at = at)
                    uncovered=uncovered
                />
            </WholeColumns>
            <Tints />
        </div>
        <SummaryLine text=summary />
        <p class="panel-note">"The cost: " {cost}</p>
    }
}

/// What the tints say.
#[component]
fn Tints() -> impl IntoView {
    let swatch = |(heat, label): (u8, &'static str)| {
        view! { <span class="swatch" data-heat=heat.to_string()>{label}</span> }
    };
    let steps = [
        (0, "exactly 0"),
        (2, "1/64"),
        (4, "1/16"),
        (6, "1/4"),
        (7, "1/2"),
        (8, "1"),
        (9, "off this scale"),
    ];
    view! {
        <p class="heat-legend">
            <span>"tint, the share of the greatest length above layer 0, up to:"</span>
            {steps.map(swatch).collect_view()}
        </p>
    }
}

/// The chosen cell's row, number by number.
#[component]
fn Row(shown: Shown, at: Memo<At>) -> impl IntoView {
    let numbers = Signal::derive(move || {
        shown.with(|s| {
            s.as_ref()
                .map_or_else(Vec::new, |f| f.row(at.get()).to_vec())
        })
    });
    let title = move || {
        let at = at.get();
        shown.with(|s| {
            s.as_ref()
                .map_or_else(|| "The row".to_owned(), |f| f.row_name(at))
        })
    };
    view! {
        <div>
            <h4 class="panel-title">{title}</h4>
            <Bars label=Signal::derive(title) numbers=numbers idea="transport" />
        </div>
    }
}

#[component]
fn Table(shown: Shown) -> impl IntoView {
    let heads = Signal::derive(move || {
        let words = shown.with(|s| s.as_ref().map_or_else(Vec::new, |f| f.words.clone()));
        std::iter::once("layer".to_owned())
            .chain(words)
            .collect::<Vec<_>>()
    });
    let rows = Signal::derive(move || {
        shown.with(|s| {
            let Some(flow) = s else { return Vec::new() };
            let row = |layer: usize| {
                let cell = |position| format!("{:.5}", flow.length(At { layer, position }));
                let cells = (0..flow.words.len()).map(cell);
                std::iter::once(layer.to_string()).chain(cells).collect()
            };
            (0..flow.layers)
                .rev()
                .map(row)
                .collect::<Vec<Vec<String>>>()
        })
    });
    view! { <DataTable caption="Length of the gradient by layer and token" heads=heads rows=rows /> }
}
