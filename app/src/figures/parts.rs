//! Pieces of markup that figures share: trouble, loading, ranked words, whose numbers these are.

use super::text::{parameters, percent};
use crate::client::{Client, Status};
use crate::controls::{Button, WordField, hand_to_figure};
use engine::protocol::Ranked;
use leptos::prelude::*;

/// One row of a ranked list, ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The word.
    pub word: String,
    /// Rank, from 1.
    pub rank: u32,
    /// Probability.
    pub prob: f32,
    /// Marked as the word that the reader follows.
    pub tracked: bool,
}

/// A row of a list.
pub fn ranked_row(ranked: &Ranked, tracked: bool, word: impl Fn(u32) -> String) -> Row {
    Row {
        word: word(ranked.word),
        rank: ranked.rank + 1,
        prob: ranked.prob,
        tracked,
    }
}

/// A table of ranked words with bars; `lens` and `layer` become its `data-` attributes.
#[component]
pub fn Readout(
    /// What it lists.
    #[prop(into)]
    caption: Signal<String>,
    /// `logit`, `jacobian` or `output`.
    lens: &'static str,
    /// Layer, where there is one.
    #[prop(into)]
    layer: Signal<Option<usize>>,
    /// The rows, best first.
    #[prop(into)]
    rows: Signal<Vec<Row>>,
) -> impl IntoView {
    let body = move || rows.get().into_iter().map(readout_row).collect_view();
    view! {
        <table class="readout" data-lens=lens data-layer=move || layer.get().map(|layer| layer.to_string())>
            <caption>{caption}</caption>
            <thead>
                <tr>
                    <th scope="col">"rank"</th>
                    <th scope="col">"word"</th>
                    <th scope="col">"probability"</th>
                </tr>
            </thead>
            <tbody>{body}</tbody>
        </table>
    }
}

fn readout_row(row: Row) -> impl IntoView {
    view! {
        <tr
            data-word=row.word.clone()
            data-rank=row.rank.to_string()
            data-prob=format!("{:.4}", row.prob)
            data-tracked=row.tracked.then_some("true")
        >
            <td class="num">{row.rank}</td>
            <th scope="row">{row.word.clone()}</th>
            <td class="readout-bar">{bar(row.prob)} <span class="num">{percent(row.prob)}</span></td>
        </tr>
    }
}

/// A horizontal bar for a share of 1.
pub fn bar(share: f32) -> impl IntoView {
    view! {
        <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width=format!("{:.1}", 100.0 * share.clamp(0.0, 1.0)) height="8"></rect>
        </svg>
    }
}

/// A share of 1 as a bar; its 95 % interval, if there is one, as a whisker with a light edge, which shows on the bar and beside it.
pub fn whisker(share: f32, interval: Option<[f32; 2]>) -> impl IntoView {
    let line = interval.map(|bounds| {
        let [low, high] = bounds.map(|x| 100.0 * x.clamp(0.0, 1.0));
        let d = format!("M{low:.1} 5H{high:.1}M{low:.1} 3V7M{high:.1} 3V7");
        view! {
            <path class="whisker-edge" d=d.clone()></path>
            <path class="whisker-line" d=d></path>
        }
    });
    let width = format!("{:.1}", 100.0 * share.clamp(0.0, 1.0));
    view! {
        <svg class="whisker" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect class="whisker-ground" width="100" height="10"></rect>
            <rect class="whisker-share" width=width height="10"></rect>
            {line}
        </svg>
    }
}

/// What failed, with a way to try again; nothing while there is no trouble.
#[component]
pub fn Trouble(
    /// The message.
    #[prop(into)]
    message: Signal<Option<String>>,
    /// Tries again.
    #[prop(into)]
    on_retry: Callback<()>,
    /// Only seen: said elsewhere.
    #[prop(optional)]
    quiet: bool,
) -> impl IntoView {
    let role = (!quiet).then_some("alert");
    let retry = move |()| {
        hand_to_figure(".error-box");
        on_retry.run(());
    };
    move || {
        message.get().map(|message| {
            view! {
                <div class="error-box" role=role>
                    <p>{message}</p>
                    <Button label="Try again" on_press=retry />
                </div>
            }
        })
    }
}

