//! The two planes: nudges on the left, what the map makes of them on the right.

use super::maps::MapKind;
use super::outside::{OutsideName, place_of};
use super::signals::{Figure, NUDGES, SIZE};
use super::state::{half_from_knob, knob};
use crate::controls::{Frame, Handle};
use crate::figures::draw::{arrow, polyline, polylines, straight_grid};
use geometry::{Point, Square};
use leptos::prelude::*;

/// Grid lines per direction of the straight grid.
const LINES: usize = 17;

/// Left: the point, the square of nudges and the two basis nudges.
#[component]
pub fn InputPlane(figure: Figure) -> impl IntoView {
    let frame = Frame::square(super::maps::EXTENT, SIZE);
    let [along_x, along_y] = straight_grid(&frame, LINES);
    let square = move || figure.square();
    let outline = move || polyline(&frame, &corners(square()), true);
    let knob_at = Signal::derive(move || knob(figure.p.get(), figure.half.get()));
    let stem = move || {
        let (p, half, [x, y]) = (figure.p.get(), figure.half.get(), knob_at.get());
        let corner = Point::new(
            p[0] + half * (x - p[0]).signum(),
            p[1] + half * (y - p[1]).signum(),
        );
        polyline(&frame, &[corner, Point::new(x, y)], false)
    };
    let arrows = [0, 1].map(|index| {
        let ends = Signal::derive(move || {
            let square = square();
            [square.centre, square.centre + square.basis_nudges()[index]]
                .map(|q| frame.to_svg([q.x, q.y]))
        });
        view! { <ArrowMark figure index ends label=figure.nudge_name(index) /> }
    });
    let crease = move || (figure.kind.get() == MapKind::Fold).then(|| crease_line(&frame));
    let size_text = Callback::new(move |_| format!("size {:.3}", figure.half.get()));
    view! {
        <svg class="plot plot-square" viewBox="0 0 400 400" role="group" aria-label="Input plane: point p and a square of nudges">
            <clipPath id="square-window"><rect width="400" height="400"></rect></clipPath>
            <rect class="plot-frame" width="400" height="400"></rect>
            <g clip-path="url(#square-window)">
                <path class="square-grid" data-idea=NUDGES[0] d=along_x></path>
                <path class="square-grid" data-idea=NUDGES[1] d=along_y></path>
                <path class="square-crease" d=crease></path>
                <path class="square-nudges" d=outline></path>
            </g>
            <path class="square-stem" d=stem></path>
            <PlaceName text="size" place=Signal::derive(move || Some(frame.to_svg(knob_at.get()))) />
            <PlaceName text="p" place=Signal::derive(move || Some(frame.to_svg(figure.p.get()))) />
            {arrows}
            <Handle
                label="size of the square"
                at=knob_at
                on_move=Callback::new(move |place| figure.half.set(half_from_knob(figure.p.get_untracked(), place)))
                frame=frame
                home=Signal::derive(move || knob(figure.p.get(), super::state::HOME_HALF))
                step=0.02
                say=size_text
                idea="size"
                hit_radius=30.0
                on_drag=figure.on_drag()
            />
            <Handle
                label="point p"
                at=figure.p
                on_move=Callback::new(move |place| figure.p.set(place))
                frame=frame
                home=Signal::derive(move || figure.kind.get().home())
                step=0.05
                idea="none"
                hit_radius=32.0
                on_drag=figure.on_drag()
            />
        </svg>
    }
}

