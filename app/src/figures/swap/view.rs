//! The figure: where its parts stand.

use super::answers::{Recall, Relations};
use super::couplets::Lines;
use super::inside::InsidePanel;
use super::said::summary;
use super::settings::{Kind, Task};
use super::sweep_panel::Sweep;
use super::tally::TallyPanel;
use super::tools::{Intervention, PromptTools};
use super::wire::Swap;
use crate::client::Client;
use crate::figures::parts::{Arrival, Provenance, Trouble};
use crate::figures::place::mark_ready;
use crate::figures::text::percent;
use leptos::prelude::*;

/// Figure 17.
#[component]
pub fn SwapFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let swap = Swap::new(client);
    swap.connect();
    let task = swap.get(|s| s.task);
    // Once live, always live: a new prompt has no outcome yet. A link may ask for what cannot be run; then the tools must be
    // there all the same, to mend it.
    let ready = Memo::new(move |before: Option<&bool>| {
        let stuck = swap.stuck();
        let outcome = swap.outcomes.with(|o| o.get(0, Kind::Jacobian).is_some());
        before == Some(&true) || stuck || outcome
    });
    // What has only failed so far keeps its still.
    let live = Memo::new(move |before: Option<&bool>| {
        before == Some(&true) || ready.get() || swap.trouble.with(Option::is_some)
    });
    Effect::new(move |_| {
        if ready.get() {
            mark_ready("swap");
        }
    });
    view! {
        {move || view! { <Arrival client=swap.client() /> }}
        <Trouble message=swap.trouble on_retry=move |()| swap.retry() />
        <Show when=move || live.get()>
            <PromptTools swap=swap />
            {move || swap.stuck().then(|| view! {
                <p class="status status-warn" role="status">"Choose a prompt and two words that the model knows."</p>
            })}
            <Intervention swap=swap />
            {move || match task.get() {
                Task::Recall | Task::Languages => view! { <Recall swap=swap /> }.into_any(),
                Task::Flexible => view! { <Relations swap=swap /> }.into_any(),
                Task::Couplets => view! { <Lines swap=swap /> }.into_any(),
            }}
            <Summary swap=swap />
            <div class="figure-cols">
                <InsidePanel swap=swap />
                <TallyPanel swap=swap />
            </div>
            <Sweep swap=swap />
            <DataTable swap=swap />
            {move || view! { <Provenance client=swap.client() what="all numbers not marked as stored" /> }}
        </Show>
    }
}

/// What came of it, in a sentence, once everything is there.
#[component]
fn Summary(swap: Swap) -> impl IntoView {
    let text = Memo::new(move |_| {
        swap.settings.with(|s| {
            let settings = s.now();
            swap.trials.with(|trials| {
                swap.outcomes
                    .with(|o| summary(settings.task, settings.lab(), trials, o))
            })
        })
    });
    view! { <p class="summary-line" role="status">{text}</p> }
}

/// All outcomes as a plain table.
#[component]
fn DataTable(swap: Swap) -> impl IntoView {
    let rows = move || {
        let trials = swap.trials.get();
        let outcomes = swap.outcomes.get();
        let row = |(i, kind): (usize, Kind)| {
            let (trial, outcome) = (&trials[i], outcomes.get(i, kind)?);
            let said = |rows: &[crate::figures::parts::Row], line: &[String]| match rows.first() {
                _ if !line.is_empty() => line.join(" "),
                Some(row) => format!("{} ({})", row.word, percent(row.prob)),
                None => String::new(),
            };
            let (before, after) = (
                said(&outcome.before, &outcome.line_before),
                said(&outcome.after, &outcome.line_after),
            );
            let verdict = outcome.verdict(trial).label();
            Some(view! {
                <tr>
                    <th scope="row">{trial.asks}</th>
                    <td>{kind.name()}</td>
                    <td>{before}</td>
                    <td>{after}</td>
                    <td>{trial.wanted}</td>
                    <td>{verdict}</td>
                </tr>
            })
        };
        let all = (0..trials.len()).flat_map(|i| Kind::ALL.map(|kind| (i, kind)));
        all.filter_map(row).collect_view()
    };
    view! {
        <details class="figure-data">
            <summary>"Data table: all outcomes"</summary>
            <div class="table-scroll" tabindex="0" role="region" aria-label="Outcomes of the swap">
                <table class="data">
                    <caption>"What the model says before and after, by kind of direction"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"asked"</th>
                            <th scope="col">"directions"</th>
                            <th scope="col">"before"</th>
                            <th scope="col">"after"</th>
                            <th scope="col">"the target’s"</th>
                            <th scope="col">"outcome"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}
