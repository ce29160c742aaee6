//! Both sides of Stein's lemma on the text that the lenses are fitted on: lens vectors against regression on the states.

use crate::error::Result;
use crate::eval::bench::{Bench, Entry};
use crate::eval::fitting;
use crate::world::experiments::{STEIN_LAYERS, STEIN_RIDGE};
use lens::Lens;
use lens::statistics::cosine;
use lens::stein::{Moments, Pairs};
use pollster::block_on;
use std::collections::BTreeMap;
use transformer::Keep;

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let d = bench.model.config.d_model;
    let Some(lens) = &bench.same.lens else {
        return Ok(Vec::new());
    };
    let mut moments: Vec<Moments> = STEIN_LAYERS.map(|_| Moments::new(d)).to_vec();
    for window in fitting::windows() {
        let trace = bench
            .model
            .forward(&window, window.len(), &[], Keep::Residuals)?;
        for (layer, moments) in STEIN_LAYERS.into_iter().zip(&mut moments) {
            let pairs = Pairs::new(lens.provenance.positions, fitting::SKIP);
            block_on(pairs.collect(bench.model, &trace, layer, moments))?;
        }
    }
    let head = block_on(lens::Head::new(bench.model))?;
    let words: Vec<u32> = (0..bench.model.config.vocab as u32).collect();
    let mut entries = Vec::new();
    for (layer, moments) in STEIN_LAYERS.into_iter().zip(&moments) {
        let other = Lens {
            layers: BTreeMap::from([(layer, moments.regression(STEIN_RIDGE)?)]),
            ..lens.clone()
        };
        let vectors = |lens| block_on(head.lens_vectors(bench.model, lens, layer, &words, true));
        let (left, right) = (vectors(lens)?, vectors(&other)?);
        let at = |i: usize, shift: usize| {
            let row = |all: &[f32], i: usize| all[(i % words.len()) * d..][..d].to_vec();
            cosine(&row(&left, i), &row(&right, i + shift))
        };
        let mean = |shift| (0..words.len()).map(|i| at(i, shift)).sum::<f64>() / words.len() as f64;
        let id = format!("stein.same.layer{layer}.cosine");
        let mut entry = Entry::mean(id, mean(0), words.len());
        entry.baseline = Some(mean(1));
        entries.push(entry);
    }
    Ok(entries)
}
