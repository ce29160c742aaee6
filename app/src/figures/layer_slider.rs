//! The slider of a lens's layers, which end below the model's output.

use crate::client::Client;
use crate::controls::Slider;
use leptos::prelude::*;

/// Before the model has come.
const GUESS: usize = 7;

/// A slider from `min` (0, the embedding, if not given) to the last layer that a lens has.
#[component]
pub fn LayerSlider(
    /// Whose layers.
    client: Client,
    /// What it says.
    #[prop(default = "Layer")]
    label: &'static str,
    /// The layer.
    #[prop(into)]
    value: Signal<usize>,
    /// Called with the wished layer.
    #[prop(into)]
    on_change: Callback<usize>,
    /// Lowest layer.
    #[prop(default = 0)]
    min: usize,
) -> impl IntoView {
    let top = move || client.model().map_or(GUESS, |m| m.info.n_layers - 1) as f64;
    view! {
        <Slider
            label=label
            value=Signal::derive(move || value.get() as f64)
            min=min as f64
            max=Signal::derive(top)
            on_change=move |layer: f64| on_change.run(layer as usize)
        />
    }
}
