//! How much of any state's variance a few lens vectors explain, beside a random dictionary of the same size: in few dimensions
//! a small share cannot be expected.

use crate::error::Result;
use crate::eval::bench::{Bench, Entry};
use crate::eval::fitting;
use lens::intervene::directions_like;
use lens::pursuit::{Dictionary, Refit};
use transformer::Keep;

/// Layer whose states are taken apart.
const LAYER: usize = 3;

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let d = bench.model.config.d_model;
    let lens = Dictionary::new(bench.full.vectors.layer(LAYER), d)?;
    let random: Vec<f32> = directions_like(bench.model.config.vocab, d, 0, LAYER);
    let random = Dictionary::new(&random, d)?;
    let states = states(bench)?;
    let mut entries = Vec::new();
    for k in [1, 3, 10] {
        let id = format!("jspace.states.k{k}");
        let mut entry = Entry::mean(id, explained(&lens, &states, k)?, states.len());
        entry.baseline = Some(explained(&random, &states, k)?);
        entries.push(entry);
    }
    Ok(entries)
}

/// Every fifth state of some corpus text.
fn states(bench: &Bench) -> Result<Vec<Vec<f32>>> {
    let mut states = Vec::new();
    for window in fitting::windows().iter().take(20) {
        let trace = bench
            .model
            .forward(window, window.len(), &[], Keep::Residuals)?;
        let rows = trace.residuals[LAYER].chunks_exact(bench.model.config.d_model);
        states.extend(rows.skip(8).step_by(5).map(<[f32]>::to_vec));
    }
    Ok(states)
}

fn explained(dictionary: &Dictionary, states: &[Vec<f32>], k: usize) -> Result<f64> {
    let mut sum = 0.0;
    for state in states {
        let found = dictionary.pursue(state, k, Refit::Exact)?;
        sum += found.explained.last().copied().unwrap_or(0.0);
    }
    Ok(sum / states.len() as f64)
}
