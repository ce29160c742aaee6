//! Reading unspoken words: at which layer and position does a lens rank them first?

use crate::error::Result;
use lens::{Lens, ReadOptions};
use pollster::block_on;
use std::ops::RangeInclusive;
use transformer::{Cpu, Keep, Model};

/// Ranks (0 = first) of one word per prompt: `[prompt][layer][position]`, layers 0 .. L, the last positions of each prompt.
pub type Ranks = Vec<Vec<Vec<u32>>>;

/// Ranks of `words[i]` after `prompts[i]`, over the whole vocabulary, at the last `tail` positions. No lens: the logit lens.
///
/// # Errors
/// Those of the lens and the transformer.
pub fn ranks(
    model: &Model<Cpu>,
    lens: Option<&Lens>,
    prompts: &[Vec<u32>],
    words: &[u32],
    tail: usize,
) -> Result<Ranks> {
    let layers: Vec<usize> = (0..=model.config.n_layers).collect();
    let mut all = Vec::with_capacity(prompts.len());
    for (prompt, &word) in prompts.iter().zip(words) {
        let trace = model.forward(prompt, prompt.len(), &[], Keep::Residuals)?;
        let positions: Vec<usize> = (prompt.len().saturating_sub(tail)..prompt.len()).collect();
        let options = ReadOptions {
            top: 1,
            tracked: &[word],
            positions: Some(&positions),
            ..ReadOptions::default()
        };
        let readings = block_on(lens::readout::read(model, &trace, lens, &layers, options))?;
        let rank = |reading: &lens::Reading| reading.tracked.first().map_or(u32::MAX, |t| t.rank);
        all.push(
            readings
                .iter()
                .map(|layer| layer.iter().map(rank).collect())
                .collect(),
        );
    }
    Ok(all)
}

/// How many prompts have the word among the best `k` in some cell of these layers.
#[must_use]
pub fn hits(ranks: &Ranks, layers: &RangeInclusive<usize>, k: u32) -> usize {
    ranks
        .iter()
        .filter(|prompt| {
            prompt[layers.clone()]
                .iter()
                .flatten()
                .any(|&rank| rank < k)
        })
        .count()
}
