//! The height map with the point, the nudge, the gradient and the level line through the point.

use super::relief::{Top, draw, line_at};
use super::signals::Figure;
use super::state::{EXTENT, Settings};
use crate::controls::{Frame, Handle};
use crate::figures::edges::Edges;
use crate::figures::numbers::number;
use crate::figures::plane::{ArrowTo, PlaceName};
use leptos::prelude::*;

/// User units per side.
const SIZE: f64 = 400.0;
/// From the middle of a handle to where the shaft of its arrow ends, so that its head is seen.
const RING: f64 = 14.0;

/// The end of an arrow that stops before the ring around its tip; the tip itself if there is no room for that.
fn before_ring(from: [f64; 2], tip: [f64; 2]) -> [f64; 2] {
    let (dx, dy) = (tip[0] - from[0], tip[1] - from[1]);
    let length = dx.hypot(dy);
    if length < 2.0 * RING {
        return tip;
    }
    let share = 1.0 - RING / length;
    [from[0] + dx * share, from[1] + dy * share]
}

/// The map.
#[component]
pub fn Map(figure: Figure) -> impl IntoView {
    let Figure { settings, scene } = figure;
    let frame = Frame::square(EXTENT, SIZE);
    let map = Memo::new(move |_| settings.get().map);
    let drawn = Memo::new(move |_| draw(map.get(), &frame));
    let level = move || line_at(map.get(), scene.get().value, &frame);
    let areas = move || {
        let area = |(k, d): (usize, String)| {
            view! { <path class="gradient-area" data-level=(k + 1).to_string() d=d></path> }
        };
        drawn
            .get()
            .areas
            .into_iter()
            .enumerate()
            .map(area)
            .collect_view()
    };
    let tops = move || {
        let mark = |top: Top| {
            let [x, y] = frame.to_svg(top.at);
            view! {
                <path class="gradient-top" d=format!("M{x:.1} {:.1}l6 10h-12z", y - 5.0)></path>
                <text class="plot-label" x=format!("{:.1}", x + 9.0) y=format!("{y:.1}") dominant-baseline="middle">{number(top.height, 2)}</text>
            }
        };
        drawn.get().tops.into_iter().map(mark).collect_view()
    };
    let p = Signal::derive(move || settings.get().p);
    let tip = Signal::derive(move || settings.get().tip());
    let to = move |end: [f64; 2]| frame.to_svg(end);
    let gradient = Signal::derive(move || [to(p.get()), to(scene.get().arrow_tip())]);
    let name = move |axis: usize| format!("{:.1}", beside(gradient.get(), to(tip.get()))[axis]);
    let pair = |[x, y]: [f64; 2]| format!("{}, {}", number(x, 2), number(y, 2));
    view! {
        <svg class="plot plot-square" viewBox="-30 -4 434 434" role="group" aria-label="Height map: the point p, a nudge, and the gradient at p">
            <clipPath id="gradient-window"><rect width="400" height="400"></rect></clipPath>
            <rect class="gradient-ground" width="400" height="400"></rect>
            <g clip-path="url(#gradient-window)">
                {areas}
                <path class="gradient-lines" d=move || drawn.with(|d| d.lines.clone())></path>
                <path class="gradient-level" d=level></path>
            </g>
            <rect class="gradient-edge" width="400" height="400"></rect>
            <Edges frame=frame step=0.5 names=["first", "second"] />
            {tops}
            <ArrowTo ends=gradient idea="transport" name="" />
            <g class="plane-arrow">
                <text class="plot-label" data-idea="transport" text-anchor="middle" dominant-baseline="middle" x=move || name(0) y=move || name(1)>"∇f"</text>
            </g>
            <ArrowTo ends=Signal::derive(move || { let from = to(p.get()); [from, before_ring(from, to(tip.get()))] }) idea="token" name="" open=true />
            <PlaceName at=Signal::derive(move || Some(to(p.get()))) name="p" />
            <PlaceName at=Signal::derive(move || Some(to(tip.get()))) name="nudge" by=[16.0, 5.0] />
            <Handle
                label="nudge"
                at=tip
                on_move=Callback::new(move |place| settings.update(|s| *s = s.nudged_to(place)))
                frame=frame
                home=Signal::derive(move || settings.with(|s| Settings { p: s.p, ..Settings::of(s.map) }.tip()))
                step=0.05
                say=Callback::new(move |_| pair(settings.get().nudge))
                idea="token"
                hit_radius=30.0
            />
            <Handle
                label="point p"
                at=p
                on_move=Callback::new(move |place| settings.update(|s| *s = s.at(place)))
                frame=frame
                home=Signal::derive(move || Settings::of(settings.get().map).p)
                step=0.05
                say=Callback::new(pair)
                idea="none"
                hit_radius=30.0
            />
        </svg>
    }
}

/// Beside the middle of an arrow, on the side that `other` is not on: both its ends have marks of their own.
fn beside([from, to]: [[f64; 2]; 2], other: [f64; 2]) -> [f64; 2] {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let turn = dx * (other[1] - from[1]) - dy * (other[0] - from[0]);
    let away = 18.0 / dx.hypot(dy).max(1e-9) * if turn > 0.0 { 1.0 } else { -1.0 };
    [
        from[0] + dx / 2.0 + away * dy,
        from[1] + dy / 2.0 - away * dx,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_on_the_free_side_of_its_arrow() {
        let right = [[0.0, 0.0], [100.0, 0.0]];
        assert_eq!(beside(right, [50.0, 30.0]), [50.0, -18.0]);
        assert_eq!(beside(right, [50.0, -30.0]), [50.0, 18.0]);
        assert_eq!(beside([[5.0, 5.0]; 2], [0.0, 0.0]), [5.0, 5.0]);
    }

    #[test]
    fn an_arrow_ends_at_the_ring_of_its_handle_if_there_is_room() {
        assert_eq!(before_ring([0.0, 0.0], [100.0, 0.0]), [100.0 - RING, 0.0]);
        assert_eq!(before_ring([0.0, 0.0], [0.0, 20.0]), [0.0, 20.0]);
    }
}
