//! The counts, one line for each piece: large models, ours as stored, and ours in this tab once it is asked for. On a narrow screen
//! each line becomes a block; roles keep it a table for those who hear it.

use super::signals::Here;
use super::state::{Piece, result, same};
use crate::figures::job::Job;
use crate::figures::parts::whisker;
use crate::figures::stored::{Stored, stored};
use engine::protocol::Count;
use leptos::prelude::*;

/// Heads of the columns; a narrow screen repeats them in each block.
const HEADS: [&str; 3] = [
    "large models (paper)",
    "our model, as stored",
    "our model, counted here",
];

/// The table.
#[component]
pub fn Table(k: Signal<usize>, here: Here, job: Job) -> impl IntoView {
    let counted = move || here.with(|all| all.get(&k.get()).cloned());
    let asked = Memo::new(move |_| here.with(|all| all.contains_key(&k.get())) || job.running());
    let heads = move || {
        let count = if asked.get() { 3 } else { 2 };
        let head = |text: &'static str| view! { <th scope="col" role="columnheader">{text}</th> };
        HEADS.into_iter().take(count).map(head).collect_view()
    };
    let rows = move || {
        let (k, counted) = (k.get(), counted());
        let row = |piece: Piece| {
            let count = counted.as_ref().map(|c| piece.count(c));
            row(piece, k, count, asked.get())
        };
        Piece::ALL.map(row).collect_view()
    };
    view! {
        <table class="data causal-table" role="table">
            <caption>"How often the model then gives the other animal’s answer"</caption>
            <thead role="rowgroup">
                <tr role="row"><th scope="col" role="columnheader">"exchanged"</th>{heads}</tr>
            </thead>
            <tbody role="rowgroup">{rows}</tbody>
        </table>
        <p class="panel-note">"Whiskers: 95 % intervals. Each question is tried with two other animals, so they count questions, not trials."</p>
    }
}

fn row(piece: Piece, k: usize, counted: Option<Count>, asked: bool) -> impl IntoView {
    let kept = stored(&piece.row(k));
    let here = asked.then(|| match counted {
        Some(count) => view! {
            <td role="cell" data-label=HEADS[2] data-hits=count.hits data-n=count.n>{counted_share(count, kept)}</td>
        }
        .into_any(),
        None => view! { <td role="cell" data-label=HEADS[2]>"…"</td> }.into_any(),
    });
    view! {
        <tr role="row" data-piece=piece.id()>
            <th scope="row" role="rowheader">{piece.name(k)}</th>
            <td role="cell" data-label=HEADS[0]>{paper(piece)}</td>
            {kept.map(|s| view! { <td role="cell" data-label=HEADS[1] data-hits=s.hits() data-n=s.n>{stored_share(s)}</td> })}
            {here}
        </tr>
    }
}

fn paper(piece: Piece) -> AnyView {
    match piece.paper() {
        Some(hundredths) => view! {
            <span class="paper">{format!("{hundredths}\u{202f}%")}</span>
            {whisker(f32::from(hundredths) / 100.0, None)}
        }
        .into_any(),
        None => view! { <span aria-hidden="true">"–"</span><span class="visually-hidden">"not given"</span> }.into_any(),
    }
}

/// Each question is tried with two other animals.
fn stored_share(stored: Stored) -> impl IntoView {
    view! {
        <span class="live">{result(stored.hits(), stored.n)}</span>
        {whisker(stored.value as f32, Some(stored.bounds(2)))}
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
                "another count than stored; rounding may be why",
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
