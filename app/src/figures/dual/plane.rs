//! The plane of the two words, and the remainder beside it.

use super::signals::Figure;
use super::state::{EXTENT, Movable, REMAINDER, Scene, Settings, Way};
use crate::controls::{Frame, Handle};
use crate::figures::draw::polylines;
use crate::figures::numbers::number;
use crate::figures::parts::bar;
use crate::figures::plane::{ArrowTo, PlaceName};
use crate::figures::ring::up_to_ring;
use geometry::Point;
use leptos::prelude::*;

/// The plane, 400 user units per side.
const FRAME: Frame = Frame::square(EXTENT, 400.0);

/// Both vectors, the activation with its amounts, and where the exchange takes it.
#[component]
pub fn Plane(figure: Figure) -> impl IntoView {
    let Figure {
        settings, scene, ..
    } = figure;
    let origin = FRAME.to_svg([0.0, 0.0]);
    let at = move |what: Movable| move || FRAME.to_svg(settings.get().place(what));
    let axes = move || {
        let s = settings.get();
        let line = |v: [f64; 2]| {
            let far = Point::from(v).normalize() * (2.0 * EXTENT);
            vec![-far, far]
        };
        polylines(&FRAME, &[line(s.source), line(s.target)])
    };
    let construction = move |pick: fn(&Scene) -> Vec<Vec<Point>>| {
        move || scene.with(|s| s.as_ref().map(|s| polylines(&FRAME, &pick(s))))
    };
    let dual = |index: usize| {
        let tip = move || scene.with(|s| s.as_ref().map(|s| s.duals[index].into()));
        let ends = move || [origin, tip().map_or(origin, |tip| FRAME.to_svg(tip))];
        let inside = move || tip().filter(|tip| FRAME.clamp(*tip) == *tip);
        let at = Signal::derive(move || inside().map(|tip| FRAME.to_svg(tip)));
        view! {
            <ArrowTo ends=Signal::derive(ends) idea="transport" name="" thin=true open={index == 1} />
            <PlaceName at name=["dual of spider", "dual of ant"][index] by=[12.0, 20.0] />
        }
    };
    let after = move || scene.with(|s| s.as_ref().map(|s| FRAME.to_svg(s.shown().after.into())));
    let change = Signal::derive(move || {
        let from = at(Movable::Activation)();
        [from, after().unwrap_or(from)]
    });
    view! {
        <svg class="plot plot-square" viewBox="0 0 400 400" role="group" aria-label="Plane of the two words: their vectors, the activation, and the activation after the exchange">
            <clipPath id="dual-window"><rect width="400" height="400"></rect></clipPath>
            <rect class="plot-frame" width="400" height="400"></rect>
            <g clip-path="url(#dual-window)">
                <path class="plane-axes" d=axes></path>
                <path class="dual-before" d=construction(before)></path>
                <path class="dual-after" d=construction(wished)></path>
                <g class="dual-duals">{dual(0)}{dual(1)}</g>
                <ArrowTo ends=Signal::derive(move || up_to_ring([origin, at(Movable::Source)()])) idea="token" name="" />
                <ArrowTo ends=Signal::derive(move || up_to_ring([origin, at(Movable::Target)()])) idea="token" name="" open=true />
                <ArrowTo ends=change idea="output" name="h′" />
            </g>
            <PlaceName at=Signal::derive(move || Some(at(Movable::Source)())) name="spider" by=[12.0, 26.0] />
            <PlaceName at=Signal::derive(move || Some(at(Movable::Target)())) name="ant" by=[-16.0, 5.0] />
            <Name at=Signal::derive(at(Movable::Activation)) />
            <Move figure what=Movable::Source />
            <Move figure what=Movable::Target />
            <Move figure what=Movable::Activation />
        </svg>
    }
}

/// How the amounts of h are found: by going along both vectors (a parallelogram), or straight down onto each.
fn before(scene: &Scene) -> Vec<Vec<Point>> {
    let part = |i: usize| scene.vectors[i] * scene.shown().before[i];
    let feet = [0, 1].map(|i| vec![part(i), scene.h]);
    let sides = [0, 1].map(|i| vec![Point::zeros(), part(i)]);
    match scene.settings.way {
        Way::Dual => feet.into_iter().chain(sides).collect(),
        Way::Dots => feet.to_vec(),
    }
}

/// Where h should go: the same amounts, the other way round.
fn wished(scene: &Scene) -> Vec<Vec<Point>> {
    let ([s, t], [source, target]) = (scene.dual.before, scene.vectors);
    let parts = [source * t, target * s];
    parts
        .into_iter()
        .map(|part| vec![part, parts[0] + parts[1]])
        .collect()
}

/// The name of the activation, to the right of its handle, away from the arrow of the change; only at the very edge to the left.
#[component]
fn Name(at: Signal<[f64; 2]>) -> impl IntoView {
    let inside = move || at.get()[0] < 372.0;
    let x = move || at.get()[0] + if inside() { 18.0 } else { -18.0 };
    view! {
        <g class="plane-arrow" data-idea="activation">
            <text
                class="plot-label"
                data-idea="activation"
                text-anchor=move || if inside() { "start" } else { "end" }
                dominant-baseline="middle"
                x=move || format!("{:.1}", x())
                y=move || format!("{:.1}", at.get()[1])
            >
                "h"
            </text>
        </g>
    }
}

/// One handle.
#[component]
fn Move(figure: Figure, what: Movable) -> impl IntoView {
    let Figure {
        settings, scene, ..
    } = figure;
    let (label, idea) = match what {
        Movable::Source => ("vector of spider", "token"),
        Movable::Target => ("vector of ant", "token"),
        Movable::Activation => ("activation h", "activation"),
    };
    let say = move |[x, y]: [f64; 2]| {
        let amounts = scene.with(|s| s.as_ref().map(|s| s.dual.before.map(|c| number(c, 2))));
        let amounts =
            amounts.map_or_else(String::new, |[s, t]| format!("; {s} of spider, {t} of ant"));
        format!("{}, {}{amounts}", number(x, 2), number(y, 2))
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

/// The part of h that neither word reaches: out of the plane, before and after.
#[component]
pub fn Remainder(figure: Figure) -> impl IntoView {
    let rest = move |index: usize| {
        let scene = figure.scene;
        move || scene.with(|s| s.as_ref().map_or(0.0, |s| s.whole()[index][2]))
    };
    let row = |index: usize| {
        let rest = rest(index);
        view! {
            <tr>
                <th scope="row">{["before", "after"][index]}</th>
                <td class="readout-bar">{move || bar((rest() / REMAINDER) as f32)} <span class="num">{move || number(rest(), 2)}</span></td>
            </tr>
        }
    };
    view! {
        <div class="panel">
            <table class="readout dual-remainder">
                <caption>{format!("The remainder r, which stands out of the plane; bars end at {REMAINDER:.1}")}</caption>
                <tbody>{row(0)}{row(1)}</tbody>
            </table>
        </div>
    }
}
