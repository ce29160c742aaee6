//! What the parts of the figure share: its signals.

use super::state::Effects;
use leptos::prelude::*;
use std::sync::Arc;

/// The last answer.
pub type Shown = RwSignal<Option<Arc<Effects>>>;
/// The sentence under the pointer or the keyboard.
pub type Pointed = RwSignal<Option<usize>>;
