//! The count over the held-out set.

use super::counts::{Order, Progress, Tally, result};
use super::kept::kept;
use super::settings::Kind;
use super::wire::Swap;
use crate::controls::Button;
use crate::figures::parts::whisker;
use crate::figures::stored::{Stored, stored};
use crate::figures::text::percent;
use engine::protocol::Count;
use leptos::prelude::*;

/// Other animals or countries that each stored question is tried with.
const TRIES: u32 = 4;

/// Asked for by a button: successes for the three kinds of direction, with their intervals.
#[component]
pub fn TallyPanel(swap: Swap) -> impl IntoView {
    let running = Memo::new(move |_| swap.tally.with(|t| t.as_ref().is_some_and(Tally::running)));
    let progress = move || {
        running.get().then(|| {
            let share = swap.tally.with(|t| t.as_ref().map_or(0.0, Tally::share));
            let text = format!("Counting, {}", percent(share as f32));
            view! { <label class="progress-line"><span>{text}</span><progress max="1" value=share.to_string()></progress></label> }
        })
    };
    let said = move || {
        swap.tally
            .with(|t| t.as_ref().filter(|t| !t.running()).map(Tally::summary))
    };
    // What the button would count; once it has been pressed, the table's caption says what was counted.
    let plan = move || {
        let plan = swap.settings.with(|s| Tally::plan(s.now()));
        format!("The button counts {}; {}.", plan.set, plan.how)
    };
    // One button that changes, not two that change places: it keeps the focus.
    let says = move || match running.get() {
        true => "Stop counting".to_owned(),
        false => "Count over the held-out set".to_owned(),
    };
    let kind = move || if running.get() { "" } else { "btn-primary" };
    let press = move |()| match running.get_untracked() {
        true => swap.stop_counting(),
        false => swap.count(),
    };
    view! {
        <div class="panel stack">
            <h4 class="panel-title">"Not one example, all of them"</h4>
            <p class="panel-note">{plan}</p>
            <div><Button label=Signal::derive(says) kind=Signal::derive(kind) on_press=press /></div>
            {progress}
            {move || swap.tally.get().map(|tally| table(&tally))}
            {move || swap.tally.with(Option::is_none).then(|| swap.settings.with(|s| kept(s.now(), stored))).flatten().map(kept_table)}
            <p class="visually-hidden" role="status">{said}</p>
        </div>
    }
}

fn table(tally: &Tally) -> impl IntoView + use<> {
    let mut measures: Vec<&'static str> =
        tally.lines.iter().map(|(order, _)| order.measure).collect();
    measures.dedup();
    let caption = format!(
        "Counted: {}; {}. The 95 % intervals count prompts, not trials.",
        tally.set, tally.how
    );
    let heads = measures
        .iter()
        .map(|measure| view! { <th scope="col">{*measure}</th> })
        .collect_view();
    let rows = Kind::ALL.map(|kind| {
        let cells = tally
            .lines
            .iter()
            .filter(|(order, _)| order.kind == kind)
            .map(cell)
            .collect_view();
        view! { <tr data-vectors=kind.id()><th scope="row">{kind.name()}</th>{cells}</tr> }
    });
    view! {
        <table class="data swap-tally">
            <caption>{caption}</caption>
            <thead><tr><th scope="col">"directions"</th>{heads}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn cell((_, progress): &(Order, Progress)) -> AnyView {
    match progress {
        Progress::Waiting => view! { <td>"…"</td> }.into_any(),
        Progress::Running(done, of) => {
            view! { <td class="num-left">{format!("{done} of {of} tried")}</td> }.into_any()
        }
        Progress::Stopped => view! { <td>"stopped"</td> }.into_any(),
        Progress::Failed(message) => view! { <td role="alert">{message.clone()}</td> }.into_any(),
        Progress::Done(count) => {
            view! { <td data-hits=count.hits data-n=count.n>{counted(count)}</td> }.into_any()
        }
    }
}

/// The number, and its interval as text and as a whisker.
fn counted(count: &Count) -> impl IntoView + use<> {
    let share = count.hits as f32 / count.n.max(1) as f32;
    let interval = format!("({} to {})", percent(count.low), percent(count.high));
    view! {
        <span class="live">{result(count)}</span>
        " "
        <span class="swap-soft">{interval}</span>
        {whisker(share, Some([count.low, count.high]))}
    }
}

/// What the report has counted for these settings, before the reader counts.
fn kept_table(found: [Stored; 3]) -> impl IntoView {
    let row = |(kind, stored): (Kind, Stored)| {
        let [low, high] = stored.bounds(TRIES);
        let count = Count {
            hits: stored.hits(),
            n: stored.n,
            low,
            high,
        };
        view! { <tr data-vectors=kind.id()><th scope="row">{kind.name()}</th><td>{counted(&count)}</td></tr> }
    };
    let rows = Kind::ALL.into_iter().zip(found).map(row).collect_view();
    view! {
        <table class="data swap-tally">
            <caption>"As stored with this page. The 95 % intervals count prompts, not trials."</caption>
            <thead><tr><th scope="col">"directions"</th><th scope="col">"the target’s answer"</th></tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
}
