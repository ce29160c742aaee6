//! The sum, term by term, as a table and as bars laid end to end.

use super::signals::Figure;
use super::state::Scene;
use crate::figures::numbers::{number, signed, small};
use crate::figures::plane::Measure;
use leptos::prelude::*;

/// Half width of the bars' axis in user units, with room for a number at both ends, and where zero lies.
const HALF: f64 = 105.0;
const ZERO: f64 = 240.0;
/// Height of one bar with its distance from the next.
const ROW: f64 = 32.0;

/// A bar from one change to another, in heights.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    from: f64,
    to: f64,
}

/// The bars: both terms laid end to end, their sum, and the exact change.
fn spans(scene: &Scene) -> [Span; 4] {
    let [a, _] = scene.terms;
    let span = |from, to| Span { from, to };
    [
        span(0.0, a),
        span(a, scene.linear),
        span(0.0, scene.linear),
        span(0.0, scene.exact),
    ]
}

/// Change at the end of the axis: the smallest of 0.01, 0.02, 0.05, 0.1 ... that holds all bars, so that the scale changes seldom.
fn reach(spans: &[Span; 4]) -> f64 {
    let far = spans
        .iter()
        .flat_map(|s| [s.from.abs(), s.to.abs()])
        .fold(0.0, f64::max);
    let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0];
    steps.into_iter().find(|step| *step >= far).unwrap_or(5.0)
}

/// The table of terms.
#[component]
pub fn Sum(figure: Figure) -> impl IntoView {
    let scene = figure.scene;
    let cell = move |pick: fn(&Scene) -> f64| move || signed(scene.with(pick));
    let text = move |pick: fn(&Scene) -> String| Signal::derive(move || scene.with(pick));
    view! {
        <div class="panel">
            <h4 class="panel-title">"Rate times nudge, coordinate by coordinate"</h4>
            <div class="table-scroll" tabindex="0" role="region" aria-label="The sum, term by term">
                <table class="data gradient-sum">
                    <thead>
                        <tr><th scope="col">"input"</th><th scope="col" class="num">"rate"</th><th scope="col" class="num">"nudge"</th><th scope="col" class="num">"rate × nudge"</th></tr>
                    </thead>
                    <tbody>
                        <tr>
                            <th scope="row">"first"</th>
                            <td class="num" data-idea="transport" data-measure="rate-1">{cell(|s| s.rates[0])}</td>
                            <td class="num" data-idea="token">{cell(|s| s.settings.nudge[0])}</td>
                            <td class="num" data-measure="term-1">{cell(|s| s.terms[0])}</td>
                        </tr>
                        <tr>
                            <th scope="row">"second"</th>
                            <td class="num" data-idea="transport" data-measure="rate-2">{cell(|s| s.rates[1])}</td>
                            <td class="num" data-idea="token">{cell(|s| s.settings.nudge[1])}</td>
                            <td class="num" data-measure="term-2">{cell(|s| s.terms[1])}</td>
                        </tr>
                        <tr>
                            <th scope="row" colspan="3">"sum: the linear forecast ∇f · ε"</th>
                            <td class="num" data-measure="linear"><strong>{cell(|s| s.linear)}</strong></td>
                        </tr>
                    </tbody>
                </table>
            </div>
            <h4 class="panel-title">"The two terms end to end, their sum, and the exact change"</h4>
            <Bars figure />
            <dl class="plane-measures">
                <Measure name="exact change f(p + ε) − f(p)" id="exact" value=text(|s| signed(s.exact)) />
                <Measure name="gap" id="gap" value=text(|s| small(s.gap())) />
                <Measure name="gap for half the nudge" id="gap-half" value=text(|s| small(s.gap_of_half)) />
                <Measure name="ratio of the two" id="ratio" value=text(|s| s.ratio().map_or_else(|| "none: no gap".to_owned(), |r| number(r, 2))) />
                <Measure name="angle between nudge and gradient" id="angle" value=text(|s| s.angle().map_or_else(|| "none".to_owned(), |a| format!("{}°", number(a, 0)))) />
            </dl>
            <p class="panel-note">{text(|s| s.verdict().to_owned())}</p>
        </div>
    }
}

/// Names and looks of the bars.
const BARS: [(&str, &str); 4] = [
    ("first", "transport"),
    ("second", "transport"),
    ("sum", "transport"),
    ("exact", "output"),
];

#[component]
fn Bars(figure: Figure) -> impl IntoView {
    let shown = Memo::new(move |_| {
        let spans = figure.scene.with(spans);
        (spans, reach(&spans))
    });
    let bar = move |index: usize| {
        let (name, idea) = BARS[index];
        let top = ROW * index as f64 + 8.0;
        let middle = (top + 10.0).to_string();
        let ends = move || {
            let (spans, reach) = shown.get();
            let Span { from, to } = spans[index];
            (
                [from, to].map(|change| ZERO + HALF * change / reach),
                to - from,
            )
        };
        let left = move || format!("{:.1}", ends().0[0].min(ends().0[1]));
        let width = move || format!("{:.1}", (ends().0[0] - ends().0[1]).abs().max(1.0));
        // The number stands beyond the end to which the bar grows.
        let forward = move || ends().1 >= 0.0;
        let beyond = move || format!("{:.1}", ends().0[1] + if forward() { 6.0 } else { -6.0 });
        let class = if index < 2 {
            "gradient-bar gradient-term"
        } else {
            "gradient-bar"
        };
        view! {
            <text x="4" y=middle.clone() dominant-baseline="middle">{name}</text>
            <rect class=class data-idea=idea x=left width=width y=top.to_string() height="20"></rect>
            <text class="plot-label" x=beyond y=middle dominant-baseline="middle" text-anchor=move || if forward() { "start" } else { "end" }>
                {move || signed(ends().1)}
            </text>
        }
    };
    let tick = move |side: f64| {
        let x = ZERO + HALF * side;
        let text = move || match (side, shown.get().1) {
            (0.0, _) => "0".to_owned(),
            (side, reach) => number(side * reach, if reach < 0.095 { 2 } else { 1 }),
        };
        view! {
            <path class="plane-axes" d=format!("M{x} 136v6")></path>
            <text x=x y="156" text-anchor="middle">{text}</text>
        }
    };
    let axis = format!("M{ZERO} 4V136M{} 136H{}", ZERO - HALF, ZERO + HALF);
    view! {
        <svg class="plot gradient-bars" viewBox="0 0 400 162" role="img" aria-label=move || figure.scene.with(Scene::summary)>
            <path class="plane-axes" d=axis></path>
            {[-1.0, 0.0, 1.0].map(tick)}
            {(0..4).map(bar).collect_view()}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::{MAPS, Settings};
    use super::*;

    #[test]
    fn bars_lie_end_to_end_within_the_axis() {
        for (map, ..) in MAPS {
            let scene = Scene::of(Settings::of(map));
            let bars = spans(&scene);
            assert_eq!((bars[0].to, bars[1].to), (bars[1].from, bars[2].to));
            let end = reach(&bars);
            assert!(
                bars.iter()
                    .all(|b| b.from.abs() <= end && b.to.abs() <= end),
                "{map:?}"
            );
        }
    }
}
