//! The experiments, each a function from a [`Bench`] to entries of the report.

mod answers;
mod couplets;
mod jspace;
mod layers;
mod opposites;
mod questions;

use super::bench::{Bench, Entry};
use crate::error::Result;

/// Every experiment, in the order of the report.
///
/// # Errors
/// Those of the transformer.
pub fn all(bench: &Bench) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for experiment in [
        answers::run,
        questions::run,
        couplets::run,
        opposites::run,
        jspace::run,
        layers::run,
    ] {
        entries.extend(experiment(bench)?);
    }
    Ok(entries)
}
