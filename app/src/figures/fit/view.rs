//! The figure: where its parts stand.

use super::charts::{Charts, QualityTable};
use super::controls::{Controls, Progress};
use super::link::{from_link, to_link};
use super::matrices::Matrices;
use super::measure::{duration, mean};
use super::settings::Settings;
use super::signals::Figure;
use super::state::{Phase, lesson};
use super::wire::now;
use crate::client::Client;
use crate::figures::parts::{Arrival, Provenance};
use crate::figures::place::{follow_address, keep_in_address, mark_ready};
use leptos::prelude::*;

/// Figure 9.
#[component]
pub fn FitFigure(client: Client) -> impl IntoView {
    let figure = Figure::new(client);
    mark_ready("fit");
    keep_in_address("fit", move || {
        let first = Settings::default();
        figure
            .settings
            .with(|now| (*now != first).then(|| to_link(now)))
    });
    follow_address("fit", from_link, move |linked| {
        figure.settings.try_set(linked.unwrap_or_default());
    });
    let spoken = Memo::new(move |_| phase_text(figure));
    view! {
        <div class="fit stack" data-phase=move || phase_name(&figure.phase())>
            <Controls figure />
            <Arrival client />
            <Progress figure />
            <p class="visually-hidden" role="status">{spoken}</p>
            <Matrices figure />
            <Charts figure />
            <p class="summary-line">{move || verdict(figure)}</p>
            <QualityTable figure />
            <Show when=move || figure.run.with(|run| !run.log.is_empty())>
                <Provenance client />
            </Show>
        </div>
    }
}

fn phase_name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Idle => "idle",
        Phase::Running => "running",
        Phase::Paused => "paused",
        Phase::Stopped => "stopped",
        Phase::Done => "done",
        Phase::Opened => "opened",
        Phase::Failed(_) => "failed",
    }
}

/// Said when the phase changes, not with every sentence.
fn phase_text(figure: Figure) -> String {
    let prompts = figure.run.with(|run| {
        if run.is_open() {
            run.of
        } else {
            run.made_of[0]
        }
    });
    match figure.phase() {
        Phase::Idle => String::new(),
        Phase::Running => format!("Fitting a lens on {prompts} sentences."),
        Phase::Paused => "Paused.".to_owned(),
        Phase::Stopped => format!("Stopped with {prompts} sentences in the lens."),
        Phase::Done => {
            let spent = figure.run.with(|run| run.clock.spent(now()));
            format!("Done: {prompts} sentences in {}.", duration(spent))
        }
        Phase::Opened => format!("Opened a saved lens of {prompts} sentences."),
        Phase::Failed(message) => format!("The fit has failed: {message}"),
    }
}

/// What the numbers say, from the numbers.
fn verdict(figure: Figure) -> impl IntoView {
    let ends = figure.run.with(|run| {
        let (first, last) = run.compared_ends()?;
        let cosine =
            |quality: &super::state::Quality| quality.comparison.as_ref().map(|c| mean(&c.cosines));
        Some((first.prompts, cosine(first)?, last.prompts, cosine(last)?))
    });
    let difference = figure.fitted.with(Settings::difference);
    ends.map(|(n, first, m, last)| {
        let sentences = |n: u32| if n == 1 { "one sentence".to_owned() } else { format!("{n} sentences") };
        let live = |value: f32| view! { <span class="live">{format!("{value:.3}")}</span> };
        let start = view! { "After " {sentences(n)} " the mean cosine with the shipped lens over all layers is " {live(first)} };
        let end = (m > n).then(|| view! { ", after " {sentences(m)} " " {live(last)} });
        let why = match difference.is_empty() {
            true => view! {
                ". " {lesson(n, first, last)} " For large models the paper found about "
                <span class="paper">"100 prompts"</span> " usable."
            }.into_any(),
            false => format!(". The shipped lens was fitted without {difference}, so this number also measures what that changes.").into_any(),
        };
        view! { {start} {end} {why} }
    })
}
