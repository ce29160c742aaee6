//! What the parts of the figure share: its signals.

use super::state::{Scene, Settings};
use leptos::prelude::*;

/// The figure's signals, for its parts.
#[derive(Clone, Copy)]
pub struct Figure {
    /// What the reader has chosen.
    pub settings: RwSignal<Settings>,
    /// What follows from it; nothing while the two vectors cannot be told apart.
    pub scene: Memo<Option<Scene>>,
}
