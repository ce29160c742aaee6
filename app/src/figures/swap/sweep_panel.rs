//! The sweep over single layers as a panel: stored counts at once, the same counts in this tab on request.

use super::counts::result;
use super::settings::Task;
use super::sweep::{Counts, What, curves, kept, plan, summary};
use super::wire::Swap;
use crate::client::{Client, Command, Reply};
use crate::figures::chart::Axis;
use crate::figures::job::{Job, JobBar};
use crate::figures::lines::Curves;
use crate::figures::stored::stored;
use engine::protocol::SwapCountsRequest;
use leptos::prelude::*;
use smallworld::Family;
use std::collections::BTreeSet;

/// The panel; only for questions about animals, whose answers can be swapped as well.
#[component]
pub fn Sweep(
    /// The laboratory.
    swap: Swap,
) -> impl IntoView {
    let here = RwSignal::new(Counts::new());
    let job = Job::default();
    let of = swap.get(|s| (s.windowless, s.lab().filler));
    let shown = swap.get(|s| s.task == Task::Recall && s.lab().family == Family::Animals);
    // what was counted for another model or other questions says nothing about these
    Effect::new(move |before: Option<()>| {
        of.track();
        if before.is_some() {
            job.stop();
            here.set(Counts::new());
        }
    });
    let counts = Memo::new(move |_| {
        let here = here.get();
        if here.is_empty() && of.get() == (false, false) {
            return kept(stored);
        }
        here
    });
    let start = move |()| {
        here.set(Counts::new());
        let client = untrack(move || swap.client());
        let last = untrack(move || client.model()).map_or(7, |m| m.info.n_layers - 1);
        next(client, job, here, plan(last, of.get_untracked().1));
    };
    view! {
        <Show when=move || shown.get()>
            <div class="panel stack swap-sweep">
                <h4 class="panel-title">"One layer at a time"</h4>
                <p class="panel-note">
                    "All test questions about animals, lens vectors of all targets, clamped. Either the unspoken animal or the answer is swapped."
                </p>
                <JobBar job=job label="Count every layer in this tab" on_start=start />
                <div class="swap-sweep-cols">
                    <Chart counts=counts />
                    <div>
                        <Table counts=counts />
                        <Said counts=counts here=here />
                    </div>
                </div>
            </div>
        </Show>
    }
}

/// Makes the first of the counts, then the others.
fn next(
    client: Client,
    job: Job,
    here: RwSignal<Counts>,
    mut rest: Vec<((usize, What), SwapCountsRequest)>,
) {
    if rest.is_empty() {
        return;
    }
    let (at, request) = rest.remove(0);
    job.start(client, Command::SwapCounts(request), move |reply| {
        if let Reply::SwapCounts(count) = reply {
            here.try_update(|all| all.insert(at, count));
            next(client, job, here, rest.clone());
        }
    });
}

#[component]
fn Chart(counts: Memo<Counts>) -> impl IntoView {
    let axes = [
        Axis::linear("layer", [1.0, 7.0], 7),
        Axis::linear("share of trials", [0.0, 1.0], 6),
    ];
    view! {
        <div>
            <Curves
                label="Success of swaps in single layers; the numbers are in the table"
                axes=Signal::stored(axes)
                curves=Signal::derive(move || counts.with(curves))
            />
        </div>
    }
}

#[component]
fn Said(counts: Memo<Counts>, here: RwSignal<Counts>) -> impl IntoView {
    let text = Memo::new(move |_| counts.with(summary));
    let from = move || match (here.with(Counts::is_empty), counts.with(Counts::is_empty)) {
        (false, _) => "counted in this tab",
        (true, false) => "as stored with this page",
        (true, true) => "not counted yet",
    };
    view! {
        <p class="summary-line" role="status">{text}</p>
        <p class="panel-note"><span class="live">"numbers"</span> " " {from}</p>
    }
}

/// The counts; empty until there are some.
#[component]
fn Table(counts: Memo<Counts>) -> impl IntoView {
    let row = |counts: &Counts, layer: usize| {
        let cell = |what| {
            let count = counts.get(&(layer, what));
            view! { <td class="num">{count.map_or_else(|| "–".to_owned(), result)}</td> }
        };
        view! { <tr><th scope="row">{layer}</th>{What::BOTH.map(cell)}</tr> }
    };
    let rows = move || {
        counts.with(|counts| {
            let layers: BTreeSet<usize> = counts.keys().map(|(layer, _)| *layer).collect();
            layers
                .into_iter()
                .map(|layer| row(counts, layer))
                .collect_view()
        })
    };
    view! {
        <table class="data swap-sweep-table" hidden=move || counts.with(Counts::is_empty)>
            <caption>"Successes by layer"</caption>
            <thead>
                <tr>
                    <th scope="col">"layer"</th>
                    <th scope="col" class="num">"animal swapped"</th>
                    <th scope="col" class="num">"answer swapped"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}
