//! Ticks, numbers and names along the lower and left edge of a drawing of the plane, outside its frame.

use crate::controls::Frame;
use crate::figures::numbers::number;
use leptos::prelude::*;
use std::fmt::Write;

/// Length of a tick in user units.
const TICK: f64 = 6.0;

/// A number and its place on one axis, in user units.
type Mark = (f64, String);

/// Ticks at whole multiples of `step`.
fn marks(range: [f64; 2], step: f64, place: impl Fn(f64) -> f64) -> Vec<Mark> {
    let [low, high] = range.map(|end| (end / step) as i32);
    let mark = |k: i32| {
        let value = f64::from(k) * step;
        let decimals = usize::from(step < 1.0 && k != 0);
        (place(value), number(value, decimals))
    };
    (low..=high).map(mark).collect()
}

/// The scale of a drawing. Leave it 40 user units of room to the left, and 24 below.
#[component]
pub fn Edges(
    /// The drawing's window.
    frame: Frame,
    /// Distance between ticks.
    #[prop(default = 1.0)]
    step: f64,
    /// What the horizontal and the vertical axis measure.
    names: [&'static str; 2],
) -> impl IntoView {
    let (left, bottom) = (frame.left, frame.top + frame.height);
    let along = marks(frame.x, step, |x| frame.to_svg([x, 0.0])[0]);
    let up = marks(frame.y, step, |y| frame.to_svg([0.0, y])[1]);
    let mut ticks = String::new();
    for (x, _) in &along {
        let _ = write!(ticks, "M{x:.1} {bottom:.1}v{TICK}"); // writing to a string cannot fail
    }
    for (y, _) in &up {
        let _ = write!(ticks, "M{left:.1} {y:.1}h-{TICK}");
    }
    let below = |(x, text): Mark| view! { <text x=format!("{x:.1}") y=bottom + 18.0 text-anchor="middle">{text}</text> };
    let beside = |(y, text): Mark| view! { <text x=left - 9.0 y=format!("{y:.1}") text-anchor="end" dominant-baseline="middle">{text}</text> };
    view! {
        <g class="edges" aria-hidden="true">
            <path class="plane-axes" d=ticks></path>
            {along.into_iter().map(below).collect_view()}
            {up.into_iter().map(beside).collect_view()}
            <text class="plot-label" x=left + frame.width - 7.0 y=bottom - 8.0 text-anchor="end">{names[0]}</text>
            <text class="plot-label" x=left + 7.0 y=frame.top + 18.0>{names[1]}</text>
        </g>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_whole_multiples_within_the_range() {
        let texts = |range, step| {
            let all = marks(range, step, |v| v);
            all.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(texts([-1.6, 1.6], 1.0), ["−1", "0", "1"]);
        assert_eq!(texts([-1.0, 0.6], 0.5), ["−1.0", "−0.5", "0", "0.5"]);
    }
}
