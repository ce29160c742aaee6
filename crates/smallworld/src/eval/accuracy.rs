//! Does the model answer: greedy top-1 words.

use crate::error::Result;
use crate::world::prompts::{self, FILLER};
use crate::{Family, Part, Split, Vocabulary};
use pollster::block_on;
use transformer::{Cpu, Keep, Model, Ops};

/// Shares of right answers on the held-out items of one part.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldOut {
    /// Name of the set, right answers, items.
    pub sets: Vec<(&'static str, usize, usize)>,
}

impl std::fmt::Display for HeldOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, (name, right, of)) in self.sets.iter().enumerate() {
            let space = if i == 0 { "" } else { "  " };
            write!(
                f,
                "{space}{name} {:.0}%",
                100.0 * *right as f64 / (*of).max(1) as f64
            )?;
        }
        Ok(())
    }
}

/// Prompts grouped by length, with the positions of each group's members in the list.
#[must_use]
pub fn by_length(prompts: &[Vec<u32>]) -> Vec<Vec<usize>> {
    let mut groups = std::collections::BTreeMap::<usize, Vec<usize>>::new();
    for (i, prompt) in prompts.iter().enumerate() {
        groups.entry(prompt.len()).or_default().push(i);
    }
    groups.into_values().collect()
}

/// The most likely next word after each prompt (ties: the lower id).
///
/// # Errors
/// A prompt that the model cannot take.
pub fn next_words(model: &Model<Cpu>, prompts: &[Vec<u32>]) -> Result<Vec<u32>> {
    let mut next = vec![0; prompts.len()];
    let d = model.config.d_model;
    for group in by_length(prompts) {
        let seq = prompts[group[0]].len();
        let tokens: Vec<u32> = group
            .iter()
            .flat_map(|&i| prompts[i].iter().copied())
            .collect();
        let trace = model.forward(&tokens, seq, &[], Keep::Residuals)?;
        let states = block_on(model.ops.read(&trace.residuals[model.config.n_layers]))?;
        let last: Vec<f32> = states
            .chunks_exact(seq * d)
            .flat_map(|s| &s[(seq - 1) * d..])
            .copied()
            .collect();
        let logits = block_on(model.ops.read(&model.logits(&model.ops.upload(&last))))?;
        for (&i, row) in group.iter().zip(logits.chunks_exact(model.config.vocab)) {
            next[i] = argmax(row);
        }
    }
    Ok(next)
}

/// Index of the largest number (ties: the first).
#[must_use]
pub fn argmax(row: &[f32]) -> u32 {
    let best = row
        .iter()
        .enumerate()
        .fold((0, f32::NEG_INFINITY), |best, (i, &x)| {
            if x > best.1 { (i, x) } else { best }
        });
    best.0 as u32
}

/// How many of the `(prompt, answer)` items are answered right.
///
/// # Errors
/// As [`next_words`]; a word that the vocabulary lacks.
pub fn right(model: &Model<Cpu>, words: &Vocabulary, items: &[(String, &str)]) -> Result<usize> {
    let prompts = items
        .iter()
        .map(|(prompt, _)| words.encode(prompt))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    let next = next_words(model, &prompts)?;
    Ok(next
        .iter()
        .zip(items)
        .filter(|(word, (_, answer))| words.word(**word) == *answer)
        .count())
}

/// Held-out accuracy in brief: two-hop questions plain and with a filler, opposites, and couplets given verb and adjective.
///
/// # Errors
/// As [`right`].
pub fn held_out(model: &Model<Cpu>, part: Part) -> Result<HeldOut> {
    let (split, words) = (Split::standard(), Vocabulary::standard());
    let mut sets = Vec::new();
    let mut add = |name, items: Vec<(String, &str)>| -> Result<()> {
        sets.push((name, right(model, &words, &items)?, items.len()));
        Ok(())
    };
    for (family, plain, filler) in [
        (Family::Animals, "animals", "with filler"),
        (Family::Countries, "countries", "with filler"),
    ] {
        for (name, filler) in [(plain, ""), (filler, FILLER)] {
            let questions = prompts::two_hop(&split, family, filler)
                .into_iter()
                .filter(|q| q.part == part);
            add(name, questions.map(|q| (q.prompt, q.answer)).collect())?;
        }
    }
    let opposites = prompts::opposites(&split, false)
        .into_iter()
        .filter(|o| o.part == part);
    add(
        "opposites",
        opposites.map(|o| (o.prompt, o.answer)).collect(),
    )?;
    let couplets = prompts::couplets(&split)
        .into_iter()
        .filter(|c| c.part == part);
    add(
        "couplets",
        couplets
            .map(|c| (format!("{} to see the", c.prompt), c.adjective))
            .collect(),
    )?;
    Ok(HeldOut { sets })
}
