//! Quality after each sentence: three charts and a table.

use super::measure::mean;
use super::signals::Figure;
use super::state::Quality;
use super::wire::TOP;
use crate::figures::chart::{Axis, Backdrop};
use crate::figures::numbers::small;
use crate::figures::unit::unit;
use leptos::prelude::*;
use std::fmt::Write;

/// Size of each chart in user units.
const SIZE: [u32; 2] = [400, 280];
/// Drawn lines: one per layer.
const MOST_LAYERS: usize = 32;

/// What a chart draws for one layer after some sentences.
type Pick = fn(&Quality, usize) -> Option<f64>;

/// Cosine, agreement of the lists, change of the mean.
#[component]
pub fn Charts(figure: Figure) -> impl IntoView {
    let lowest = Memo::new(move |_| figure.run.with(|run| lowest_cosine(&run.log)));
    let share = Signal::stored([0.0, 1.0]);
    let agreement = format!("First {TOP} words in common");
    view! {
        <div class="figure-cols-3 fit-charts">
            <Chart figure title="Cosine with the shipped lens" axis="cosine" range=Signal::derive(move || [lowest.get(), 1.0]) log=false pick=cosine />
            <Chart figure title=agreement axis="share" range=share log=false pick=agrees />
            <Chart figure title="Change by the latest sentence" axis="relative change" range=Signal::stored([1e-3, 1.0]) log=true pick=changes />
        </div>
    }
}

fn cosine(quality: &Quality, layer: usize) -> Option<f64> {
    quality
        .comparison
        .as_ref()?
        .cosines
        .get(layer)
        .copied()
        .map(f64::from)
}

fn agrees(quality: &Quality, layer: usize) -> Option<f64> {
    quality
        .comparison
        .as_ref()?
        .agreement
        .get(layer)
        .copied()
        .map(f64::from)
}

/// One number for all layers.
fn changes(quality: &Quality, layer: usize) -> Option<f64> {
    quality.change.filter(|_| layer == 0)
}

/// Lower end of the cosine axis: below all points, at 0.95 or lower.
fn lowest_cosine(log: &[Quality]) -> f64 {
    let all = log
        .iter()
        .filter_map(|q| q.comparison.as_ref())
        .flat_map(|c| &c.cosines);
    let least = all.copied().filter(|c| c.is_finite()).fold(1.0, f32::min);
    let steps = (f64::from(least) * 20.0).floor().clamp(-20.0, 19.0);
    steps / 20.0
}

/// One chart over the number of sentences: a thin line per layer, the drawn layer's line strong.
#[component]
fn Chart(
    figure: Figure,
    #[prop(into)] title: String,
    axis: &'static str,
    #[prop(into)] range: Signal<[f64; 2]>,
    log: bool,
    pick: Pick,
) -> impl IntoView {
    // Before the first fit: the axes that it will have.
    let end = Memo::new(move |_| {
        let of = figure.run.with(|run| run.of);
        let of = if of == 0 {
            figure.settings.with(|s| s.prompts)
        } else {
            of
        };
        f64::from(of.max(2))
    });
    let drawing = NodeRef::new();
    let unit = unit(drawing);
    let backdrop = Memo::new(move |_| {
        let x = Axis::linear("sentences", [0.0, end.get()], 6);
        Backdrop::new(
            [
                x,
                Axis {
                    log,
                    ..Axis::linear(axis, range.get(), 6)
                },
            ],
            SIZE,
            unit.get(),
        )
    });
    let lines = move || {
        backdrop.with(|b| {
            figure.run.with(|run| {
                (0..MOST_LAYERS)
                    .map(|l| line(b, &run.log, l, pick))
                    .collect::<String>()
            })
        })
    };
    let drawn = move |dots: bool| {
        move || {
            let layer = if log { 0 } else { figure.layer() };
            backdrop.with(|b| {
                figure.run.with(|run| {
                    if dots {
                        points(b, &run.log, layer, pick)
                    } else {
                        line(b, &run.log, layer, pick)
                    }
                })
            })
        }
    };
    let caption = move || {
        if figure.run.with(|run| run.log.is_empty()) {
            "no sentence yet".to_owned()
        } else if log {
            "all layers together".to_owned()
        } else {
            format!("strong: layer {}, thin: the others", figure.layer())
        }
    };
    let label = format!("{title}, over the number of sentences; the numbers are in the data table");
    view! {
        <div>
            <h4 class="panel-title">{title}</h4>
            <svg node_ref=drawing class="plot chart" viewBox=format!("0 0 {} {}", SIZE[0], SIZE[1]) role="img" aria-label=label>
                <g class="chart-axes" inner_html=move || backdrop.with(|b| b.svg.clone())></g>
                <path class="plot-line" data-style="ghost" d=lines></path>
                <path class="plot-line fit-line" data-idea="transport" data-style="solid" d=drawn(false)></path>
                <path class="fit-dots" data-idea="transport" d=drawn(true)></path>
            </svg>
            <p class="panel-note">{caption}</p>
        </div>
    }
}

