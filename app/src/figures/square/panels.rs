//! Below the planes: the matrix, the microscope, and the chart of the gap.

use super::heads::{ColumnHeads, NudgeSign};
use super::planes::ArrowMark;
use super::signals::{Figure, NUDGES};
use super::state::{LADDER_TOP, Scene};
use crate::controls::Frame;
use crate::figures::chart::{Axis, Backdrop};
use crate::figures::draw::polyline;
use crate::figures::numbers::{number, signed, small};
use crate::figures::unit::unit;
use geometry::{Orientation, Point, shape};
use leptos::prelude::*;

/// The 2x2 matrix, its columns tied to the arrows, and its determinant.
#[component]
pub fn MatrixPanel(figure: Figure) -> impl IntoView {
    let entry = move |row: usize, column: usize| {
        move || {
            figure.scene.with(|s| {
                s.as_ref().map_or_else(
                    || "…".to_owned(),
                    |s| {
                        number(
                            s.jacobian[(row, column)],
                            if s.jacobian.amax() < 0.3 { 3 } else { 2 },
                        )
                    },
                )
            })
        }
    };
    let cell = move |row: usize, column: usize| {
        view! {
            <td
                data-idea=NUDGES[column]
                data-chosen=move || (figure.highlight.get() == Some(column)).to_string()
                on:pointerenter=move |_| figure.highlight.set(Some(column))
                on:pointerleave=move |_| figure.highlight.set(None)
            >
                {entry(row, column)}
            </td>
        }
    };
    let names = [0, 1].map(|index| figure.nudge_name(index));
    let column = move |index: usize| {
        let text = move || format!("column {}: where {} lands", index + 1, names[index].get());
        view! {
            <button
                type="button"
                class="btn square-column"
                data-idea=NUDGES[index]
                data-chosen=move || (figure.highlight.get() == Some(index)).to_string()
                on:focus=move |_| figure.highlight.set(Some(index))
                on:blur=move |_| figure.highlight.set(None)
                on:pointerenter=move |_| figure.highlight.set(Some(index))
                on:pointerleave=move |_| figure.highlight.set(None)
            >
                <NudgeSign index />
                <span>{text}</span>
            </button>
        }
    };
    let measure =
        move |pick: fn(&Scene) -> String| move || figure.scene.with(|s| s.as_deref().map(pick));
    view! {
        <div class="panel">
            <h4 class="panel-title">"The Jacobian at p"</h4>
            <div class="matrix-eq">
                <span data-idea="transport">"J(p)"</span>" ="
                <table class="matrix" aria-label="Jacobian at p">
                    <ColumnHeads names=Signal::derive(move || names.map(|name| name.get())) />
                    <tbody>
                        <tr>{cell(0, 0)}{cell(0, 1)}</tr>
                        <tr>{cell(1, 0)}{cell(1, 1)}</tr>
                    </tbody>
                </table>
            </div>
            <div class="square-columns">{column(0)}{column(1)}</div>
            <dl class="square-measures">
                <dt>"determinant"</dt>
                <dd data-measure="determinant">{measure(|s| signed(shape(&s.jacobian).determinant))}</dd>
                <dt>"greatest stretch"</dt>
                <dd>{measure(|s| signed(shape(&s.jacobian).singular_values[0]))}</dd>
                <dt>"least stretch"</dt>
                <dd>{measure(|s| signed(shape(&s.jacobian).singular_values[1]))}</dd>
                <dt>"turned over?"</dt>
                <dd>{measure(|s| orientation(s).to_owned())}</dd>
            </dl>
            <p class="panel-note">
                "Read it by columns: each is the tip of an arrow, per unit of nudge. The determinant is the factor by which small areas grow; where it is negative they are turned over."
            </p>
        </div>
    }
}

fn orientation(scene: &Scene) -> &'static str {
    match shape(&scene.jacobian).orientation {
        Orientation::Kept => "no",
        Orientation::Reversed => "yes",
        Orientation::Flat => "flattened",
    }
}

/// The square's image, always equally large: as the square shrinks, the curve turns into the parallelogram.
#[component]
pub fn MicroscopePanel(figure: Figure) -> impl IntoView {
    const SIDE: f64 = 240.0;
    let frame = move |scene: &Scene| {
        let (reach, v) = (1.3 * scene.reach(), scene.value);
        Frame {
            x: [v.x - reach, v.x + reach],
            y: [v.y - reach, v.y + reach],
            ..Frame::square(1.0, SIDE)
        }
    };
    let path = move |pick: fn(&Scene) -> Vec<Point>| {
        move || {
            figure
                .scene
                .with(|s| s.as_ref().map(|s| polyline(&frame(s), &pick(s), true)))
        }
    };
    let arrows = [0, 1].map(|index| {
        let ends = Signal::derive(move || {
            figure.scene.with(|s| {
                s.as_ref().map_or([[0.0; 2]; 2], |s| {
                    [s.value, s.tips()[index]].map(|q| frame(s).to_svg([q.x, q.y]))
                })
            })
        });
        view! { <ArrowMark figure index ends label=Signal::stored(String::new()) /> }
    });
    let magnification = move || {
        let scale = |s: &Scene| {
            (figure.window.get().x[1] - figure.window.get().x[0]) / (2.6 * s.reach()) * 0.6
        };
        figure.scene.with(|s| {
            s.as_ref().map(|s| {
                format!(
                    "magnified {}×",
                    number(scale(s).max(0.1), if scale(s) < 10.0 { 1 } else { 0 })
                )
            })
        })
    };
    view! {
        <div class="panel">
            <h4 class="panel-title square-title">"Under the microscope" <span class="square-zoom">{magnification}</span></h4>
            <svg class="plot square-microscope" viewBox="0 0 240 240" role="img" aria-label="The image of the square and the parallelogram, magnified to fill the view">
                <rect class="plot-frame" x="1" y="1" width="238" height="238"></rect>
                <path class="plot-fill" data-idea="output" d=path(|s| s.image.clone())></path>
                <path class="square-image" data-idea="output" d=path(|s| s.image.clone())></path>
                <path class="square-prediction" data-idea="transport" d=path(|s| s.parallelogram().to_vec())></path>
                {arrows}
            </svg>
            <p class="panel-note">"The view shrinks with the square. Make the square small: the curve becomes the parallelogram."</p>
        </div>
    }
}

