//! The two layer x position maps.

use super::settings::{At, Lens, step};
use super::signals::{Hero, Shown};
use super::state::tint;
use crate::controls::{Button, Segmented};
use crate::figures::columns::WholeColumns;
use crate::figures::grid::focus_cell;
use crate::figures::plane::SummaryLine;
use crate::figures::text::quoted;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::KeyboardEvent;

/// Both maps, linked; on a narrow screen one at a time.
#[component]
pub fn Maps(hero: Hero) -> impl IntoView {
    let lens = hero.get(|s| s.lens);
    let show = move |lens| hero.settings.update(|s| s.amend(|now| now.lens = lens));
    view! {
        <div class="hero-switch">
            <Segmented
                legend="Map shown"
                name="hero-map"
                options=vec![(Lens::Logit, "logit lens"), (Lens::Jacobian, "Jacobian lens")]
                value=lens
                on_change=show
            />
        </div>
        <div class="figure-cols hero-maps" data-shown=move || lens.get().id()>
            <LensMap hero=hero lens=Lens::Logit />
            <LensMap hero=hero lens=Lens::Jacobian />
        </div>
        <Summary hero=hero />
    }
}

/// One sentence about the chosen cell.
#[component]
fn Summary(hero: Hero) -> impl IntoView {
    let at = hero.at;
    let text = Memo::new(move |_| {
        hero.shown.with(|s| {
            s.as_ref()
                .map_or_else(String::new, |s| s.readings.summary(at.get()))
        })
    });
    view! { <SummaryLine text=text /> }
}

#[component]
fn LensMap(hero: Hero, lens: Lens) -> impl IntoView {
    let at = hero.at;
    let heads = Memo::new(move |_| {
        hero.shown.with(|s| {
            s.as_ref()
                .map_or_else(Vec::new, |s| s.readings.words.clone())
        })
    });
    let hits = move || {
        hero.shown.with(|s| {
            let readings = &s.as_ref()?.readings;
            let cells = match readings.hits(lens) {
                1 => "1 cell".to_owned(),
                n => format!("{n} cells"),
            };
            Some(format!("{} on top in {cells}", quoted(&readings.tracked)))
        })
    };
    let jump = move |()| {
        let best = hero
            .shown
            .with_untracked(|s| s.as_ref().and_then(|s| s.readings.best(lens)));
        if let Some(at) = best {
            hero.look(at, lens);
        }
    };
    let shown_lens = hero.get(|s| s.lens);
    view! {
        <div class="hero-map" data-lens=lens.id()>
            // The hero stands right below the page's title, so its panels are of the second rank.
            <div class="hero-map-head">
                <h2 class="panel-title">{lens.name()}</h2>
                <span class="hero-hits">{hits}</span>
                <Button label="go to its best cell" kind="btn-quiet btn-small" on_press=jump />
            </div>
            <WholeColumns
                heads=heads
                at=Signal::derive(move || at.get().position)
                goal=Signal::derive(move || heads.with(Vec::len).saturating_sub(1))
                first=hero.first
                again=Signal::derive(move || shown_lens.get() == lens)
            >
                <div class="map-scroll" role="region" aria-label=format!("{}, layers by positions", lens.name())>
                    {move || hero.shown.get().map(|shown| table(hero, lens, &shown, at))}
                </div>
            </WholeColumns>
        </div>
    }
}

fn table(hero: Hero, lens: Lens, shown: &Arc<Shown>, at: Memo<At>) -> impl IntoView + use<> {
    let readings = &shown.readings;
    let (layers, tokens) = (readings.layers, readings.tokens());
    let heads = readings
        .words
        .iter()
        .map(|word| view! { <th scope="col">{word.clone()}</th> })
        .collect_view();
    let rows = (0..layers)
        .rev()
        .map(|layer| row(hero, lens, shown, layer, at))
        .collect_view();
    let key = move |event: KeyboardEvent| {
        let (key, ctrl) = (event.key(), event.ctrl_key());
        if let Some(next) = step(at.get_untracked(), &key, ctrl, layers, tokens) {
            event.prevent_default();
            hero.look(next, lens);
            focus_cell(&event, next);
        }
    };
    view! {
        <table class="lens-map" role="grid" data-lens=lens.id() aria-label=lens.name() on:keydown=key>
            <thead>
                <tr>
                    <th scope="col" class="map-corner">"layer"</th>
                    {heads}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn row(
    hero: Hero,
    lens: Lens,
    shown: &Arc<Shown>,
    layer: usize,
    at: Memo<At>,
) -> impl IntoView + use<> {
    let readings = &shown.readings;
    let note = match layer {
        0 => Some("embedding"),
        l if l + 1 == readings.layers => Some("model output"),
        _ => None,
    };
    let cells = (0..readings.tokens())
        .map(|position| cell(hero, lens, shown, At { layer, position }, at))
        .collect_view();
    view! {
        <tr data-layer=layer.to_string()>
            <th scope="row">{layer} {note.map(|note| view! { <span class="hero-layer-note">{note}</span> })}</th>
            {cells}
        </tr>
    }
}

fn cell(
    hero: Hero,
    lens: Lens,
    shown: &Arc<Shown>,
    here: At,
    at: Memo<At>,
) -> impl IntoView + use<> {
    let readings = &shown.readings;
    let rank = readings.rank(lens, here).unwrap_or(u32::MAX);
    let top = readings
        .list(lens, here)
        .first()
        .map(|row| shown.word(row.word))
        .unwrap_or_default();
    let label = readings.cell_label(lens, here, |id| shown.word(id));
    let chosen_in = hero.settings;
    let here_in = move |lens: Lens| at.get() == here && chosen_in.with(|s| s.now().lens == lens);
    view! {
        <td>
            <button
                type="button"
                class="cell"
                data-heat=tint(rank).to_string()
                data-hit=(rank == 1).then_some("true")
                data-layer=here.layer.to_string()
                data-position=here.position.to_string()
                data-linked=move || (at.get() == here && !here_in(lens)).then_some("true")
                aria-pressed=move || here_in(lens).to_string()
                aria-label=label
                tabindex=move || if at.get() == here { "0" } else { "-1" }
                on:click=move |_| hero.look(here, lens)
            >
                <span class="cell-word">{top}</span>
                " "
                <span class="cell-rank">{rank}</span>
            </button>
        </td>
    }
}
