//! Beside the plane: the nearest point in numbers, and all the ways to write the activation with two words.

use super::signals::Figure;
use super::state::{Scene, WORDS};
use crate::figures::numbers::{number, small_or_zero};
use crate::figures::plane::Measure;
use geometry::cone::Mix;
use leptos::prelude::*;

/// The nearest point.
#[component]
pub fn Nearest(figure: Figure) -> impl IntoView {
    let scene = figure.scene;
    let text = move |pick: fn(&Scene) -> String| Signal::derive(move || scene.with(pick));
    let least = |s: &Scene| {
        s.nearest
            .amounts
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
    };
    view! {
        <div class="panel">
            <h4 class="panel-title">"The nearest point"</h4>
            <p class="cone-formula" data-measure="formula">{text(|s| Scene::formula(&s.nearest))}</p>
            <dl class="plane-measures">
                <Measure name="lies in" id="cone" value=text(Scene::cone) />
                <Measure name="residual |h − point|" id="residual" value=text(|s| small_or_zero(s.nearest.residual)) />
                <Measure name="explained: 1 − residual² / |h|²" id="explained" value=text(Scene::explained) />
                <Measure name="least amount" id="least" value=Signal::derive(move || scene.with(|s| if s.nearest.of.is_empty() { "none".to_owned() } else { number(least(s), 2) })) />
            </dl>
            <p class="panel-note">"Exact for this plane: every ray, and every cone between two of them, is looked at. Amounts may not be negative, so the other side of a ray is out of reach."</p>
        </div>
    }
}

/// All exact pairs; pressing one draws it.
#[component]
pub fn Ways(figure: Figure) -> impl IntoView {
    let Figure { scene, way, .. } = figure;
    let row = move |(index, mix): (usize, Mix)| {
        let words = mix
            .of
            .iter()
            .map(|i| WORDS[*i])
            .collect::<Vec<_>>()
            .join(" and ");
        let pressed = move || (way.get() == Some(index)).to_string();
        let press = move |_| way.update(|now| *now = (*now != Some(index)).then_some(index));
        view! {
            <li>
                <button type="button" class="btn cone-way" aria-pressed=pressed on:click=press data-words=words>
                    <span>"h = " {Scene::formula(&mix)}</span>
                </button>
            </li>
        }
    };
    let list = move || {
        scene
            .get()
            .ways
            .into_iter()
            .enumerate()
            .map(row)
            .collect_view()
    };
    let number_of = move || scene.with(|s| s.ways.len());
    let title = move || match number_of() {
        1 => " way to write h with two words",
        _ => " ways to write h with two words",
    };
    let count = move || match scene.with(|s| s.ways.len()) {
        0 => "No two words, with positive amounts, give h exactly. Move h between the vectors.",
        1 => {
            "There is one way only: h lies between two neighbouring vectors, and no others surround it."
        }
        _ => {
            "All are exact. Half of one and half of another is again a way, with more words; so is any other mixture. There are infinitely many."
        }
    };
    view! {
        <div class="panel">
            <h4 class="panel-title"><span data-measure="ways">{number_of}</span> {title}</h4>
            <p class="panel-note cone-hint" hidden=move || number_of() == 0>"Press one to draw it."</p>
            <ul class="cone-ways">{list}</ul>
            <p class="panel-note">{count}</p>
        </div>
    }
}
