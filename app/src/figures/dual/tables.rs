//! The amounts before and after, and what the dual vectors see.

use super::signals::Figure;
use super::state::{ALIKE, Exchange, Scene, Way};
use crate::figures::numbers::{number, small_or_zero};
use crate::figures::plane::Measure;
use leptos::prelude::*;

/// Amounts of both words: found, wished for, and there after the exchange.
#[component]
pub fn Amounts(figure: Figure) -> impl IntoView {
    let scene = figure.scene;
    let cell = move |pick: fn(&Scene) -> f64| {
        move || {
            scene.with(|s| {
                s.as_ref()
                    .map_or_else(|| "…".to_owned(), |s| number(pick(s), 3))
            })
        }
    };
    let text = move |pick: fn(&Scene) -> String| {
        Signal::derive(move || scene.with(|s| s.as_ref().map_or_else(|| "…".to_owned(), pick)))
    };
    let row = move |name: &'static str, id: &'static str, picks: [fn(&Scene) -> f64; 3]| {
        let [found, wished, after] = picks;
        view! {
            <tr data-row=id>
                <th scope="row" data-idea="token">{name}</th>
                <td class="num">{cell(found)}</td>
                <td class="num">{cell(wished)}</td>
                <td class="num" data-idea="output"><strong>{cell(after)}</strong></td>
            </tr>
        }
    };
    let how = move || match scene.with(|s| s.as_ref().map(|s| s.settings.way)) {
        Some(Way::Dual) => "c = V⁺ h",
        Some(Way::Dots) => "⟨h, v⟩ / ⟨v, v⟩",
        None => "amount",
    };
    let verdict = move || scene.with(|s| s.as_ref().map_or(ALIKE, Scene::verdict));
    view! {
        <div class="panel">
            <h4 class="panel-title">"How much of each word is in h?"</h4>
            <div class="table-scroll" tabindex="0" role="region" aria-label="Amounts of both words">
                <table class="data dual-amounts">
                    <thead>
                        <tr>
                            <th scope="col">"word"</th>
                            <th scope="col" class="num">{how}</th>
                            <th scope="col" class="num">"should become"</th>
                            <th scope="col" class="num">"is in h′"</th>
                        </tr>
                    </thead>
                    <tbody>
                        {row("spider", "source", [|s| s.shown().before[0], |s| s.dual.before[1], |s| s.shown().found[0]])}
                        {row("ant", "target", [|s| s.shown().before[1], |s| s.dual.before[0], |s| s.shown().found[1]])}
                    </tbody>
                </table>
            </div>
            <dl class="plane-measures">
                <Measure name="exchange misses by" id="miss" value=text(|s| small_or_zero(s.miss())) />
                <Measure name="cosine of the two vectors" id="overlap" value=text(|s| number(s.overlap(), 3)) />
                <Measure name="remainder, before and after" id="rest" value=text(|s| { let [a, b] = s.whole(); format!("{} → {}", number(a[2], 2), number(b[2], 2)) }) />
            </dl>
            <p class="panel-note" role="status">{verdict}</p>
        </div>
    }
}

/// What the dual vectors see of the two words: one of itself, nothing of the other.
#[component]
pub fn Products(figure: Figure) -> impl IntoView {
    let scene = figure.scene;
    let cell = move |i: usize, j: usize| {
        let value = move || {
            scene.with(|s| {
                s.as_ref()
                    .map_or_else(|| "…".to_owned(), |s| number(s.products[i][j], 3))
            })
        };
        view! { <td class="num" data-product=format!("{i}{j}")>{value}</td> }
    };
    view! {
        <div class="panel">
            <h4 class="panel-title">"What the dual vectors see"</h4>
            <div class="table-scroll" tabindex="0" role="region" aria-label="Products of dual vectors and vectors">
                <table class="data dual-products">
                    <thead><tr><th scope="col">"⟨ dual, v ⟩"</th><th scope="col" class="num">"spider"</th><th scope="col" class="num">"ant"</th></tr></thead>
                    <tbody>
                        <tr><th scope="row">"dual of spider"</th>{cell(0, 0)}{cell(0, 1)}</tr>
                        <tr><th scope="row">"dual of ant"</th>{cell(1, 0)}{cell(1, 1)}</tr>
                    </tbody>
                </table>
            </div>
            <p class="panel-note">"Each dual vector is blind to the other word: it stands at right angles to it. Turn the vectors towards each other and the dual ones grow long. All numbers are computed from where the vectors stand; this is a cartoon, not the model."</p>
        </div>
    }
}

/// Both exchanges as rows of a table.
pub fn rows(scene: &Scene) -> Vec<Vec<String>> {
    let row = |name: &str, exchange: Exchange| {
        let numbers = exchange
            .before
            .into_iter()
            .chain(exchange.found)
            .chain([exchange.after.x, exchange.after.y]);
        std::iter::once(name.to_owned())
            .chain(numbers.map(|v| number(v, 3)))
            .collect()
    };
    vec![
        row("dual basis", scene.dual),
        row("dot products", scene.dots),
    ]
}
