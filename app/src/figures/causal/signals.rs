//! What the parts of the figure share: its signals.

use engine::protocol::Causal;
use leptos::prelude::*;
use std::collections::BTreeMap;

/// Results of this tab by k.
pub type Here = RwSignal<BTreeMap<usize, Causal>>;