/// Right: the grid's image, the true image of the square, and the parallelogram of the Jacobian.
#[component]
pub fn OutputPlane(figure: Figure) -> impl IntoView {
    let frame = figure.window;
    let family = move |along_x: bool| {
        figure.lines.with(|lines| {
            polylines(
                &frame.get(),
                if along_x {
                    &lines.along_x
                } else {
                    &lines.along_y
                },
            )
        })
    };
    let path = move |pick: fn(&super::state::Scene) -> Vec<Point>| {
        move || {
            figure.scene.with(|scene| {
                scene
                    .as_ref()
                    .map(|scene| polyline(&frame.get(), &pick(scene), true))
            })
        }
    };
    let ghost = move || {
        figure.ghost.with(|ghost| {
            ghost
                .as_ref()
                .map(|outline| polyline(&frame.get(), outline, true))
        })
    };
    let arrows = [0, 1].map(|index| {
        let ends = Signal::derive(move || {
            let frame = frame.get();
            figure.scene.with(|scene| {
                scene.as_ref().map_or([[0.0; 2]; 2], |s| {
                    [s.value, s.tips()[index]].map(|q| frame.to_svg([q.x, q.y]))
                })
            })
        });
        view! { <ArrowMark figure index ends label=Signal::stored(String::new()) /> }
    });
    let name_at = move |index: usize| {
        Signal::derive(move || {
            let frame = frame.get();
            let to = |q: Point| frame.to_svg([q.x, q.y]);
            figure.scene.with(|scene| {
                let s = scene.as_ref()?;
                let outline: Vec<_> = s
                    .image
                    .iter()
                    .copied()
                    .chain(s.parallelogram())
                    .map(to)
                    .collect();
                Some(place_of(index, &outline, to(s.value), s.tips().map(to)))
            })
        })
    };
    let names = [0, 1].map(|index| {
        let nudge = figure.nudge_name(index);
        view! { <OutsideName place=name_at(index) name=Signal::derive(move || format!("J {}", nudge.get())) idea=NUDGES[index] /> }
    });
    let place = move || {
        figure.scene.with(|scene| {
            scene
                .as_ref()
                .map(|s| frame.get().to_svg([s.value.x, s.value.y]))
        })
    };
    let crease = move || {
        let map = figure
            .kind
            .get()
            .analytic()
            .filter(|_| figure.kind.get() == MapKind::Fold)?;
        let points: Vec<Point> = crease_points()
            .map(|p| geometry::SmoothMap::value(&map, p))
            .collect();
        Some(polyline(&frame.get(), &points, false))
    };
    view! {
        <svg class="plot plot-square" viewBox="0 0 400 400" role="img" aria-label=move || figure.output_label()>
            <rect class="plot-frame" width="400" height="400"></rect>
            <g clip-path="url(#square-window)">
                <path class="square-grid" data-idea=NUDGES[0] d=move || family(true)></path>
                <path class="square-grid" data-idea=NUDGES[1] d=move || family(false)></path>
                <path class="square-crease" d=crease></path>
                <path class="square-ghost" d=ghost></path>
                <path class="plot-fill" data-idea="output" d=path(|s| s.image.clone())></path>
                <path class="square-image" data-idea="output" d=path(|s| s.image.clone())></path>
                <path class="square-prediction" data-idea="transport" d=path(|s| s.parallelogram().to_vec())></path>
            </g>
            {arrows}
            {names}
            <OutsideName place=name_at(2) name="F(p)" />
            <circle
                class="square-value"
                r="5"
                cx=move || place().map(|[x, _]| x)
                cy=move || place().map(|[_, y]| y)
                visibility=move || if place().is_some() { "visible" } else { "hidden" }
            ></circle>
        </svg>
    }
}

/// A name beside a point, below it and to the left, where no arrow points.
#[component]
fn PlaceName(text: &'static str, place: Signal<Option<[f64; 2]>>) -> impl IntoView {
    let shift = move |index: usize, by: f64| {
        move || place.get().map(|place| format!("{:.1}", place[index] + by))
    };
    let visible = move || {
        if place.get().is_some() {
            "visible"
        } else {
            "hidden"
        }
    };
    view! {
        <text class="plot-label" text-anchor="end" x=shift(0, -10.0) y=shift(1, 20.0) visibility=visible>
            {text}
        </text>
    }
}

/// One arrow with its label, tied to its column of the matrix by colour and by hover.
#[component]
pub fn ArrowMark(
    figure: Figure,
    /// Which nudge, 0 or 1.
    index: usize,
    /// Both ends in user units.
    #[prop(into)]
    ends: Signal<[[f64; 2]; 2]>,
    /// Label at the tip.
    #[prop(into)]
    label: Signal<String>,
) -> impl IntoView {
    let drawn = Memo::new(move |_| {
        let [from, to] = ends.get();
        arrow(from, to, index == 1)
    });
    view! {
        <g
            class="square-arrow"
            data-idea=NUDGES[index]
            data-chosen=move || (figure.highlight.get() == Some(index)).to_string()
            on:pointerenter=move |_| figure.highlight.set(Some(index))
            on:pointerleave=move |_| figure.highlight.set(None)
        >
            <path class="plot-arrow" d=move || drawn.with(|a| a.shaft.clone())></path>
            <path class="plot-arrow-head" data-open=(index == 1).to_string() d=move || drawn.with(|a| a.head.clone())></path>
            <text
                class="plot-label"
                data-idea=NUDGES[index]
                text-anchor=move || drawn.with(|a| a.anchor)
                dominant-baseline="middle"
                x=move || drawn.with(|a| format!("{:.1}", a.label[0]))
                y=move || drawn.with(|a| format!("{:.1}", a.label[1]))
            >
                {label}
            </text>
        </g>
    }
}

fn corners(square: Square) -> Vec<Point> {
    square.corner_nudges().map(|d| square.centre + d).to_vec()
}

fn crease_points() -> impl Iterator<Item = Point> {
    (0..=48).map(|i| Point::new(f64::from(i) / 24.0 - 1.0, 0.0))
}

fn crease_line(frame: &Frame) -> String {
    polyline(frame, &crease_points().collect::<Vec<_>>(), false)
}
