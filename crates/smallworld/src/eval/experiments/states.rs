//! How much of any state's variance a few lens vectors explain, beside a random dictionary of the same size: in few dimensions
//! a small share cannot be expected. And how far the J-spaces of two dictionaries lie apart.

use crate::error::Result;
use crate::eval::bench::{Bench, Entry};
use crate::eval::fitting;
use lens::intervene::directions_like;
use lens::pursuit::{Dictionary, Refit};
use transformer::Keep;

/// Layer whose states are taken apart.
const LAYER: usize = 3;
/// Words taken at most.
const MOST: usize = 30;
/// Words per state when two spaces are compared.
const WORDS: usize = 10;

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let d = bench.model.config.d_model;
    let lens = Dictionary::new(bench.full.vectors.layer(LAYER), d)?;
    let random: Vec<f32> = directions_like(bench.model.config.vocab, d, 0, LAYER);
    let random = Dictionary::new(&random, d)?;
    let states = states(bench)?;
    let (lens, random) = (paths(&lens, &states)?, paths(&random, &states)?);
    let mut entries = Vec::new();
    for k in [1, 3, 10] {
        let id = format!("jspace.states.k{k}");
        let mut entry = Entry::mean(id, mean(&lens, k), states.len());
        entry.baseline = Some(mean(&random, k));
        entries.push(entry);
    }
    entries.push(ahead(&lens, &random));
    entries.extend(distances(bench, &states, &lens, &random)?);
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

/// Explained shares of every state after 1, 2, ... words.
fn paths(dictionary: &Dictionary, states: &[Vec<f32>]) -> Result<Vec<Vec<f64>>> {
    let pursue = |state: &Vec<f32>| Ok(dictionary.pursue(state, MOST, Refit::Exact)?.explained);
    states.iter().map(pursue).collect()
}

/// Explained share of one state with at most k words.
fn explained(path: &[f64], k: usize) -> f64 {
    path.get(..k.min(path.len()))
        .and_then(<[f64]>::last)
        .copied()
        .unwrap_or(0.0)
}

fn mean(paths: &[Vec<f64>], k: usize) -> f64 {
    paths.iter().map(|path| explained(path, k)).sum::<f64>() / paths.len() as f64
}

/// Up to how many words the lens vectors explain more, on average, than as many vectors of the random dictionary.
fn ahead(lens: &[Vec<f64>], random: &[Vec<f64>]) -> Entry {
    let ahead = (1..=MOST)
        .take_while(|&k| mean(lens, k) > mean(random, k))
        .count();
    Entry::mean("jspace.states.ahead", ahead as f64, lens.len())
}

/// Root mean square of d_F(x) - d_G(x), in lengths of x, F being the J-space of the full lens with all words and [`WORDS`] of
/// them at a time, and G that of every other word, that of the future lens, and (the baseline) that of random directions.
fn distances(
    bench: &Bench,
    states: &[Vec<f32>],
    lens: &[Vec<f64>],
    random: &[Vec<f64>],
) -> Result<Vec<Entry>> {
    let d = bench.model.config.d_model;
    let rows = bench.full.vectors.layer(LAYER).chunks_exact(d);
    let half: Vec<f32> = rows.step_by(2).flatten().copied().collect();
    let half = paths(&Dictionary::new(&half, d)?, states)?;
    let future = Dictionary::new(bench.future.vectors.layer(LAYER), d)?;
    let future = paths(&future, states)?;
    let gap = |other: &[Vec<f64>]| {
        let from = |path: &[f64]| (1.0 - explained(path, WORDS)).max(0.0).sqrt();
        let pairs = lens.iter().zip(other);
        let sum: f64 = pairs.map(|(a, b)| (from(a) - from(b)).powi(2)).sum();
        (sum / states.len() as f64).sqrt()
    };
    let named = [("half", &half), ("future", &future)];
    Ok(named
        .map(|(name, other)| {
            let id = format!("jspace.distance.{name}");
            let mut entry = Entry::mean(id, gap(other), states.len());
            entry.baseline = Some(gap(random));
            entry
        })
        .into())
}