/// Gap against size on axes where each step is a factor.
#[component]
pub fn GapPanel(figure: Figure) -> impl IntoView {
    let drawing = NodeRef::new();
    let unit = unit(drawing);
    let backdrop = Memo::new(move |_| {
        let axes = [
            Axis::log("size of the nudges", [1e-5, 1.0], 5),
            Axis::log("gap", [1e-10, 1.0], 6),
        ];
        Backdrop::new(axes, [400, 270], unit.get())
    });
    let place = move |half: f64, gap: f64| backdrop.with(|b| b.place([half, gap]));
    let dots = move || {
        let dot = |[x, y]: [f64; 2]| {
            format!(
                "M{:.1} {y:.1}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0",
                x - 3.5
            )
        };
        figure.scene.with(|s| {
            let ladder = s.as_ref()?.ladder.as_ref()?;
            Some(
                ladder
                    .gaps
                    .iter()
                    .filter_map(|g| place(g.half, g.gap))
                    .map(dot)
                    .collect::<String>(),
            )
        })
    };
    let now = move || {
        figure
            .scene
            .with(|s| s.as_ref().and_then(|s| place(s.square.half, s.gap)))
    };
    let guide = move || {
        figure
            .scene
            .with(|s| s.as_ref().and_then(|s| backdrop.with(|b| guide_line(b, s))))
    };
    let text =
        move |pick: fn(&Scene) -> String| move || figure.scene.with(|s| s.as_deref().map(pick));
    view! {
        <div class="panel">
            <h4 class="panel-title">"How wrong is the parallelogram?"</h4>
            <dl class="square-measures">
                <dt>"gap at this size"</dt>
                <dd data-measure="gap">{text(|s| small(s.gap))}</dd>
                <dt>"gap at half this size"</dt>
                <dd>{text(|s| small(s.gap_of_half))}</dd>
                <dt>"ratio of the two"</dt>
                <dd data-measure="ratio">{text(|s| s.ratio().map_or_else(|| "none".to_owned(), |r| number(r, 2)))}</dd>
                <dt>"slope of the dots"</dt>
                <dd data-measure="slope">{text(slope)}</dd>
            </dl>
            <h4 class="panel-title square-under">"Gap against size, both axes by powers of ten"</h4>
            <svg node_ref=drawing class="plot chart" viewBox="0 0 400 270" role="img" aria-label="Gap against size on logarithmic axes; the numbers are in the data table">
                <g class="chart-axes" inner_html=move || backdrop.with(|b| b.svg.clone())></g>
                <path class="plot-line" data-style="ghost" d=guide></path>
                <path class="square-dots" data-idea="transport" d=dots></path>
                <circle class="square-now" r="7" cx=move || now().map(|[x, _]| x) cy=move || now().map(|[_, y]| y) visibility=move || if now().is_some() { "visible" } else { "hidden" }></circle>
            </svg>
            <p class="panel-note">{move || figure.floor_note()}</p>
        </div>
    }
}

fn slope(scene: &Scene) -> String {
    match (&scene.ladder, scene.slope()) {
        (None, _) => "computing …".to_owned(),
        (_, Some(slope)) => number(slope, 2),
        (_, None) => "none: no gap above rounding".to_owned(),
    }
}

/// A line of slope 2 through the largest dot below a tenth: where the gaps should lie.
fn guide_line(backdrop: &Backdrop, scene: &Scene) -> Option<String> {
    let anchor = scene
        .ladder
        .as_ref()?
        .gaps
        .iter()
        .find(|g| g.half < 0.1 && g.gap > 0.0)?;
    let gap_at = |half: f64| anchor.gap * (half / anchor.half).powi(2);
    let half_at = |gap: f64| anchor.half * (gap / anchor.gap).sqrt();
    let ends = [LADDER_TOP.min(half_at(0.99)), half_at(1.01e-10).max(3e-5)];
    let [a, b] = ends.map(|half| backdrop.place([half, gap_at(half)]));
    let ([ax, ay], [bx, by]) = (a?, b?);
    Some(format!("M{ax:.1} {ay:.1}L{bx:.1} {by:.1}"))
}
