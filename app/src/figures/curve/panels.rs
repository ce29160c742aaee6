//! The curve with its tangent, the same under the microscope, and the chart of the gap.

use super::signals::Figure;
use super::state::{EXTENT, HOME_WINDOW, Scene, TOP, home};
use crate::controls::{Frame, Handle};
use crate::figures::chart::{Axis, Backdrop};
use crate::figures::draw::{polyline, polylines};
use crate::figures::edges::Edges;
use crate::figures::numbers::{number, small};
use crate::figures::plane::{Measure, PlaceName, shown};
use crate::figures::unit::unit;
use geometry::Point;
use leptos::prelude::*;

/// The whole curve, 400 by 300 user units, equally scaled both ways.
const WHOLE: Frame = Frame {
    x: [-EXTENT, EXTENT],
    y: [-TOP, TOP],
    left: 0.0,
    top: 0.0,
    width: 400.0,
    height: 300.0,
};
/// Height at which the handle of the window stands.
const KNOB_LEVEL: f64 = -0.9 * TOP;

/// The curve, the point, its tangent, and the window of nudges.
#[component]
pub fn Plot(figure: Figure) -> impl IntoView {
    let Figure { settings, scene } = figure;
    let band = move |index: usize| {
        let s = settings.get();
        let at = |x: f64| WHOLE.to_svg([x, 0.0])[0];
        [at(s.x - s.window), at(s.x + s.window) - at(s.x - s.window)][index]
    };
    let at = Signal::derive(move || scene.with(|s| [s.settings.x, s.value]));
    let knob = Signal::derive(move || [settings.get().knob(), KNOB_LEVEL]);
    let axes = polylines(
        &WHOLE,
        &[
            vec![Point::new(-EXTENT, 0.0), Point::new(EXTENT, 0.0)],
            vec![Point::new(0.0, -TOP), Point::new(0.0, TOP)],
        ],
    );
    view! {
        <div>
            <h4 class="panel-title">"Drag x along the curve, and the window of nudges around it"</h4>
            <svg class="plot" viewBox="-34 0 436 324" role="group" aria-label="The curve f, the point x, and the tangent at x">
                <clipPath id="curve-window"><rect width="400" height="300"></rect></clipPath>
                <rect class="plot-frame" width="400" height="300"></rect>
                <g clip-path="url(#curve-window)">
                    <rect class="curve-band" x=move || band(0) y="0" width=move || band(1) height="300"></rect>
                    <path class="plane-axes" d=axes></path>
                    <path class="plane-true" d=move || scene.with(|s| polyline(&WHOLE, &s.curve(-EXTENT, EXTENT), false))></path>
                    <path class="plane-linear" d=move || scene.with(|s| polyline(&WHOLE, &s.tangent(-EXTENT, EXTENT), false))></path>
                    <path class="plane-gap" d=move || scene.with(|s| polylines(&WHOLE, &s.gap_marks()))></path>
                </g>
                <Edges frame=WHOLE names=["x", "f(x)"] />
                <PlaceName at=Signal::derive(move || Some(WHOLE.to_svg(at.get()))) name="x" by=[-14.0, -12.0] />
                <PlaceName at=Signal::derive(move || Some(WHOLE.to_svg(knob.get()))) name="window" by=[-20.0, 5.0] />
                <Handle
                    label="window of nudges"
                    at=knob
                    on_move=Callback::new(move |[x, _]: [f64; 2]| settings.update(|s| *s = s.from_knob(x)))
                    frame=WHOLE
                    home=Signal::derive(move || [settings.get().with_window(HOME_WINDOW).knob(), KNOB_LEVEL])
                    step=0.05
                    say=Callback::new(move |_| format!("{} to either side", number(settings.get().window, 3)))
                    idea="size"
                    hit_radius=32.0
                />
                <Handle
                    label="point x"
                    at
                    on_move=Callback::new(move |[x, _]: [f64; 2]| settings.update(|s| *s = s.at(x)))
                    frame=WHOLE
                    home=Signal::derive(move || [home(settings.get().curve), 0.0])
                    step=0.05
                    say=Callback::new(move |[x, y]: [f64; 2]| format!("x {}, f(x) {}", number(x, 3), number(y, 3)))
                    idea="none"
                    hit_radius=32.0
                />
            </svg>
        </div>
    }
}

