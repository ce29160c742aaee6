//! The second line of a couplet, before and after.

use super::catalogue::{Trial, spoken};
use super::said::{Mark, Side, mark};
use super::settings::{Kind, Lab};
use super::state::Outcome;
use super::wire::Swap;
use leptos::prelude::*;
use std::sync::Arc;

/// Line 1, and line 2 as the model writes it, four times.
#[component]
pub fn Lines(swap: Swap) -> impl IntoView {
    let first_line = move || {
        swap.trials.with(|trials| {
            trials
                .first()
                .map(|trial| spoken(&trial.prompt).trim_end_matches(" /").to_owned())
        })
    };
    view! {
        <p class="swap-verse"><span class="swap-label">"line 1"</span> " " {first_line}</p>
        <div class="swap-panels swap-lines">
            <SecondLine swap=swap kind=None />
            {Kind::ALL.map(|kind| view! { <SecondLine swap=swap kind=Some(kind) /> })}
        </div>
        <p class="swap-legend">
            <mark data-word="rhyme" data-side="source">"rhyme word"</mark>
            " "
            <mark data-word="early" data-side="source">"goes with it"</mark>
            " · after the swap "
            <mark data-word="rhyme" data-side="target">"new rhyme word"</mark>
            " "
            <mark data-word="early" data-side="target">"goes with the new one"</mark>
        </p>
    }
}

#[component]
fn SecondLine(swap: Swap, kind: Option<Kind>) -> impl IntoView {
    let content = move || {
        let trial = swap.trials.with(|trials| trials.first().cloned())?;
        let outcome = swap
            .outcomes
            .with(|outcomes| outcomes.get(0, kind.unwrap_or(Kind::Jacobian)).cloned())?;
        let lab = swap.settings.with(|s| s.now().lab().clone());
        Some(second_line(kind, &trial, &outcome, &lab))
    };
    let title = kind.map_or("Before".to_owned(), |kind| {
        format!("After, {}", kind.short())
    });
    view! {
        <div class="panel" data-lens=kind.map(Kind::id)>
            <h4 class="panel-title">{title}</h4>
            {content}
        </div>
    }
}

fn second_line(
    kind: Option<Kind>,
    trial: &Trial,
    outcome: &Arc<Outcome>,
    lab: &Lab,
) -> impl IntoView + use<> {
    let line = if kind.is_some() {
        &outcome.line_after
    } else {
        &outcome.line_before
    };
    let words = line.iter().map(|word| marked(word, lab)).collect_view();
    let verdict = kind.map(|_| outcome.verdict(trial)).map(|verdict| {
        view! { <p class="swap-verdict" data-verdict=verdict.id()>{verdict.label()}</p> }
    });
    view! {
        <p class="swap-verse" data-line=line.join(" ")>{words}</p>
        {verdict}
    }
}

fn marked(word: &str, lab: &Lab) -> AnyView {
    let side = |side: Side| match side {
        Side::Source => "source",
        Side::Target => "target",
    };
    let word_text = word.to_owned();
    match mark(word, lab) {
        Mark::Plain => view! { {word_text} " " }.into_any(),
        Mark::Rhyme(s) => {
            view! { <mark data-word="rhyme" data-side=side(s)>{word_text}</mark> " " }.into_any()
        }
        Mark::Early(s) => {
            view! { <mark data-word="early" data-side=side(s)>{word_text}</mark> " " }.into_any()
        }
    }
}
