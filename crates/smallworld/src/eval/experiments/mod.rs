//! The experiments, each a function from a [`Bench`] to entries of the report.

mod answers;
mod bridges;
mod couplets;
mod jspace;
mod layers;
mod opposites;
mod questions;
mod states;
mod stein;
mod tuned;

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
        bridges::run,
        couplets::run,
        opposites::run,
        jspace::run,
        states::run,
        layers::run,
        tuned::run,
        stein::run,
    ] {
        entries.extend(experiment(bench)?);
    }
    Ok(entries)
}

/// The experiments that take no more than seconds even without optimisation: answers and couplets.
///
/// # Errors
/// Those of the transformer.
pub fn quick(bench: &Bench) -> Result<Vec<Entry>> {
    let mut entries = answers::run(bench)?;
    entries.extend(couplets::run(bench)?);
    Ok(entries)
}
