//! Measuring a model, and what a lens sees and changes in it.
//!
//! * [`accuracy`]: does it answer.

pub mod accuracy;
