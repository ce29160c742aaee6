//! Measuring a model, and what a lens sees and changes in it.
//!
//! * [`accuracy`]: does it answer. * [`stats`]: shares with their uncertainty. * [`fitting`]: the lenses used.
//! * [`vectors`]: directions of words. * [`swaps`]: exchanging two words. * [`reads`]: ranks of unspoken words.
//! * [`tuned`]: the tuned lens, for comparison. * [`bench`]: what every experiment needs, and the rows of the report. * [`experiments`]: the experiments.

pub mod accuracy;
pub mod bench;
pub mod experiments;
pub mod fitting;
pub mod reads;
pub mod stats;
pub mod swaps;
pub mod tuned;
pub mod vectors;

use crate::error::Result;
use bench::{Bench, Row};

/// The report on a model: every row, with the control model's numbers beside it.
///
/// # Errors
/// Those of the experiments.
pub fn report(bench: &Bench, control: Option<&Bench>) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = experiments::all(bench)?
        .into_iter()
        .map(bench::Entry::row)
        .collect();
    if let Some(control) = control {
        for other in experiments::all(control)?
            .into_iter()
            .map(bench::Entry::row)
        {
            if let Some(row) = rows.iter_mut().find(|row| row.id == other.id) {
                row.control = Some(other.value);
            }
        }
    }
    Ok(rows)
}
