//! What the parts of the figure share: its signals.

use super::link::from_link;
use super::settings::Settings;
use super::state::{Phase, Run};
use crate::client::{Client, Latest, Pool};
use crate::figures::address;
use leptos::prelude::*;

/// The figure's signals, for its parts.
#[derive(Clone, Copy)]
pub struct Figure {
    /// Line to the model.
    pub client: Client,
    /// For comparisons with the shipped lens.
    pub line: Latest,
    /// Choices for the next fit.
    pub settings: RwSignal<Settings>,
    /// Choices of the fit that is shown.
    pub fitted: RwSignal<Settings>,
    /// How it stands.
    pub run: RwSignal<Run, LocalStorage>,
    /// Its workers.
    pub pool: StoredValue<Option<Pool>>,
    /// Counts fits, to tell late answers.
    pub round: StoredValue<u32>,
    /// How saving or opening went.
    pub file: RwSignal<Option<Result<String, String>>>,
}

impl Figure {
    /// As the address says, or as at first.
    pub fn new(client: Client) -> Self {
        let linked = address::read("fit").and_then(|text| from_link(&text));
        Self {
            client,
            line: client.latest(),
            settings: RwSignal::new(linked.unwrap_or_default()),
            fitted: RwSignal::new(Settings::default()),
            run: RwSignal::new_local(Run::default()),
            pool: StoredValue::new(None),
            round: StoredValue::new(0),
            file: RwSignal::new(None),
        }
    }

    /// Blocks of the model, 8 until it is known.
    pub fn blocks(self) -> usize {
        self.client.model().map_or(8, |model| model.info.n_layers)
    }

    /// The drawn layer of the lens that is shown.
    pub fn layer(self) -> usize {
        let wanted = self.settings.with(|settings| settings.layer);
        let has = self.run.with(|run| {
            run.layers
                .as_ref()
                .map_or(self.blocks(), |layers| layers.len())
        });
        wanted.min(has.saturating_sub(1))
    }

    /// Where the fit stands. Reactive.
    pub fn phase(self) -> Phase {
        self.run.with(|run| run.phase.clone())
    }
}
