//! Curves over axes: what charts of several figures share.

use super::chart::{Axis, Backdrop};
use super::unit::unit;
use leptos::prelude::*;
use std::fmt::Write;

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Idea whose colour and dashes it takes.
    pub idea: &'static str,
    /// What it is called in the legend.
    pub name: String,
    /// Points; those without a place on the axes are left out.
    pub points: Vec<[f64; 2]>,
    /// Drawn thin and grey.
    pub ghost: bool,
}

/// Curves, their points as dots, their names at the right end, and marks on the x axis.
#[component]
pub fn Curves(
    /// What the chart shows, for those who cannot see it.
    #[prop(into)]
    label: Signal<String>,
    /// x and y.
    #[prop(into)]
    axes: Signal<[Axis; 2]>,
    /// The curves.
    #[prop(into)]
    curves: Signal<Vec<Curve>>,
    /// A place on the x axis to mark.
    #[prop(into, optional)]
    mark: Signal<Option<f64>>,
    /// Size in user units.
    #[prop(default = [480, 300])]
    size: [u32; 2],
) -> impl IntoView {
    let drawing = NodeRef::new();
    let unit = unit(drawing);
    let backdrop = Memo::new(move |_| Backdrop::new(axes.get(), size, unit.get()));
    let draw = move |curve: Curve| {
        let (line, dots) =
            backdrop.with(|b| (path(b, &curve.points), marks(b, &curve, unit.get())));
        let style = curve.ghost.then_some("ghost");
        let dots = (!curve.ghost)
            .then(|| view! { <path class="plot-point" data-idea=curve.idea d=dots></path> });
        view! {
            <path class="plot-line" data-idea=curve.idea data-style=style d=line></path>
            {dots}
        }
    };
    let all = move || curves.get().into_iter().map(draw).collect_view();
    let marked = move || {
        let x = mark.get()?;
        backdrop.with(|b| {
            let [low, _] = b.frame.y;
            let [at, _] = b.frame.to_svg([x, low]);
            let (top, bottom) = (b.frame.top, b.frame.top + b.frame.height);
            Some(view! { <path class="plot-line" data-style="ghost" d=format!("M{at:.1} {top:.1}V{bottom:.1}")></path> })
        })
    };
    let legend = move || {
        let named = |curve: &Curve| !curve.name.is_empty();
        let entry = |curve: &Curve| {
            let style = curve.ghost.then_some("ghost");
            let dot = (!curve.ghost).then(|| {
                view! { <path class="plot-point" data-idea=curve.idea d=shape(curve.idea, [17.0, 6.0], 1.0)></path> }
            });
            view! {
                <li class="curve-name">
                    <svg viewBox="0 0 34 12" aria-hidden="true">
                        <path class="plot-line" data-idea=curve.idea data-style=style d="M1 6H33"></path>
                        {dot}
                    </svg>
                    {curve.name.clone()}
                </li>
            }
        };
        curves.with(|curves| curves.iter().filter(|c| named(c)).map(entry).collect_view())
    };
    view! {
        <svg node_ref=drawing class="plot chart" viewBox=format!("0 0 {} {}", size[0], size[1]) role="img" aria-label=label>
            <g class="chart-axes" inner_html=move || backdrop.with(|b| b.svg.clone())></g>
            {marked}
            {all}
        </svg>
        <ul class="curve-names">{legend}</ul>
    }
}

fn path(backdrop: &Backdrop, points: &[[f64; 2]]) -> String {
    let mut path = String::new();
    for [x, y] in points.iter().filter_map(|&point| backdrop.place(point)) {
        let pen = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{pen}{x:.1} {y:.1}"); // writing to a string cannot fail
    }
    path
}

fn marks(backdrop: &Backdrop, curve: &Curve, unit: f64) -> String {
    let placed = curve.points.iter().filter_map(|&p| backdrop.place(p));
    placed.map(|at| shape(curve.idea, at, unit)).collect()
}

/// The mark of a curve's points, about 7 pixels wide: a shape for each idea, for those who cannot tell its colour.
fn shape(idea: &str, [x, y]: [f64; 2], unit: f64) -> String {
    let r = 3.2 * unit;
    match idea {
        "activation" => format!(
            "M{:.1} {:.1}h{s:.1}v{s:.1}h-{s:.1}z",
            x - r,
            y - r,
            s = 2.0 * r
        ),
        "token" => format!(
            "M{x:.1} {:.1}l{r:.1} {r:.1}l-{r:.1} {r:.1}l-{r:.1} -{r:.1}z",
            y - r,
            r = 1.3 * r
        ),
        "output" => format!(
            "M{x:.1} {:.1}l{r:.1} {h:.1}h-{h:.1}z",
            y - 1.2 * r,
            r = 1.2 * r,
            h = 2.4 * r
        ),
        _ => format!(
            "M{:.1} {y:.1}a{r:.1} {r:.1} 0 1 0 {d:.1} 0a{r:.1} {r:.1} 0 1 0 -{d:.1} 0",
            x - r,
            d = 2.0 * r
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_off_the_axes_are_left_out() {
        let axis = Axis::linear("", [0.0, 1.0], 3);
        let backdrop = Backdrop::new([axis, axis], [400, 300], 1.0);
        let points = [[0.0, 0.5], [0.5, f64::NAN], [1.0, 0.5], [2.0, 0.5]];
        let line = path(&backdrop, &points);
        assert_eq!(
            (line.matches('M').count(), line.matches('L').count()),
            (1, 1)
        );
        let curve = Curve {
            idea: "token",
            name: String::new(),
            points: points.to_vec(),
            ghost: false,
        };
        assert_eq!(marks(&backdrop, &curve, 1.0).matches('M').count(), 2);
    }
}
