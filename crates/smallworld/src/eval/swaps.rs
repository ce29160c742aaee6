//! Running swaps: exchange two words' coordinates at all prompt positions of a band of layers, clamped to the clean pass.

use super::vectors::{Pair, Vectors};
use crate::error::Result;
use lens::intervene::{Mode, generate, prepare};
use pollster::block_on;
use std::ops::RangeInclusive;
use transformer::{Cpu, Edit, Keep, Model};

/// Longest line that is generated.
const LINE: usize = 9;

/// What the model says after the prompt, `words` words greedily, for each pair that is exchanged.
///
/// # Errors
/// Those of the lens and the transformer.
pub fn continuations(
    model: &Model<Cpu>,
    vectors: &Vectors,
    band: &RangeInclusive<usize>,
    prompt: &[u32],
    pairs: &[Pair],
    words: usize,
) -> Result<Vec<Vec<u32>>> {
    let clean = model.forward(prompt, prompt.len(), &[], Keep::Residuals)?;
    let on = vec![true; prompt.len()];
    let mut lines = Vec::with_capacity(pairs.len());
    for &pair in pairs {
        let directions = vectors.directions(band, pair);
        let edits: Vec<Edit<f32>> =
            block_on(prepare(model, &clean, &directions, Mode::SwapClamped, &on))?.edits;
        lines.push(block_on(generate(model, prompt, &edits, words, None))?);
    }
    Ok(lines)
}

/// The next word after the prompt for each pair that is exchanged.
///
/// # Errors
/// As [`continuations`].
pub fn next_words(
    model: &Model<Cpu>,
    vectors: &Vectors,
    band: &RangeInclusive<usize>,
    prompt: &[u32],
    pairs: &[Pair],
) -> Result<Vec<u32>> {
    let lines = continuations(model, vectors, band, prompt, pairs, 1)?;
    Ok(lines.into_iter().flatten().collect())
}

/// A line of verse for each pair that is exchanged in line 1.
///
/// # Errors
/// As [`continuations`].
pub fn lines(
    model: &Model<Cpu>,
    vectors: &Vectors,
    band: &RangeInclusive<usize>,
    prompt: &[u32],
    pairs: &[Pair],
) -> Result<Vec<Vec<u32>>> {
    continuations(model, vectors, band, prompt, pairs, LINE)
}

/// The line of verse that the model writes when nothing is exchanged.
///
/// # Errors
/// Those of the transformer.
pub fn clean_line(model: &Model<Cpu>, prompt: &[u32]) -> Result<Vec<u32>> {
    Ok(block_on(generate(model, prompt, &[], LINE, None))?)
}
