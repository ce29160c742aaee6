//! What drawings of the plane have in common: arrows, names, spoken summaries, tables of measures.

use super::draw::arrow;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use std::time::Duration;

/// A drag is over when nothing has moved for so long.
const REST: Duration = Duration::from_millis(400);

/// Says what the figure shows, to those who do not see it, once it has come to rest.
#[component]
pub fn Spoken(
    /// What it shows.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let (said, waiting) = (
        RwSignal::new(String::new()),
        StoredValue::new(None::<TimeoutHandle>),
    );
    Effect::new(move |begun: Option<bool>| {
        let text = text.get();
        let begun = begun == Some(true);
        let begins = begun || !text.is_empty();
        if let Some(handle) = waiting.try_update_value(Option::take).flatten() {
            handle.clear();
        }
        // Nobody has asked for how a figure starts, or for its first sentence when that comes late.
        if begun {
            let say = move || {
                said.try_set(text);
            };
            waiting.set_value(set_timeout_with_handle(say, REST).ok());
        }
        begins
    });
    view! { <p class="visually-hidden" role="status">{said}</p> }
}

/// What the figure shows in a sentence. In sight it follows at once; it is spoken when the figure has come to rest, or a slider
/// would be talked over at every step.
#[component]
pub fn SummaryLine(
    /// The sentence; empty while there is none.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    view! {
        <p class="summary-line">{text}</p>
        <Spoken text=text />
    }
}

/// An arrow with a name at its tip; `open` draws its head open, a second cue beside colour.
#[component]
pub fn ArrowTo(
    /// Both ends in user units.
    #[prop(into)]
    ends: Signal<[[f64; 2]; 2]>,
    /// Idea whose colour it takes.
    idea: &'static str,
    /// Name at the tip.
    #[prop(into)]
    name: Signal<String>,
    /// Head drawn open.
    #[prop(optional)]
    open: bool,
    /// Drawn thin: something that explains, not something that is.
    #[prop(optional)]
    thin: bool,
) -> impl IntoView {
    let drawn = Memo::new(move |_| {
        let [from, to] = ends.get();
        arrow(from, to, open)
    });
    view! {
        <g class="plane-arrow" data-idea=idea data-thin=thin.to_string()>
            <path class="plot-arrow" d=move || drawn.with(|a| a.shaft.clone())></path>
            <path class="plot-arrow-head" data-open=open.to_string() d=move || drawn.with(|a| a.head.clone())></path>
            <text
                class="plot-label"
                data-idea=idea
                text-anchor=move || drawn.with(|a| a.anchor)
                dominant-baseline="middle"
                x=move || drawn.with(|a| format!("{:.1}", a.label[0]))
                y=move || drawn.with(|a| format!("{:.1}", a.label[1]))
            >
                {name}
            </text>
        </g>
    }
}

/// A name beside a place of a drawing.
#[component]
pub fn PlaceName(
    /// The place in user units; nothing is written while there is none.
    #[prop(into)]
    at: Signal<Option<[f64; 2]>>,
    /// The name.
    #[prop(into)]
    name: Signal<String>,
    /// How far from the place, right and down; to the left of it, the name ends there. Close to an edge of a drawing that is
    /// 400 wide it stands on the other side.
    #[prop(into, default = Signal::stored([-12.0, 22.0]))]
    by: Signal<[f64; 2]>,
) -> impl IntoView {
    let shift = move || at.get().map(|[x, _]| turned(x, by.get()[0]));
    let side = move || {
        let left = shift().is_some_and(|shift| shift < 0.0);
        if left { "end" } else { "start" }
    };
    let x = move || Some(format!("{:.1}", at.get()?[0] + shift()?));
    let y = move || Some(format!("{:.1}", at.get()?[1] + by.get()[1]));
    view! {
        <text class="plot-label" text-anchor=side x=x y=y visibility=move || shown(at.get().is_some())>
            {name}
        </text>
    }
}

/// A shift that leads away from the nearer edge of a drawing 400 wide.
fn turned(x: f64, shift: f64) -> f64 {
    match x {
        x if x > 320.0 => -shift.abs(),
        x if x < 80.0 => shift.abs(),
        _ => shift,
    }
}

/// Value of SVG's `visibility`.
#[must_use]
pub fn shown(visible: bool) -> &'static str {
    if visible { "visible" } else { "hidden" }
}

/// A measured number with its name, in a `<dl class="plane-measures">`; `id` becomes its `data-measure`.
#[component]
pub fn Measure(
    /// What is measured.
    #[prop(into)]
    name: Signal<String>,
    /// For tests and styles.
    id: &'static str,
    /// The number as text.
    #[prop(into)]
    value: Signal<String>,
) -> impl IntoView {
    view! {
        <dt>{name}</dt>
        <dd data-measure=id>{value}</dd>
    }
}

/// A line of a legend: a short sample of a path with these classes, and what it stands for.
#[component]
pub fn LegendLine(
    /// Class of the path.
    class: &'static str,
    /// Idea whose colour it takes.
    #[prop(default = "none")]
    idea: &'static str,
    /// What it stands for.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    view! {
        <li>
            <svg viewBox="0 0 34 10" aria-hidden="true"><path class=class data-idea=idea d="M1 5L33 5"></path></svg>
            {text}
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::turned;

    #[test]
    fn names_stay_inside() {
        assert_eq!(
            [
                turned(390.0, 16.0),
                turned(200.0, 16.0),
                turned(10.0, -16.0)
            ],
            [-16.0, 16.0, 16.0]
        );
    }
}
