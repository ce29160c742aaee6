//! The watched word over the strength: the chart, its highest points, its numbers.

use super::signals::Now;
use super::state::{Act, Chosen, STRONGEST, curves};
use crate::figures::bench::Bench;
use crate::figures::chart::Axis;
use crate::figures::data_table::DataTable;
use crate::figures::lines::{Curve, Curves};
use crate::figures::mark;
use crate::figures::numbers::number;
use crate::figures::plane::Measure;
use crate::figures::text::percent;
use leptos::prelude::*;

/// The watched word over the strength, along the lens vector and along a random direction.
pub fn over_strength(swept: Now) -> Memo<Vec<Curve>> {
    Memo::new(move |_| {
        swept.with(|s| {
            s.as_ref().map_or_else(Vec::new, |s| {
                let watched = s.request.tracked.first().map_or("", |&id| s.model.word(id));
                curves(&s.request, &s.answer, watched)
            })
        })
    })
}

/// A little below zero, where a curve along the axis would not be seen.
const FLOOR: f64 = -0.03;

/// The chart; only where a strength can be chosen.
#[component]
pub fn Chart(bench: Bench<Chosen>, all: Memo<Vec<Curve>>) -> impl IntoView {
    let axes = [
        // a little wider than the curve, whose ends and their ticks would lie on the frame
        Axis::linear("strength a", [-1.02 * STRONGEST, 1.02 * STRONGEST], 7),
        Axis::linear("probability", [FLOOR, 1.0], 6),
    ];
    let strength = bench.get(|s| s.strength);
    let act = bench.get(|s| s.act);
    let curves = Signal::derive(move || {
        let a = strength.get();
        let here = mark::line(format!("a = {}", number(a, 2)), a, [FLOOR, 1.0]);
        all.get().into_iter().chain([here]).collect::<Vec<_>>()
    });
    view! {
        <div class="steer-chart" hidden=move || act.get() != Act::Add>
            <h4 class="panel-title">"The watched word over the strength"</h4>
            <Curves
                label="Probability of the watched word over the strength; the numbers are in the data table"
                axes=Signal::stored(axes)
                curves=curves
            />
        </div>
    }
}

/// How far the watched word gets along each direction, and where.
#[component]
pub fn Peaks(bench: Bench<Chosen>, all: Memo<Vec<Curve>>) -> impl IntoView {
    let act = bench.get(|s| s.act);
    let most = move |index: usize| {
        Signal::derive(move || {
            let peak = all.with(|all| all.get(index).and_then(peak));
            peak.map_or_else(
                || "…".to_owned(),
                |[a, share]| format!("{} at a = {}", percent(share as f32), number(a, 2)),
            )
        })
    };
    view! {
        <div class="panel" hidden=move || act.get() != Act::Add>
            <h4 class="panel-title">"The watched word at its most, of all strengths in the chart"</h4>
            <dl class="plane-measures">
                <Measure name="along the lens vector" id="peak" value=most(0) />
                <Measure name="along a random direction" id="peak-random" value=most(1) />
            </dl>
        </div>
    }
}

/// The highest point of a curve.
fn peak(curve: &Curve) -> Option<[f64; 2]> {
    let points = curve.points.iter().copied();
    points.max_by(|a, b| a[1].total_cmp(&b[1]))
}

/// The numbers of the chart.
#[component]
pub fn Table(bench: Bench<Chosen>, all: Memo<Vec<Curve>>) -> impl IntoView {
    let act = bench.get(|s| s.act);
    let heads = ["a", "lens vector", "random direction"];
    let rows = Signal::derive(move || {
        all.with(|all| {
            let [lens, random] = &all[..] else {
                return Vec::new();
            };
            let row = |(l, r): (&[f64; 2], &[f64; 2])| {
                vec![
                    number(l[0], 2),
                    format!("{:.4}", l[1]),
                    format!("{:.4}", r[1]),
                ]
            };
            lens.points
                .iter()
                .zip(&random.points)
                .map(row)
                .collect::<Vec<_>>()
        })
    });
    view! {
        <div hidden=move || act.get() != Act::Add>
            <DataTable caption="Probability of the watched word" heads=heads rows=rows />
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_point_is_found_wherever_it_lies() {
        let curve = |points: &[[f64; 2]]| Curve {
            idea: "token",
            name: String::new(),
            points: points.to_vec(),
            ghost: false,
        };
        assert_eq!(peak(&curve(&[])), None);
        let points = [[-0.6, 0.3], [0.0, 0.1], [0.6, 0.2]];
        assert_eq!(peak(&curve(&points)), Some([-0.6, 0.3]));
    }
}