/// Only the window, always equally large and equally scaled both ways: the curve turns into its tangent.
#[component]
pub fn Microscope(figure: Figure) -> impl IntoView {
    let scene = figure.scene;
    let frame = |s: &Scene| {
        let reach = 1.2 * s.settings.window;
        Frame {
            x: [s.settings.x - reach, s.settings.x + reach],
            y: [s.value - 0.75 * reach, s.value + 0.75 * reach],
            ..WHOLE
        }
    };
    let curve =
        move || scene.with(|s| polyline(&frame(s), &s.curve(frame(s).x[0], frame(s).x[1]), false));
    let tangent = move || {
        scene.with(|s| polyline(&frame(s), &s.tangent(frame(s).x[0], frame(s).x[1]), false))
    };
    let marks = move || scene.with(|s| polylines(&frame(s), &s.gap_marks()));
    let zoom = move || {
        let zoom = scene.with(|s| EXTENT / (1.2 * s.settings.window));
        format!(
            "magnified {}×",
            number(zoom, if zoom < 10.0 { 1 } else { 0 })
        )
    };
    // The window reaches over 1/1.2 of half the width, whatever its size.
    let ends = [-1.0, 0.0, 1.0].map(|side| {
        let x = 200.0 + side * 200.0 / 1.2;
        let text = move || {
            let window = number(scene.with(|s| s.settings.window), 3);
            match side {
                s if s < 0.0 => format!("x − {window}"),
                s if s > 0.0 => format!("x + {window}"),
                _ => "x".to_owned(),
            }
        };
        view! {
            <path class="plane-axes" d=format!("M{x:.1} 300v6")></path>
            <text x=format!("{x:.1}") y="318" text-anchor="middle">{text}</text>
        }
    });
    view! {
        <div>
            <h4 class="panel-title curve-title">"The window under the microscope" <span class="plane-zoom">{zoom}</span></h4>
            <svg class="plot curve-microscope" viewBox="-34 0 436 324" role="img" aria-label=move || scene.with(Scene::summary)>
                <rect class="curve-lens" width="400" height="300"></rect>
                <g clip-path="url(#curve-window)">
                    <path class="plane-true" d=curve></path>
                    <path class="plane-linear" d=tangent></path>
                    <path class="plane-gap" d=marks></path>
                </g>
                {ends}
                <circle class="plane-value" r="6" cx="200" cy="150"></circle>
            </svg>
        </div>
    }
}

/// The numbers, and gap against window on axes where each step is a factor.
#[component]
pub fn GapPanel(figure: Figure) -> impl IntoView {
    let scene = figure.scene;
    let text = move |pick: fn(&Scene) -> String| Signal::derive(move || scene.with(pick));
    view! {
        <div class="figure-cols curve-panels">
            <div class="panel">
                <h4 class="panel-title">"How wrong is the tangent?"</h4>
                <dl class="plane-measures">
                    <Measure name="f(x)" id="value" value=text(|s| number(s.value, 3)) />
                    <Measure name="slope f′(x)" id="derivative" value=text(|s| number(s.slope, 3)) />
                    <Measure name="gap with this window" id="gap" value=text(|s| small(s.gaps[0])) />
                    <Measure name="gap with half of it" id="gap-half" value=text(|s| small(s.gaps[1])) />
                    <Measure name="ratio of the two" id="ratio" value=text(|s| s.ratio().map_or_else(|| "none".to_owned(), |r| number(r, 2))) />
                    <Measure name="slope of the dots" id="slope" value=text(|s| s.chart_slope().map_or_else(|| "none".to_owned(), |r| number(r, 2))) />
                </dl>
                <p class="panel-note" data-said="verdict">{text(|s| s.verdict().to_owned())}</p>
                <p class="panel-note">"In the chart every dot has half the window of its neighbour; the ring is the window above. The grey line has slope 2: half the window, a quarter of the gap."</p>
                <p class="panel-note">"All numbers are computed from the curve's formula and its derivative's, while you drag."</p>
            </div>
            <Chart figure />
        </div>
    }
}

#[component]
fn Chart(figure: Figure) -> impl IntoView {
    let drawing = NodeRef::new();
    let unit = unit(drawing);
    let backdrop = Memo::new(move |_| {
        let axes = [
            Axis::log("window", [1e-5, 1.0], 5),
            Axis::log("gap", [1e-10, 1.0], 6),
        ];
        Backdrop::new(axes, [400, 240], unit.get())
    });
    let place = move |half: f64, gap: f64| backdrop.with(|b| b.place([half, gap]));
    let dots = move || {
        let dot = |[x, y]: [f64; 2]| format!("M{:.1} {y:.1}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", x - 4.0);
        figure.scene.with(|s| {
            let seen = s.ladder.gaps.iter().filter_map(|g| place(g.half, g.gap));
            seen.map(dot).collect::<String>()
        })
    };
    let now = move || figure.scene.with(|s| place(s.settings.window, s.gaps[0]));
    // Slope 2 through the middle of the chart, where everybody can compare.
    let guide = move || {
        let ends = backdrop.with(|b| [b.place([1e-5, 1e-10]), b.place([1.0, 1.0])]);
        match ends {
            [Some([ax, ay]), Some([bx, by])] => format!("M{ax:.1} {ay:.1}L{bx:.1} {by:.1}"),
            _ => String::new(),
        }
    };
    view! {
        <div class="panel">
            <h4 class="panel-title">"Gap against window, both axes by powers of ten"</h4>
            <svg node_ref=drawing class="plot chart" viewBox="0 0 400 240" role="img" aria-label="Gap against window on logarithmic axes; the numbers are in the data table">
                <g class="chart-axes" inner_html=move || backdrop.with(|b| b.svg.clone())></g>
                <path class="plot-line" data-style="ghost" d=guide></path>
                <path class="plane-dots" d=dots></path>
                <circle class="plane-now" r="8" cx=move || now().map(|[x, _]| x) cy=move || now().map(|[_, y]| y) visibility=move || shown(now().is_some())></circle>
            </svg>
        </div>
    }
}
