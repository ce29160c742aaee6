//! How far the mean still is from where it settles: a solid line with filled dots, and a dashed one with hollow squares.

use super::signals::Shown;
use super::state::MOST;
use crate::figures::chart::{Axis, Backdrop};
use crate::figures::numbers::number;
use crate::figures::unit::unit;
use leptos::prelude::*;
use std::fmt::Write;

/// Size in user units.
const SIZE: [u32; 2] = [480, 300];
/// Names stand to the right of the last sentence there can be.
const LAST: f64 = MOST as f64 + 4.0;
/// Least distance between the two names, in pixels.
const APART: f64 = 20.0;

/// Points of one curve.
type Points = Vec<[f64; 2]>;

/// Both distances: from the mean of all sentences, and from the shipped lens.
#[component]
pub fn Chart(
    shown: Shown,
    /// The sentences that are in the mean.
    inside: Signal<Vec<usize>>,
) -> impl IntoView {
    let curves = Memo::new(move |_| {
        shown.with(|s| {
            s.as_ref()
                .map_or_else(Default::default, |e| e.curves(&inside.get()))
        })
    });
    let top = Memo::new(move |_| {
        let greatest = curves.with(|all| all.iter().flatten().map(|p| p[1]).fold(0.1, f64::max));
        (greatest * 10.0).ceil() / 10.0
    });
    let drawing = NodeRef::new();
    let unit = unit(drawing);
    let backdrop = Memo::new(move |_| {
        let axes = [
            Axis::linear("sentences", [0.0, LAST], 6),
            Axis::linear("distance / length", [0.0, top.get()], 5),
        ];
        Backdrop::new(axes, SIZE, unit.get())
    });
    let placed = Memo::new(move |_| {
        backdrop.with(|b| {
            curves.with(|all| {
                all.each_ref()
                    .map(|c| c.iter().filter_map(|p| b.place(*p)).collect::<Points>())
            })
        })
    });
    let line = move |index: usize| placed.with(|all| path(&all[index]));
    let circles = move || placed.with(|all| marks(&all[0], circle));
    let squares = move || placed.with(|all| marks(&all[1], square));
    let names = move || {
        placed.with(|all| {
            let ends = [all[0].last()?, all[1].last()?];
            let levels = apart(APART * unit.get(), ends.map(|end| end[1]), backdrop.with(|b| b.frame.top + b.frame.height));
            let name = |index: usize| {
                let (name, idea) = [("all", "output"), ("lens", "transport")][index];
                view! {
                    <text class="plot-label" data-idea=idea x=format!("{:.1}", ends[index][0] + 10.0) y=format!("{:.1}", levels[index]) dominant-baseline="middle">{name}</text>
                }
            };
            Some([name(0), name(1)].collect_view())
        })
    };
    let last = move |index: usize| {
        let value = move || curves.with(|all| Some(number(all[index].last()?[1], 3)));
        view! { <strong class="num">{value}</strong> }
    };
    view! {
        <div>
            <h4 class="panel-title">"The mean settles"</h4>
            <svg
                node_ref=drawing
                class="plot chart"
                viewBox=format!("0 0 {} {}", SIZE[0], SIZE[1])
                role="img"
                aria-label="Distance of the mean from the mean of all and from the shipped lens; the numbers are in the data table"
            >
                <g class="chart-axes" inner_html=move || backdrop.with(|b| b.svg.clone())></g>
                <path class="plot-line" data-idea="output" data-style="solid" d=move || line(0)></path>
                <path class="plot-point" data-idea="output" d=circles></path>
                <path class="plot-line average-dashed" data-idea="transport" d=move || line(1)></path>
                <path class="average-squares" data-idea="transport" d=squares></path>
                {names}
            </svg>
            <ul class="plane-legend average-legend" aria-label="Legend">
                <li>
                    <svg viewBox="0 0 34 14" aria-hidden="true">
                        <path class="plot-line" data-idea="output" data-style="solid" d="M1 7H33"></path>
                        <path class="plot-point" data-idea="output" d=circle([17.0, 7.0])></path>
                    </svg>
                    "all: from the mean of all sentences" {last(0)}
                </li>
                <li>
                    <svg viewBox="0 0 34 14" aria-hidden="true">
                        <path class="plot-line average-dashed" data-idea="transport" d="M1 7H33"></path>
                        <path class="average-squares" data-idea="transport" d=square([17.0, 7.0])></path>
                    </svg>
                    "lens: from the shipped lens" {last(1)}
                </li>
            </ul>
            <p class="panel-note">"How far the mean of those that are in still is from both, each distance over the length of what it is measured from."</p>
        </div>
    }
}

fn path(points: &[[f64; 2]]) -> String {
    let mut path = String::new();
    for [x, y] in points {
        let pen = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{pen}{x:.1} {y:.1}"); // writing to a string cannot fail
    }
    path
}

fn marks(points: &[[f64; 2]], mark: fn([f64; 2]) -> String) -> String {
    points.iter().map(|point| mark(*point)).collect()
}

fn circle([x, y]: [f64; 2]) -> String {
    format!(
        "M{:.1} {y:.1}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0",
        x - 3.5
    )
}

fn square([x, y]: [f64; 2]) -> String {
    format!("M{:.1} {:.1}h8v8h-8z", x - 4.0, y - 4.0)
}

/// Heights of two names beside these places, at least so far apart from each other, and above the axis.
fn apart(least: f64, places: [f64; 2], bottom: f64) -> [f64; 2] {
    let [a, b] = places;
    let lack = (least - (a - b).abs()).max(0.0) / 2.0;
    let (a, b) = if a < b {
        (a - lack, b + lack)
    } else {
        (a + lack, b - lack)
    };
    let below = (a.max(b) - (bottom - 8.0)).max(0.0);
    // Only as far up as the axis asks for; both, so that they stay apart.
    [a - below, b - below]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_apart_and_above_the_axis() {
        assert_eq!(apart(20.0, [100.0, 150.0], 250.0), [100.0, 150.0]);
        assert_eq!(apart(20.0, [100.0, 104.0], 250.0), [92.0, 112.0]);
        assert_eq!(apart(20.0, [250.0, 246.0], 250.0), [242.0, 222.0]);
    }

    #[test]
    fn a_curve_is_one_line_with_a_mark_at_each_point() {
        let points = [[0.0, 1.0], [2.0, 3.0]];
        assert_eq!(path(&points), "M0.0 1.0L2.0 3.0");
        assert_eq!(
            marks(&points, square),
            "M-4.0 -3.0h8v8h-8zM-2.0 -1.0h8v8h-8z"
        );
        assert_eq!(marks(&points, circle).matches('M').count(), 2);
    }
}
