//! Choices, buttons, and how far the fit has come.

use super::measure::duration;
use super::settings::{MOST_PROMPTS, Settings};
use super::signals::Figure;
use super::state::Phase;
use super::wire;
use crate::client::Status;
use crate::controls::{Button, Check, NumberField, Segmented, Select};
use crate::figures::text::target_options;
use leptos::prelude::*;
use web_sys::HtmlInputElement;

/// All controls.
#[component]
pub fn Controls(figure: Figure) -> impl IntoView {
    let of = move |pick: fn(&Settings) -> bool| Signal::derive(move || figure.settings.with(pick));
    let set = move |change: fn(&mut Settings, bool)| {
        Callback::new(move |value| figure.settings.update(|s| change(s, value)))
    };
    let busy = Signal::derive(move || figure.run.with(|run| run.is_open()));
    let penultimate = vec![(false, "final"), (true, "last but one")];
    let reduction = vec![(false, "mean"), (true, "median")];
    let layers = move || {
        let name = |l: usize| {
            (
                l,
                if l == 0 {
                    "0, embedding".to_owned()
                } else {
                    l.to_string()
                },
            )
        };
        (0..figure.blocks()).map(name).collect::<Vec<_>>()
    };
    // A link that chooses something rare shows what it chooses.
    let rare = figure.settings.with_untracked(|s| {
        let first = Settings::default();
        (s.targets, s.penultimate, s.median, s.frozen, s.workers)
            != (
                first.targets,
                first.penultimate,
                first.median,
                first.frozen,
                first.workers,
            )
    });
    view! {
        <div class="toolbar" role="group" aria-label="The fit">
            <NumberField
                label="Sentences"
                value=Signal::derive(move || f64::from(figure.settings.with(|s| s.prompts)))
                on_change=Callback::new(move |n: f64| figure.settings.update(|s| s.prompts = n.round() as u32))
                min=1.0
                max=f64::from(MOST_PROMPTS)
                step=1.0
                decimals=0
            />
            <Select
                label="Layer drawn"
                options=Signal::derive(layers)
                value=Signal::derive(move || figure.layer())
                on_change=Callback::new(move |layer| figure.settings.update(|s| s.layer = layer))
            />
            <Buttons figure />
        </div>
        <FileStatus figure />
        <details class="fit-options" open=rare>
            <summary>"More options: what is averaged, and how"</summary>
            <div class="toolbar" role="group" aria-label="What is fitted">
                <Segmented
                    legend="Jacobian lens looks at"
                    name="fit-targets"
                    options=target_options()
                    value=Signal::derive(move || figure.settings.with(|s| s.targets))
                    on_change=Callback::new(move |targets| figure.settings.update(|s| s.targets = targets))
                    disabled=busy
                />
                <Segmented legend="Target layer" name="fit-target-layer" options=penultimate value=of(|s| s.penultimate) on_change=set(|s, v| s.penultimate = v) disabled=busy />
                <Segmented legend="Over sentences" name="fit-reduction" options=reduction value=of(|s| s.median) on_change=set(|s, v| s.median = v) disabled=busy />
                <Select
                    label="Workers"
                    options=Signal::stored(worker_options())
                    value=Signal::derive(move || figure.settings.with(|s| s.workers))
                    on_change=Callback::new(move |n| figure.settings.update(|s| s.workers = n))
                    disabled=busy
                />
                <Check label="Attention frozen" value=of(|s| s.frozen) on_change=set(|s, v| s.frozen = v) disabled=busy />
            </div>
            <p class="panel-note">
                "Over sentences: each entry of the lens is the mean, or the median, of that entry over all sentences. Attention frozen: a nudge may not change where a token looks, only what it finds there. Workers compute sentences side by side; how many of them changes the time and nothing else."
            </p>
        </details>
    }
}

fn worker_options() -> Vec<(usize, String)> {
    std::iter::once((0, "one per processor".to_owned()))
        .chain([1, 2, 4, 8].map(|n| (n, n.to_string())))
        .collect()
}

