//! The plane: rays and cones, the activation, the nearest point and the residual.

use super::signals::Figure;
use super::state::{DEPTH, EXTENT, Movable, Scene, Settings, WORDS};
use crate::controls::{Frame, Handle};
use crate::figures::draw::{polyline, polylines};
use crate::figures::numbers::{number, small_or_zero};
use crate::figures::plane::{ArrowTo, PlaceName, shown};
use crate::figures::ring::up_to_ring;
use geometry::Point;
use leptos::prelude::*;

/// Height of the drawing in user units; it is 400 wide.
const HEIGHT: f64 = 200.0 / EXTENT * (EXTENT + DEPTH);
/// The plane.
const FRAME: Frame = Frame {
    x: [-EXTENT, EXTENT],
    y: [-DEPTH, EXTENT],
    left: 0.0,
    top: 0.0,
    width: 400.0,
    height: HEIGHT,
};

/// The drawing.
#[component]
pub fn Plane(figure: Figure) -> impl IntoView {
    let Figure {
        settings,
        scene,
        way,
    } = figure;
    let origin = FRAME.to_svg([0.0, 0.0]);
    let axes = polylines(
        &FRAME,
        &[
            vec![Point::new(-EXTENT, 0.0), Point::new(EXTENT, 0.0)],
            vec![Point::new(0.0, -DEPTH), Point::new(0.0, EXTENT)],
        ],
    );
    let nearest = move || scene.with(|s| FRAME.to_svg(s.nearest.point.into()));
    let residual = move || scene.with(|s| polyline(&FRAME, &[s.h, s.nearest.point], false));
    let sides = move || {
        scene.with(|s| {
            let mix = s.drawn(way.get());
            let lines = s.parts(mix).into_iter().map(|part| vec![part, mix.point]);
            let lines = lines.chain(
                s.parts(mix)
                    .into_iter()
                    .map(|part| vec![Point::zeros(), part]),
            );
            polylines(&FRAME, &lines.collect::<Vec<_>>())
        })
    };
    let vectors = (0..WORDS.len()).map(|i| {
        let ends = Signal::derive(move || up_to_ring([origin, FRAME.to_svg(settings.get().vectors[i])]));
        view! { <ArrowTo ends idea="token" name="" /> <PlaceName at=Signal::derive(move || Some(FRAME.to_svg(settings.get().vectors[i]))) name=WORDS[i] by=Signal::derive(move || beside_ray(settings.get().vectors[i])) /> }
    }).collect_view();
    let handles = (0..WORDS.len())
        .map(|i| view! { <Move figure what=Movable::Vector(i) /> })
        .collect_view();
    view! {
        <svg class="plot cone-plane" viewBox=format!("0 0 400 {HEIGHT}") role="group" aria-label="Plane with an activation, four vectors, and the cones that they span">
            <clipPath id="cone-window"><rect width="400" height=HEIGHT.to_string()></rect></clipPath>
            <rect class="plot-frame" width="400" height=HEIGHT.to_string()></rect>
            <g clip-path="url(#cone-window)">
                <path class="plane-axes" d=axes></path>
                <Space figure />
                <path class="cone-sides" d=sides></path>
                <path class="cone-residual" d=residual></path>
            </g>
            {vectors}
            <ArrowTo ends=Signal::derive(move || up_to_ring([origin, FRAME.to_svg(settings.get().h)])) idea="activation" name="" open=true />
            <PlaceName at=Signal::derive(move || Some(FRAME.to_svg(settings.get().h))) name="h" by=[12.0, -14.0] />
            <path class="cone-nearest" d="M0 -8L8 0L0 8L-8 0Z" transform=move || { let [x, y] = nearest(); format!("translate({x:.1} {y:.1})") } visibility=move || shown(scene.with(|s| !s.is_exact()))></path>
            {handles}
            <Move figure what=Movable::Activation />
        </svg>
    }
}

/// Where a vector's name stands, from its tip: above it, and on the side that neither its shaft nor its ray is on.
fn beside_ray([x, y]: [f64; 2]) -> [f64; 2] {
    [if x * y > 0.0 { -14.0 } else { 14.0 }, -14.0]
}

/// The J-space of the cartoon: rays for one word, wedges for two; the one that holds the nearest point stands out.
#[component]
fn Space(figure: Figure) -> impl IntoView {
    let scene = figure.scene;
    let rays = move || {
        scene.with(|s| {
            let ray = |v: &Point| vec![Point::zeros(), v.normalize() * (4.0 * EXTENT)];
            polylines(&FRAME, &s.vectors.iter().map(ray).collect::<Vec<_>>())
        })
    };
    let chosen_ray = move || {
        scene.with(|s| match s.nearest.of[..] {
            [one] => polyline(
                &FRAME,
                &[Point::zeros(), s.vectors[one].normalize() * (4.0 * EXTENT)],
                false,
            ),
            _ => String::new(),
        })
    };
    let wedges = move || {
        scene.with(|s| {
            let all = s.wedges();
            let path = |(_, corners): &([usize; 2], [Point; 4])| polyline(&FRAME, corners, true);
            if s.settings.k < 2 {
                String::new()
            } else {
                all.iter().map(path).collect()
            }
        })
    };
    let chosen_wedge = move || {
        scene.with(|s| {
            let wedge = s.wedges().into_iter().find(|(of, _)| s.nearest.of == of);
            wedge.map_or_else(String::new, |(_, corners)| polyline(&FRAME, &corners, true))
        })
    };
    view! {
        // a drawing of its own, because it ends at the frame: rays and cones do not
        <svg class="cone-clip" width="400" height=HEIGHT.to_string()>
            <path class="cone-wedges" d=wedges></path>
            <path class="cone-wedge" d=chosen_wedge></path>
            <path class="cone-rays" d=rays></path>
            <path class="cone-ray" d=chosen_ray></path>
        </svg>
    }
}

/// A handle of the activation or of a vector.
#[component]
fn Move(figure: Figure, what: Movable) -> impl IntoView {
    let Figure {
        settings, scene, ..
    } = figure;
    let (label, idea) = match what {
        Movable::Activation => ("activation h", "activation"),
        Movable::Vector(i) => (
            [
                "vector of spider",
                "vector of web",
                "vector of ant",
                "vector of eight",
            ][i % 4],
            "token",
        ),
    };
    let say = move |[x, y]: [f64; 2]| match what {
        Movable::Activation => {
            let (cone, left) =
                scene.with(|s: &Scene| (s.cone(), small_or_zero(s.nearest.residual)));
            format!(
                "{}, {}; nearest in {cone}, residual {left}",
                number(x, 2),
                number(y, 2)
            )
        }
        Movable::Vector(_) => format!("{}, {}", number(x, 2), number(y, 2)),
    };
    view! {
        <Handle
            label
            at=Signal::derive(move || settings.get().place(what))
            on_move=Callback::new(move |place| settings.update(|s| *s = s.moved(what, place)))
            frame=FRAME
            home=Signal::stored(Settings::default().place(what))
            step=0.05
            say=Callback::new(say)
            idea
            hit_radius=30.0
        />
    }
}
