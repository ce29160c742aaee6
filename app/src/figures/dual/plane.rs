//! The plane of the two words, and the remainder beside it.

use super::state::{EXTENT, Movable, REMAINDER, Scene, Settings, Way};
use super::view::Figure;
use crate::controls::{Frame, Handle};
use crate::figures::draw::polylines;
use crate::figures::numbers::number;
use crate::figures::plane::{ArrowTo, PlaceName, shown};
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
            <PlaceName at name=["dual of spider", "dual of ant"][index] by=[8.0, 18.0] />
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
                <ArrowTo ends=Signal::derive(move || [origin, at(Movable::Source)()]) idea="token" name="" />
                <ArrowTo ends=Signal::derive(move || [origin, at(Movable::Target)()]) idea="token" name="" open=true />
                <ArrowTo ends=change idea="output" name="h′" />
            </g>
            <PlaceName at=Signal::derive(move || Some(at(Movable::Source)())) name="spider" by=[12.0, 26.0] />
            <PlaceName at=Signal::derive(move || Some(at(Movable::Target)())) name="ant" by=[-16.0, 5.0] />
            <PlaceName at=Signal::derive(move || Some(at(Movable::Activation)())) name="h" by=[14.0, -12.0] />
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
    let scene = figure.scene;
    let bar = move |index: usize| {
        let height = move || {
            let rest = scene.with(|s| s.as_ref().map_or(0.0, |s| s.whole()[index][2]));
            rest / REMAINDER * 300.0
        };
        let x = [34.0, 94.0][index];
        view! {
            <rect class="dual-rest" data-idea="activation" x=x.to_string() width="30" y=move || format!("{:.1}", 340.0 - height()) height=move || format!("{:.1}", height())></rect>
            <text x=(x + 15.0).to_string() y="362" text-anchor="middle">{["before", "after"][index]}</text>
        }
    };
    let label = move || {
        let rest = scene.with(|s| s.as_ref().map(|s| s.whole().map(|w| number(w[2], 2))));
        rest.map_or_else(String::new, |[a, b]| {
            format!("Remainder: {a} before the exchange, {b} after it")
        })
    };
    view! {
        <svg class="plot dual-remainder" viewBox="0 0 160 400" role="img" aria-label=label visibility=move || shown(scene.with(Option::is_some))>
            <path class="plane-axes" d="M20 340L150 340M20 340L20 30"></path>
            <text x="80" y="20" text-anchor="middle">"remainder r"</text>
            {bar(0)}
            {bar(1)}
            <text x="80" y="388" text-anchor="middle">"out of the plane"</text>
        </svg>
    }
}
