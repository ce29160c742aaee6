//! The band from inside: how alike the two directions are, and how much of each the clean pass holds.

use super::settings::Kind;
use super::state::Inside;
use super::wire::Swap;
use crate::controls::Segmented;
use leptos::prelude::*;

/// Coordinates per layer, with warnings.
#[component]
pub fn InsidePanel(swap: Swap) -> impl IntoView {
    let kind = swap.get(|s| s.inside);
    let options = Kind::ALL.map(|kind| (kind, kind.short())).to_vec();
    let outcome = Memo::new(move |_| swap.outcomes.with(|o| o.get(0, kind.get()).cloned()));
    let rows = move || {
        outcome.with(|o| {
            o.as_ref()
                .map(|o| o.inside.iter().map(layer_row).collect_view())
        })
    };
    let warning = move || {
        let text = outcome.with(|o| o.as_ref().and_then(|o| o.warning.clone()));
        text.map(|text| view! { <p class="status status-warn" role="status">{text}</p> })
    };
    let name = move |pick: fn(&super::settings::Lab) -> String| {
        move || swap.settings.with(|s| pick(s.now().lab()))
    };
    view! {
        <div class="panel stack">
            <h4 class="panel-title">"Inside the band"</h4>
            <Segmented
                legend="Directions"
                name="swap-inside"
                options=options
                value=kind
                on_change=move |kind| swap.settings.update(|s| s.amend(|now| now.inside = kind))
            />
            {warning}
            <div class="table-scroll" tabindex="0" role="region" aria-label="Coordinates by layer">
                <table class="data">
                    <caption>"Coordinates at the last position of the clean pass"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"layer"</th>
                            <th scope="col" class="num">"cosine of the two"</th>
                            <th scope="col" class="num">{name(|lab| lab.source.clone())}</th>
                            <th scope="col" class="num">{name(|lab| lab.target.clone())}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </div>
    }
}

fn layer_row(inside: &Inside) -> impl IntoView + use<> {
    let number = |value: Option<f32>| {
        value.map_or("–".to_owned(), |value| {
            format!("{value:.2}").replace('-', "−")
        })
    };
    let [source, target] = inside.coordinates.map_or([None, None], |c| c.map(Some));
    view! {
        <tr>
            <th scope="row">{inside.layer}</th>
            <td class="num">{number(inside.cosine)}</td>
            <td class="num">{number(source)}</td>
            <td class="num">{number(target)}</td>
        </tr>
    }
}
