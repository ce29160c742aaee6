//! What the parts of the figure share: its signals.

use crate::client::Model;
use engine::protocol::{SteerRequest, Steered};
use leptos::prelude::*;
use std::sync::Arc;

/// An answer, what it answers, and the model that can spell it.
pub struct Shown {
    /// What was asked.
    pub request: SteerRequest,
    /// What came of it.
    pub answer: Steered,
    /// The model that was asked.
    pub model: Arc<Model>,
}

/// The latest answer, once there is one.
pub type Now = RwSignal<Option<Arc<Shown>>>;
