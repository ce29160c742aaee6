//! The three planes: the square, its image under the first map, and its image under both.

use super::signals::Figure;
use super::state::{Scene, Settings, Stage};
use crate::controls::{Frame, Handle};
use crate::figures::draw::{polyline, polylines, straight_grid};
use crate::figures::numbers::number;
use crate::figures::plane::{ArrowTo, PlaceName};
use crate::figures::square::maps::{EXTENT, Lines, image_lines, lines_window};
use crate::figures::square::outside::{OutsideName, place_of};
use crate::figures::square::state::{half_from_knob, knob};
use geometry::Point;
use leptos::prelude::*;

/// User units per side.
const SIZE: f64 = 400.0;
/// Colours of the two nudges.
pub const NUDGES: [&str; 2] = ["token", "activation"];

/// The point and the square of nudges around it.
#[component]
pub fn Input(figure: Figure) -> impl IntoView {
    let Figure {
        settings, scene, ..
    } = figure;
    let frame = Frame::square(EXTENT, SIZE);
    let [along_x, along_y] = straight_grid(&frame, 17);
    let p = Signal::derive(move || settings.with(|s| s.p));
    let knob_at = Signal::derive(move || settings.with(|s| knob(s.p, s.half)));
    let outline = move || {
        scene.with(|s| {
            let corners = s.square.corner_nudges().map(|d| s.square.centre + d);
            polyline(&frame, &corners, true)
        })
    };
    // From the corner of the square to the handle of its size.
    let stem = move || {
        let (p, half, [x, y]) = (p.get(), settings.with(|s| s.half), knob_at.get());
        let corner = Point::new(
            p[0] + half * (x - p[0]).signum(),
            p[1] + half * (y - p[1]).signum(),
        );
        polyline(&frame, &[corner, Point::new(x, y)], false)
    };
    let arrows = [0, 1].map(|index| {
        let ends = move || {
            scene.with(|s| {
                let [from, by] = [s.square.centre, s.square.basis_nudges()[index]];
                [from, from + by].map(|q| frame.to_svg(q.into()))
            })
        };
        view! { <ArrowTo ends=Signal::derive(ends) idea=NUDGES[index] name=["e₁", "e₂"][index] open={index == 1} /> }
    });
    let home = Settings::default();
    view! {
        <div>
            <h4 class="panel-title">"A square of nudges around p"</h4>
            <svg class="plot plot-square" viewBox="0 0 400 400" role="group" aria-label="First plane: point p and a square of nudges">
                <clipPath id="chain-window"><rect width="400" height="400"></rect></clipPath>
                <rect class="plot-frame" width="400" height="400"></rect>
                <g clip-path="url(#chain-window)">
                    <path class="chain-grid" data-idea=NUDGES[0] d=along_x></path>
                    <path class="chain-grid" data-idea=NUDGES[1] d=along_y></path>
                    <path class="plane-true" d=outline></path>
                </g>
                <path class="plane-stem" d=stem></path>
                {arrows}
                <PlaceName at=Signal::derive(move || Some(frame.to_svg(p.get()))) name="p" />
                <PlaceName at=Signal::derive(move || Some(frame.to_svg(knob_at.get()))) name="size" />
                <Handle
                    label="size of the square"
                    at=knob_at
                    on_move=Callback::new(move |place| settings.update(|s| *s = s.sized(half_from_knob(s.p, place))))
                    frame=frame
                    home=Signal::derive(move || knob(p.get(), home.half))
                    step=0.02
                    say=Callback::new(move |_| format!("size {}", number(settings.with(|s| s.half), 3)))
                    idea="size"
                    hit_radius=30.0
                />
                <Handle
                    label="point p"
                    at=p
                    on_move=Callback::new(move |place| settings.update(|s| *s = s.at(place)))
                    frame=frame
                    home=Signal::stored(home.p)
                    step=0.05
                    idea="none"
                    hit_radius=32.0
                />
            </svg>
        </div>
    }
}

/// A plane behind the first map, or behind both.
#[component]
pub fn After(figure: Figure, both: bool) -> impl IntoView {
    let Figure {
        settings, scene, ..
    } = figure;
    let maps = Memo::new(move |_| settings.with(|s| (s.first, s.second)));
    let lines = Memo::new(move |_| {
        maps.track();
        let maps = settings.with_untracked(Settings::maps);
        if both {
            image_lines(&maps)
        } else {
            image_lines(&maps.first)
        }
    });
    let frame = Memo::new(move |_| lines.with(|lines| lines_window(lines, SIZE)));
    let family = move |pick: fn(&Lines) -> &Vec<Vec<Point>>| {
        move || lines.with(|lines| polylines(&frame.get(), pick(lines)))
    };
    let stage = move |scene: &Scene| -> Stage {
        if both {
            scene.end.clone()
        } else {
            scene.middle.clone()
        }
    };
    let path = move |pick: fn(&Stage) -> Vec<Point>| {
        move || polyline(&frame.get(), &pick(&scene.with(stage)), true)
    };
    let arrows = [0, 1].map(|index| {
        let ends = move || {
            let stage = scene.with(stage);
            [stage.value, stage.tips[index]].map(|q| frame.get().to_svg(q.into()))
        };
        view! { <ArrowTo ends=Signal::derive(ends) idea=NUDGES[index] name="" open={index == 1} /> }
    });
    let name_at = move |index: usize| {
        Signal::derive(move || {
            let (frame, stage) = (frame.get(), scene.with(stage));
            let to = |q: Point| frame.to_svg(q.into());
            let outline = stage.image.iter().copied().chain(stage.parallelogram);
            let outline: Vec<_> = outline.map(to).collect();
            let place = place_of(index, &outline, to(stage.value), stage.tips.map(to));
            Some(place)
        })
    };
    let names = [0, 1].map(|index| {
        let name = match (both, index) {
            (false, 0) => "J_f e₁",
            (false, _) => "J_f e₂",
            (true, 0) => "J e₁",
            (true, _) => "J e₂",
        };
        view! { <OutsideName place=name_at(index) name=name idea=NUDGES[index] /> }
    });
    let value = move || frame.get().to_svg(scene.with(stage).value.into());
    let (title, place) = if both {
        ("After both: g(f(p))", "g(f(p))")
    } else {
        ("After the first map: f(p)", "f(p)")
    };
    let label = move || {
        format!(
            "{title}: true image of the square, and the parallelogram that the matrices predict"
        )
    };
    view! {
        <div>
            <h4 class="panel-title">{title}</h4>
            <svg class="plot plot-square" viewBox="0 0 400 400" role="img" aria-label=label>
                <rect class="plot-frame" width="400" height="400"></rect>
                <g clip-path="url(#chain-window)">
                    <path class="chain-grid" data-idea=NUDGES[0] d=family(|lines| &lines.along_x)></path>
                    <path class="chain-grid" data-idea=NUDGES[1] d=family(|lines| &lines.along_y)></path>
                    <path class="plane-true" d=path(|s| s.image.clone())></path>
                    <path class="plane-linear" d=path(|s| s.parallelogram.to_vec())></path>
                </g>
                {arrows}
                {names}
                <OutsideName place=name_at(2) name=place />
                <circle class="plane-value" r="5" cx=move || value()[0] cy=move || value()[1]></circle>
            </svg>
        </div>
    }
}
