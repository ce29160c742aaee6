//! The figure: stored counts at once, the same counts in this tab on request.

use super::signals::Here;
use super::state::{Chosen, Piece, SIZES, summary, taken};
use super::table::Table;
use crate::client::{Client, Command, Reply};
use crate::controls::{Button, Segmented};
use crate::figures::bench::Bench;
use crate::figures::job::{Job, JobBar};
use crate::figures::parts::whisker;
use crate::figures::stored::stored;
use crate::figures::text::percent;
use engine::protocol::CausalRequest;
use leptos::prelude::*;
use std::collections::BTreeMap;

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
                <div class="job-line">
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
                </div>
                <Table k=k here=here job=job />
                <Shares client=client k=k here=here />
                <Summary k=k here=here />
            }
        },
    )
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
fn Shares(client: Client, k: Signal<usize>, here: Here) -> impl IntoView {
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
        let words = client.model().map(|model| model.info.words.len());
        let named = |what| taken(k, words, what);
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
