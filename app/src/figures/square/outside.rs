//! Names outside of an outline, each with a thin line to what it names, so that the outline's edges stay free.

use leptos::prelude::*;

/// Room between the outline's box and a name beside it, and above or below it.
const ROOM: [f64; 2] = [10.0, 18.0];
/// Names stay so far inside a drawing 400 user units wide and high.
const INSIDE: [[f64; 2]; 2] = [[44.0, 356.0], [12.0, 388.0]];

/// Where a name stands, in user units.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its anchor.
    pub at: [f64; 2],
    /// Which end of it stands there (`text-anchor`).
    pub anchor: &'static str,
    /// Path of the line from what it names.
    pub leader: String,
}

/// A place outside the box around `outline`, seen from `from` in the direction `towards`.
#[must_use]
pub fn outside(outline: &[[f64; 2]], from: [f64; 2], towards: [f64; 2]) -> Place {
    let length = towards[0].hypot(towards[1]);
    let ray = if length > 1e-9 {
        towards.map(|v| v / length)
    } else {
        [-0.6, 0.8]
    };
    let exit = |axis: usize| {
        let ends = outline.iter().map(|p| p[axis]);
        let (far, room) = match ray[axis] {
            v if v > 1e-9 => (ends.fold(from[axis], f64::max), ROOM[axis]),
            v if v < -1e-9 => (ends.fold(from[axis], f64::min), -ROOM[axis]),
            _ => return f64::INFINITY,
        };
        (far + room - from[axis]) / ray[axis]
    };
    let (across, along) = (exit(0), exit(1));
    let far = across.min(along);
    let anchor = match ray[0] {
        _ if along < across => "middle",
        right if right > 0.0 => "start",
        _ => "end",
    };
    let point = |far: f64| [0, 1].map(|i| from[i] + ray[i] * far);
    let [x, y] = point(far);
    let [[left, right], [top, bottom]] = INSIDE;
    let stop = far - if anchor == "middle" { 11.0 } else { 4.0 };
    let [ax, ay] = point(stop);
    let leader = if stop > 8.0 {
        format!("M{:.1} {:.1}L{ax:.1} {ay:.1}", from[0], from[1])
    } else {
        String::new()
    };
    Place {
        at: [x.clamp(left, right), y.clamp(top, bottom)],
        anchor,
        leader,
    }
}

/// Where the names of an image stand: those of its two arrows, 0 and 1, and of the point that they leave, 2.
#[must_use]
pub fn place_of(index: usize, outline: &[[f64; 2]], value: [f64; 2], tips: [[f64; 2]; 2]) -> Place {
    let arm = |i: usize| [tips[i][0] - value[0], tips[i][1] - value[1]];
    if index < 2 {
        return outside(outline, tips[index], arm(index));
    }
    let unit = |[x, y]: [f64; 2]| {
        let length = x.hypot(y).max(1e-9);
        [x / length, y / length]
    };
    let ([ax, ay], [bx, by]) = (unit(arm(0)), unit(arm(1)));
    outside(outline, value, [-ax - bx, -ay - by])
}

/// A name that stands outside. A letter after `J_` is lowered.
#[component]
pub fn OutsideName(
    /// Where; nothing is drawn while there is no place.
    #[prop(into)]
    place: Signal<Option<Place>>,
    /// The name.
    #[prop(into)]
    name: Signal<String>,
    /// Idea whose colour it takes.
    #[prop(default = "none")]
    idea: &'static str,
) -> impl IntoView {
    let pieces = move || match name.get().split_once("J_") {
        Some((before, after)) => {
            let (lowered, rest) = after.split_at(after.chars().next().map_or(0, char::len_utf8));
            let first = format!("{before}J");
            view! { {first} <tspan dy="4" font-size="75%">{lowered.to_owned()}</tspan> <tspan dy="-4">{rest.to_owned()}</tspan> }.into_any()
        }
        None => name.get().into_any(),
    };
    let drawn = move || {
        let Place { at, anchor, leader } = place.get()?;
        let idea = (idea != "none").then_some(idea);
        Some(view! {
            <path class="plane-stem" d=leader></path>
            <text class="plot-label" data-idea=idea text-anchor=anchor dominant-baseline="middle" x=format!("{:.1}", at[0]) y=format!("{:.1}", at[1])>
                {pieces}
            </text>
        })
    };
    view! { <g class="outside-name">{drawn}</g> }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: [[f64; 2]; 2] = [[100.0, 100.0], [200.0, 220.0]];

    #[test]
    fn names_stand_outside_the_box_on_the_side_they_point_to() {
        let right = outside(&BOX, [180.0, 150.0], [1.0, 0.0]);
        assert_eq!((right.at, right.anchor), ([210.0, 150.0], "start"));
        assert_eq!(right.leader, "M180.0 150.0L206.0 150.0");
        let up = outside(&BOX, [150.0, 110.0], [0.0, -3.0]);
        assert_eq!((up.at, up.anchor), ([150.0, 82.0], "middle"));
        let left = outside(&BOX, [150.0, 150.0], [-2.0, 0.1]);
        assert_eq!((left.at[0], left.anchor), (90.0, "end"));
    }

    #[test]
    fn the_points_name_stands_where_no_arrow_points() {
        let value = [150.0, 160.0];
        let place = place_of(2, &BOX, value, [[190.0, 160.0], [150.0, 120.0]]);
        assert!(place.at[0] < 100.0 || place.at[1] > 220.0, "{place:?}");
        // Arrows that cancel or vanish still leave a place.
        let flat = place_of(2, &BOX, value, [value, value]);
        assert!(flat.at.iter().all(|v| v.is_finite()), "{flat:?}");
    }
}
