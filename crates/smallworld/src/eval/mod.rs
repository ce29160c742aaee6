//! Measuring a model, and what a lens sees and changes in it.
//!
//! * [`accuracy`]: does it answer. * [`stats`]: shares with their uncertainty.

pub mod accuracy;
pub mod reads;
pub mod stats;
pub mod swaps;
pub mod vectors;
