//! What the model says: four lists for one question, one table for five.

use super::catalogue::{Trial, spoken};
use super::settings::Kind;
use super::state::{Outcome, Verdict};
use super::wire::Swap;
use crate::figures::parts::{Readout, Row};
use crate::figures::text::percent;
use leptos::prelude::*;
use std::sync::Arc;

/// The outcome of the first trial.
fn first(swap: Swap, kind: Kind) -> Memo<Option<(Trial, Arc<Outcome>)>> {
    Memo::new(move |_| {
        let trial = swap.trials.with(|trials| trials.first().cloned())?;
        let outcome = swap
            .outcomes
            .with(|outcomes| outcomes.get(0, kind).cloned())?;
        (outcome.prompt == trial.prompt).then_some((trial, outcome))
    })
}

/// One question: the answer before, and after with each kind of direction.
#[component]
pub fn Recall(swap: Swap) -> impl IntoView {
    let clean = first(swap, Kind::Jacobian);
    let before = move || {
        clean.with(|c| {
            c.as_ref()
                .map_or_else(Vec::new, |(trial, o)| Outcome::marked(&o.before, trial))
        })
    };
    view! {
        <Headline outcome=clean />
        <div class="swap-panels">
            <div class="panel">
                <Readout caption="Before" lens="output" layer={None::<usize>} rows=Signal::derive(before) />
            </div>
            {Kind::ALL.map(|kind| view! { <After swap=swap kind=kind /> })}
        </div>
        <p class="panel-note">"Tinted rows: the target’s answer."</p>
    }
}

/// The prompt, and the answer that changes.
#[component]
fn Headline(outcome: Memo<Option<(Trial, Arc<Outcome>)>>) -> impl IntoView {
    move || {
        let (trial, outcome) = outcome.get()?;
        let top = |rows: &[Row]| {
            rows.first()
                .map(|row| (row.word.clone(), row.prob))
                .unwrap_or_default()
        };
        let ((before, _), (after, prob)) = (top(&outcome.before), top(&outcome.after));
        let said = match outcome.verdict(&trial) {
            Verdict::Wanted | Verdict::Other | Verdict::Kept => format!("{before} → {after}"),
            Verdict::Unchanged | Verdict::RightlySame => after.clone(),
        };
        let direction = (before != after).then_some("up");
        Some(view! {
            <p class="answer swap-headline" data-before=before data-after=after data-verdict=outcome.verdict(&trial).id()>
                <span class="swap-prompt">{spoken(&trial.prompt).to_owned()}</span>
                <strong class="answer-word change" data-dir=direction>{said}</strong>
                <span class="answer-prob">"probability " <span class="num">{percent(prob)}</span></span>
            </p>
        })
    }
}

#[component]
fn After(swap: Swap, kind: Kind) -> impl IntoView {
    let outcome = first(swap, kind);
    let rows = move || {
        outcome.with(|o| {
            o.as_ref()
                .map_or_else(Vec::new, |(trial, o)| Outcome::marked(&o.after, trial))
        })
    };
    let verdict =
        move || {
            outcome.with(|o| o.as_ref().map(|(trial, o)| o.verdict(trial))).map(|verdict| {
            view! { <p class="swap-verdict" data-verdict=verdict.id()>{verdict.label()}</p> }
        })
        };
    view! {
        <div class="panel">
            <Readout caption=format!("After, {}", kind.short()) lens=kind.id() layer={None::<usize>} rows=Signal::derive(rows) />
            {verdict}
        </div>
    }
}

/// Five questions about the same country, one swap.
#[component]
pub fn Relations(swap: Swap) -> impl IntoView {
    let rows = move || {
        let (trials, outcomes) = (swap.trials.get(), swap.outcomes.get());
        let row = |(i, trial): (usize, &Trial)| {
            let before = outcomes
                .get(i, Kind::Jacobian)
                .and_then(|o| o.before.first().map(|row| row.word.clone()));
            let cells = Kind::ALL.map(|kind| relation_cell(trial, outcomes.get(i, kind)));
            view! {
                <tr>
                    <th scope="row">{trial.asks}</th>
                    <td>{before}</td>
                    {cells}
                    <td>{trial.wanted}</td>
                </tr>
            }
        };
        trials.iter().enumerate().map(row).collect_view()
    };
    let score = move |kind: Kind| {
        let (trials, outcomes) = (swap.trials.get(), swap.outcomes.get());
        outcomes
            .turned(&trials, kind)
            .map(|(n, of)| format!("{n} of {of} turned"))
    };
    view! {
        <div class="table-scroll" tabindex="0" role="region" aria-label="Five questions before and after">
            <table class="data swap-relations">
                <caption>"One swap, five questions"</caption>
                <thead>
                    <tr>
                        <th scope="col">"asked"</th>
                        <th scope="col">"before"</th>
                        {Kind::ALL.map(|kind| view! { <th scope="col">{format!("after, {}", kind.short())}</th> })}
                        <th scope="col">"the target’s"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">"together"</th>
                        <td></td>
                        {Kind::ALL.map(|kind| view! { <td class="num-left">{move || score(kind)}</td> })}
                        <td></td>
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}

fn relation_cell(trial: &Trial, outcome: Option<&Arc<Outcome>>) -> impl IntoView + use<> {
    let said = outcome.and_then(|outcome| {
        let top = outcome.after.first()?;
        let verdict = outcome.verdict(trial);
        let sign = verdict.label().chars().next().unwrap_or(' ').to_string();
        let (word, prob) = (top.word.clone(), percent(top.prob));
        Some(view! {
            <span class="swap-sign" aria-hidden="true">{sign}</span>
            " "
            <strong>{word}</strong>
            " "
            <span class="num swap-soft">{prob}</span>
            <span class="visually-hidden">{verdict.label()}</span>
        })
    });
    let id = outcome.map(|outcome| outcome.verdict(trial).id());
    view! { <td data-verdict=id>{said}</td> }
}