/// Start, pause, stop, save, open.
#[component]
fn Buttons(figure: Figure) -> impl IntoView {
    let ready = move || figure.client.status() == Status::Ready;
    let open = move || figure.run.with(|run| run.is_open());
    let start_label = Signal::derive(move || match figure.phase() {
        Phase::Idle => "Fit the lens".to_owned(),
        _ => "Fit again".to_owned(),
    });
    let pause_label = Signal::derive(move || {
        if figure.phase() == Phase::Paused {
            "Go on"
        } else {
            "Pause"
        }
        .to_owned()
    });
    let savable = move || {
        figure
            .run
            .with(|run| run.layers.is_some() && run.phase != Phase::Opened)
    };
    let chosen = move |event: leptos::ev::Event| {
        let input: HtmlInputElement = event_target(&event);
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            wire::open(figure, file.into());
        }
        // The same file can be chosen again.
        input.set_value("");
    };
    view! {
        <Button label=start_label kind="btn-primary" on_press=Callback::new(move |()| wire::start(figure)) disabled=Signal::derive(move || open() || !ready()) />
        <Button label=pause_label on_press=Callback::new(move |()| wire::pause(figure, figure.phase() == Phase::Running)) disabled=Signal::derive(move || !open()) />
        <Button label="Stop" on_press=Callback::new(move |()| wire::stop(figure)) disabled=Signal::derive(move || !open()) />
        <Button label="Save the lens" on_press=Callback::new(move |()| wire::save(figure)) disabled=Signal::derive(move || !savable()) />
        <label class="btn fit-open">
            "Open a saved lens"
            <input type="file" accept=".safetensors" on:change=chosen disabled=move || !ready() />
        </label>
    }
}

#[component]
fn FileStatus(figure: Figure) -> impl IntoView {
    move || {
        figure.file.get().map(|outcome| match outcome {
            Ok(text) => view! { <p class="status status-good" role="status">{text}</p> }.into_any(),
            Err(text) => view! { <p class="status status-bad" role="alert">{text}</p> }.into_any(),
        })
    }
}

/// How far the fit has come, and what went wrong.
#[component]
pub fn Progress(figure: Figure) -> impl IntoView {
    let (finished, of) = (
        move || figure.run.with(|run| run.done + run.skipped),
        move || figure.run.with(|run| run.of.max(1)),
    );
    let text = move || {
        figure.run.with(|run| {
            let skipped = if run.skipped > 0 {
                format!(", {} skipped", run.skipped)
            } else {
                String::new()
            };
            format!("Sentence {} of {}{skipped}", run.done + run.skipped, run.of)
        })
    };
    let time = move || {
        figure.run.with(|run| {
            let now = wire::now();
            match (&run.phase, run.time_left(now)) {
                (Phase::Running, Some(left)) => format!("about {} left", duration(left)),
                (Phase::Running, None) => "first sentence".to_owned(),
                (Phase::Paused, _) => "paused".to_owned(),
                (Phase::Done | Phase::Stopped, _) => {
                    format!("{} in all", duration(run.clock.spent(now)))
                }
                _ => String::new(),
            }
        })
    };
    let workers = move || {
        figure.run.track();
        let count = figure
            .pool
            .get_value()
            .map_or(0, crate::client::Pool::workers);
        (count > 0).then(|| format!(", {count} worker{}", if count == 1 { "" } else { "s" }))
    };
    let failed = move || match figure.phase() {
        Phase::Failed(message) => {
            Some(view! { <p class="status status-bad" role="alert">{message}</p> })
        }
        _ => None,
    };
    let notice = move || {
        figure
            .run
            .with(|run| run.notice.clone())
            .map(|text| view! { <p class="status status-warn" role="status">{text}</p> })
    };
    view! {
        <div hidden=move || figure.phase() == Phase::Idle>
            <label class="progress-line">
                <span>{text} <span class="fit-time">" · " {time}{workers}</span></span>
                <progress value=finished max=of></progress>
            </label>
            {notice}
            {failed}
        </div>
    }
}
