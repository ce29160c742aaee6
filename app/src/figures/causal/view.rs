//! The figure: stored counts at once, the same counts in this tab on request.

use super::state::{Chosen, Piece, SIZES, result, same, summary};
use crate::client::{Client, Command, Reply};
use crate::controls::{Button, Segmented};
use crate::figures::bench::Bench;
use crate::figures::job::{Job, JobBar};
use crate::figures::parts::whisker;
use crate::figures::stored::{Stored, stored};
use crate::figures::text::percent;
use engine::protocol::{Causal, CausalRequest, Count};
use leptos::prelude::*;
use std::collections::BTreeMap;

/// Results of this tab by k.
type Here = RwSignal<BTreeMap<usize, Causal>>;

/// Figure 14.
#[component]
pub fn CausalFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let bench = Bench::new(client, "causal", Chosen::default());
    let here: Here = RwSignal::new(BTreeMap::new());
    let job = Job::default();
    let k = bench.get(|s| s.k);
    let start = move |()| {
        let k = k.get_untracked();
        let command = Command::Causal(CausalRequest { k });
        job.start(client, command, move |reply| {
            if let Reply::Causal(causal) = reply {
                here.try_update(|all| all.insert(k, causal));
            }
        });
    };
    let choose = move |k: usize| {
        job.stop();
        bench.change("k", |s| s.k = k);
    };
    let reset = move |()| {
        job.stop();
        bench.settings.update(|s| s.reset());
    };
    bench.frame_of_stored(
        move || here.with(|all| all.contains_key(&k.get())),
        move || {
            view! {
                <div class="toolbar" role="group" aria-label="Size of the part">
                    <Segmented
                        legend="Lens vectors in the part, k"
                        name="causal-k"
                        options=SIZES.into_iter().zip(["1", "3", "10"]).collect()
                        value=k
                        on_change=choose
                    />
                    <Button label="Reset" on_press=reset />
                </div>
                <JobBar job=job label="Count again in this tab" on_start=start />
                <Table k=k here=here />
                <Shares k=k here=here />
                <Summary k=k here=here />
            }
        },
    )
}

#[component]
fn Table(k: Signal<usize>, here: Here) -> impl IntoView {
    let rows = move || {
        let k = k.get();
        let counted = here.with(|all| all.get(&k).cloned());
        Piece::ALL
            .map(|piece| row(piece, k, counted.as_ref().map(|c| piece.count(c))))
            .collect_view()
    };
    view! {
        <div class="table-scroll" tabindex="0" role="region" aria-label="Counts by what is exchanged">
            <table class="data causal-table">
                <caption>"Share of trials in which the model then gives the other animal’s answer; intervals count prompts"</caption>
                <thead>
                    <tr>
                        <th scope="col">"exchanged"</th>
                        <th scope="col">"large models (paper)"</th>
                        <th scope="col">"our model, as stored"</th>
                        <th scope="col">"our model, counted here"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

fn row(piece: Piece, k: usize, counted: Option<Count>) -> impl IntoView {
    let kept = stored(&piece.row(k));
    let paper = match piece.paper() {
        Some(share) => view! { <span class="paper">{share}</span> }.into_any(),
        None => view! { <span>"not given"</span> }.into_any(),
    };
    let kept_cell =
        kept.map(|s| view! { <td data-hits=s.hits() data-n=s.n>{stored_share(s)}</td> });
    let here_cell = match counted {
        Some(count) => {
            view! { <td data-hits=count.hits data-n=count.n>{counted_share(count, kept)}</td> }
                .into_any()
        }
        None => view! { <td>"on request"</td> }.into_any(),
    };
    view! {
        <tr data-piece=piece.id()>
            <th scope="row">{piece.name(k)}</th>
            <td>{paper}</td>
            {kept_cell}
            {here_cell}
        </tr>
    }
}

fn stored_share(stored: Stored) -> impl IntoView {
    let bounds = stored.interval.map(|b| b.map(|x| x as f32));
    view! {
        <span class="live">{result(stored.hits(), stored.n)}</span>
        {whisker(stored.value as f32, bounds)}
    }
}

fn counted_share(count: Count, kept: Option<Stored>) -> impl IntoView {
    let share = count.hits as f32 / count.n.max(1) as f32;
    let verdict = kept.map(|kept| {
        let equal = same(count, kept);
        let (class, text) = if equal {
            ("causal-same", "same count")
        } else {
            (
                "causal-other",
                "another count: this browser rounds differently",
            )
        };
        view! { <span class=class data-same=equal.to_string()>{text}</span> }
    });
    view! {
        <span class="live">{result(count.hits, count.n)}</span>
        {whisker(share, Some([count.low, count.high]))}
        {verdict}
    }
}

/// Variance of the concept vectors that the part holds, and what luck would.
fn shares(k: usize, here: Here) -> Option<[f64; 2]> {
    let counted = here.with(|all| {
        let found = all.get(&k)?;
        Some([f64::from(found.variance), f64::from(found.luck)])
    });
    let id = format!("jspace.k{k}.variance");
    let kept = || Some([stored(&id)?.value, stored(&format!("{id}#baseline"))?.value]);
    counted.or_else(kept)
}

#[component]
fn Shares(k: Signal<usize>, here: Here) -> impl IntoView {
    let rows = move || {
        let k = k.get();
        let [lens, luck] = shares(k, here)?;
        let row = |id: &'static str, name: String, share: f64| {
            view! {
                <tr data-share=id>
                    <th scope="row">{name}</th>
                    <td><span class="live">{percent(share as f32)}</span> {whisker(share as f32, None)}</td>
                </tr>
            }
        };
        let named = |what: &str| match k {
            1 => format!("the best of 794 {what}"),
            k => format!("the best {k} of 794 {what}"),
        };
        Some(view! {
            {row("lens", named("lens vectors"), lens)}
            {row("luck", named("random vectors"), luck)}
        })
    };
    view! {
        <table class="data causal-shares">
            <caption>"Share of a concept vector’s variance that the part holds"</caption>
            <thead><tr><th scope="col">"part"</th><th scope="col">"variance"</th></tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

#[component]
fn Summary(k: Signal<usize>, here: Here) -> impl IntoView {
    let text = Memo::new(move |_| {
        let k = k.get();
        let [variance, luck] = shares(k, here)?;
        let share = |piece: Piece| {
            let counted = here.with(|all| all.get(&k).map(|c| piece.count(c)));
            let counted = counted.map(|c| f64::from(c.hits) / f64::from(c.n.max(1)));
            counted.or_else(|| stored(&piece.row(k)).map(|s| s.value))
        };
        let (part, rest) = (share(Piece::Part)?, share(Piece::Rest)?);
        Some(summary(k, variance, luck, part, rest))
    });
    view! { <p class="summary-line" role="status">{text}</p> }
}