/// Where the model stands while it is not there yet, or why it does not come; nothing once it works. Also the client's notices.
/// All figures show this, so it is only seen here; [`super::announce`] has it spoken, once.
#[component]
pub fn Arrival(
    /// Line to the worker.
    client: Client,
) -> impl IntoView {
    let failed = Signal::derive(move || match client.status() {
        Status::Failed(message) => Some(message),
        _ => None,
    });
    let loading = move || match client.status() {
        Status::Starting { received, total } => {
            let text = arrival_text(received, total);
            Some(view! { <p class="status">{text}</p> })
        }
        _ => None,
    };
    let notice = move || {
        client.notice().map(|text| {
            view! {
                <div class="figure-row">
                    <p class="status status-warn">{text}</p>
                    <Button label="Got it" on_press=move |()| client.dismiss_notice() />
                </div>
            }
        })
    };
    view! {
        {loading}
        <Trouble message=failed on_retry=move |()| client.retry() quiet=true />
        {notice}
    }
}

fn arrival_text(received: f64, total: Option<f64>) -> String {
    let mega = |bytes: f64| format!("{:.1}", bytes / 1e6);
    match total {
        _ if received <= 0.0 => "The model is on its way".to_owned(),
        Some(total) => format!(
            "Loading the model, {} of {} MB",
            mega(received),
            mega(total)
        ),
        None => format!("Loading the model, {} MB", mega(received)),
    }
}

/// Which model computed what the figure shows.
#[component]
pub fn Provenance(
    /// Line to the worker.
    client: Client,
    /// Which numbers these are.
    #[prop(default = "all numbers")]
    what: &'static str,
) -> impl IntoView {
    move || {
        client.model().map(|model| {
            let info = &model.info;
            let text = format!(
                "Computed in this tab by the model “{}”: {} numbers, weights {}",
                info.name,
                parameters(info.parameters),
                info.weights_hash
            );
            view! { <p class="panel-note"><span class="live">{what}</span> " " {text}</p> }
        })
    }
}

/// The model's words, for the browser to offer in word fields; `id` is what their `list` names.
#[component]
pub fn WordList(
    /// Line to the worker.
    client: Client,
    /// Id of the list, unique in the page.
    id: &'static str,
) -> impl IntoView {
    let words = move || {
        let model = client.model()?;
        Some(
            model
                .info
                .words
                .iter()
                .map(|word| view! { <option value=word.clone()></option> })
                .collect_view(),
        )
    };
    view! { <datalist id=id>{words}</datalist> }
}

/// A field for a word of the model, with the list of a [`WordList`].
#[component]
pub fn KnownWord(
    /// Line to the worker.
    client: Client,
    /// What the word is for.
    #[prop(into)]
    label: Signal<String>,
    /// The word in force.
    #[prop(into)]
    value: Signal<String>,
    /// Called with a known word.
    #[prop(into)]
    on_change: Callback<String>,
    /// Id of the field, unique in the page.
    id: &'static str,
    /// Id of the list of words.
    list: &'static str,
) -> impl IntoView {
    let model = move || untrack(move || client.model());
    let known = move |word: String| model().is_some_and(|model| model.id(&word).is_some());
    let suggest = move |word: String| {
        let words = model().map(|model| model.words(&word)).unwrap_or_default();
        let first = words.into_iter().next();
        first.map(|word| word.suggestions).unwrap_or_default()
    };
    view! {
        <WordField label=label value=value on_change=on_change known=known suggest=suggest id=id list=list />
    }
}

#[cfg(test)]
mod tests {
    use super::arrival_text;

    #[test]
    fn arrivals() {
        assert_eq!(arrival_text(0.0, None), "The model is on its way");
        assert_eq!(
            arrival_text(400_000.0, Some(1_700_000.0)),
            "Loading the model, 0.4 of 1.7 MB"
        );
        assert_eq!(arrival_text(400_000.0, None), "Loading the model, 0.4 MB");
    }
}
