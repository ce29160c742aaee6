//! The ranked lists at the chosen cell, the model's own output, and the maps as tables of numbers.

use super::settings::{At, Lens};
use super::signals::Hero;
use crate::figures::parts::{Readout, Row, ranked_row};
use crate::figures::text::{percent, quoted};
use leptos::prelude::*;

/// Rows of the model's own output.
const OUTPUT_ROWS: usize = 5;

/// Both lists side by side, and what the model itself would say next.
#[component]
pub fn Lists(hero: Hero) -> impl IntoView {
    view! {
        <div class="figure-cols-3 hero-lists">
            <List hero=hero lens=Lens::Logit />
            <List hero=hero lens=Lens::Jacobian />
            <Output hero=hero />
        </div>
    }
}

#[component]
fn List(hero: Hero, lens: Lens) -> impl IntoView {
    let at = hero.at;
    let caption = move || {
        hero.shown.with(|s| {
            s.as_ref().map_or_else(String::new, |s| {
                let word = s
                    .readings
                    .words
                    .get(at.get().position)
                    .map_or("", String::as_str);
                format!(
                    "{}, layer {}, at {}",
                    lens.name(),
                    s.readings.layer_name(at.get().layer),
                    quoted(word)
                )
            })
        })
    };
    let rows = Memo::new(move |_| {
        hero.shown.with(|s| {
            s.as_ref().map_or_else(Vec::new, |s| {
                s.readings.rows(lens, at.get(), |id| s.word(id))
            })
        })
    });
    let layer = Signal::derive(move || Some(at.get().layer));
    view! { <Readout caption=Signal::derive(caption) lens=lens.id() layer=layer rows=rows /> }
}

/// The model's next words after the whole prompt.
#[component]
fn Output(hero: Hero) -> impl IntoView {
    let rows = Memo::new(move |_| -> Vec<Row> {
        hero.shown.with(|s| {
            let Some(s) = s else { return Vec::new() };
            let output = s.readings.output(s.readings.tokens().saturating_sub(1));
            let followed = |word: u32| s.readings.request.tracked.first() == Some(&word);
            output
                .iter()
                .take(OUTPUT_ROWS)
                .map(|row| ranked_row(row, followed(row.word), |id| s.word(id)))
                .collect()
        })
    });
    let answer = move || {
        rows.with(|rows| {
            rows.first().map(|row| {
                view! {
                    <p class="answer">
                        <span class="answer-label">"after the prompt, the model says"</span>
                        <strong class="answer-word">{row.word.clone()}</strong>
                        <span class="answer-prob num">{percent(row.prob)}</span>
                    </p>
                }
            })
        })
    };
    view! {
        <div class="stack">
            <Readout caption="The model’s own next words" lens="output" layer={None::<usize>} rows=rows />
            {answer}
        </div>
    }
}

/// Ranks of the followed word as plain tables.
#[component]
pub fn DataTables(hero: Hero) -> impl IntoView {
    let open = RwSignal::new(false);
    let toggled =
        move |event| open.set(event_target::<web_sys::Element>(&event).has_attribute("open"));
    // Built only when looked at: it repeats every cell of the maps.
    let tables = move || {
        open.get()
            .then(|| [Lens::Logit, Lens::Jacobian].map(|lens| rank_table(hero, lens)))
    };
    view! {
        <details class="figure-data" on:toggle=toggled>
            <summary>"Data table"</summary>
            {tables}
        </details>
    }
}

fn rank_table(hero: Hero, lens: Lens) -> impl IntoView {
    let content = move || {
        let shown = hero.shown.get()?;
        let readings = &shown.readings;
        let heads = readings
            .words
            .iter()
            .map(|word| view! { <th scope="col" class="num">{word.clone()}</th> })
            .collect_view();
        let row = |layer: usize| {
            let ranks =
                (0..readings.tokens()).map(|position| readings.rank(lens, At { layer, position }));
            let cells = ranks
                .map(|rank| view! { <td class="num">{rank}</td> })
                .collect_view();
            view! { <tr><th scope="row">{readings.layer_name(layer)}</th>{cells}</tr> }
        };
        let rows = (0..readings.layers).rev().map(row).collect_view();
        let caption = format!(
            "{}: rank of {} by layer and position",
            lens.name(),
            quoted(&readings.tracked)
        );
        Some(view! {
            <table class="data">
                <caption>{caption}</caption>
                <thead><tr><th scope="col">"layer"</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        })
    };
    view! {
        <div class="table-scroll" tabindex="0" role="region" aria-label=format!("{}, ranks", lens.name())>{content}</div>
    }
}