fn places<'a>(
    backdrop: &'a Backdrop,
    log: &'a [Quality],
    layer: usize,
    pick: Pick,
) -> impl Iterator<Item = [f64; 2]> + 'a {
    log.iter()
        .filter_map(move |q| backdrop.place([f64::from(q.prompts), pick(q, layer)?]))
}

fn line(backdrop: &Backdrop, log: &[Quality], layer: usize, pick: Pick) -> String {
    let mut path = String::new();
    for [x, y] in places(backdrop, log, layer, pick) {
        // Writing to a string cannot fail.
        let _ = write!(
            path,
            "{}{x:.1} {y:.1}",
            if path.is_empty() { 'M' } else { 'L' }
        );
    }
    path
}

fn points(backdrop: &Backdrop, log: &[Quality], layer: usize, pick: Pick) -> String {
    let dot = |[x, y]: [f64; 2]| format!("M{:.1} {y:.1}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", x - 3.0);
    places(backdrop, log, layer, pick).map(dot).collect()
}

/// The charts' numbers.
#[component]
pub fn QualityTable(figure: Figure) -> impl IntoView {
    let open = RwSignal::new(false);
    let rows = move || {
        figure.run.with(|run| {
            run.log
                .iter()
                .map(|q| row(q, figure.layer()))
                .collect_view()
        })
    };
    let held_out = move || {
        figure.run.with(|run| {
            let comparison = run.log.iter().rev().find_map(|q| q.comparison.as_ref())?;
            Some(format!(
                "Agreement: share of the shipped lens's {TOP} first words that are also among the {TOP} first here, over {} positions of {} held-out prompts.",
                comparison.positions, comparison.prompts
            ))
        })
    };
    view! {
        <p class="panel-note">{held_out}</p>
        <details class="figure-data" on:toggle=move |_| open.update(|open| *open = !*open)>
            <summary>"Data table: quality after each sentence"</summary>
            <div class="table-scroll" tabindex="0" role="region" aria-label="Quality after each sentence">
                <table class="data">
                    <caption>"Compared with the shipped lens; a dash where the comparison was overtaken by the next sentence"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"sentences"</th>
                            <th scope="col">"cosine, drawn layer"</th>
                            <th scope="col">"cosine, mean of layers"</th>
                            <th scope="col">"cosine, each layer from 0"</th>
                            <th scope="col">"agreement, drawn layer"</th>
                            <th scope="col">"relative change"</th>
                        </tr>
                    </thead>
                    <tbody>{move || open.get().then(rows)}</tbody>
                </table>
            </div>
        </details>
    }
}

fn row(quality: &Quality, layer: usize) -> impl IntoView + use<> {
    let cosines = quality
        .comparison
        .as_ref()
        .map(|c| c.cosines.clone())
        .unwrap_or_default();
    let dash = || "–".to_owned();
    let digits = |value: Option<f64>| value.map_or_else(dash, |v| format!("{v:.4}"));
    let each = cosines
        .iter()
        .map(|c| format!("{c:.3}"))
        .collect::<Vec<_>>()
        .join(" ");
    let average = (!cosines.is_empty()).then(|| f64::from(mean(&cosines)));
    view! {
        <tr data-prompts=quality.prompts.to_string() data-cosine=average.map(|c| format!("{c:.5}"))>
            <td class="num">{quality.prompts}</td>
            <td class="num">{digits(cosine(quality, layer))}</td>
            <td class="num">{digits(average)}</td>
            <td class="num">{each}</td>
            <td class="num">{agrees(quality, layer).map_or_else(dash, |v| format!("{v:.2}"))}</td>
            <td class="num">{quality.change.map_or_else(dash, small)}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::protocol::Comparison;

    fn entry(prompts: u32, cosine: f32) -> Quality {
        let comparison = Comparison {
            cosines: vec![cosine, 1.0],
            agreement: vec![0.5, 0.6],
            prompts: 6,
            positions: 60,
        };
        Quality {
            prompts,
            change: Some(0.1),
            comparison: Some(comparison),
        }
    }

    #[test]
    fn the_axis_begins_below_the_worst_layer() {
        assert_eq!(lowest_cosine(&[]), 0.95);
        assert_eq!(lowest_cosine(&[entry(1, 0.97), entry(2, 0.99)]), 0.95);
        assert_eq!(lowest_cosine(&[entry(1, 0.42)]), 0.4);
        assert_eq!(lowest_cosine(&[entry(1, f32::NAN)]), 0.95);
    }

    #[test]
    fn lines_leave_out_what_was_not_compared() {
        let axis = |range| Axis::linear("", range, 5);
        let backdrop = Backdrop::new([axis([0.0, 3.0]), axis([0.0, 1.0])], SIZE, 1.0);
        let log = [
            entry(1, 0.5),
            Quality {
                prompts: 2,
                change: None,
                comparison: None,
            },
            entry(3, 0.75),
        ];
        let path = line(&backdrop, &log, 0, cosine);
        assert_eq!(
            (path.matches('M').count(), path.matches('L').count()),
            (1, 1)
        );
        assert_eq!(line(&backdrop, &log, 5, cosine), "");
        assert_eq!(points(&backdrop, &log, 0, changes).matches('M').count(), 2);
    }
}
