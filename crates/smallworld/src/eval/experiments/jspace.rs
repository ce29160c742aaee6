//! The J-space: how much of a concept's vector is a sparse nonnegative sum of lens vectors, and which part of it the model
//! listens to. The mathematics is [`lens::concepts`].
//!
//! A concept vector is the mean state of an animal's trained prompts minus the mean over animals, per layer and per position
//! counted from the end of the descriptor. In held-out prompts the difference of two concept vectors (or its J-space part, or
//! the rest) is added at layers 1-4, with the states held at clean plus offset.

use crate::error::Result;
use crate::eval::bench::{Bench, Entry};
use crate::eval::stats::Share;
use crate::world::Family;
use crate::world::experiments::{self, CONCEPT_BAND, CONCEPT_REACH, class};
use crate::world::prompts::Question;
use crate::world::trials::Swap;
use lens::concepts::{self, Concepts, Exchange, Means, Piece, Place, Reach};
use lens::intervene::{directions_like, generate};
use lens::pursuit::Dictionary;
use pollster::block_on;
use std::collections::BTreeMap;
use transformer::Keep;

/// Seed of the random dictionary.
const SEED: u64 = 0;

/// Concept vectors by place.
type Wholes = BTreeMap<Place, Vec<f32>>;

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let (trained, asked, swaps) = experiments::concepts(&bench.split, bench.part);
    let wholes = wholes(bench, &trained)?;
    let mut entries = Vec::new();
    for k in [1, 3, 10] {
        let d = bench.model.config.d_model;
        let (parts, random) = (
            split(&wholes, k, |layer| {
                Dictionary::new(bench.full.vectors.layer(layer), d)
            })?,
            split(&wholes, k, |layer| {
                let all: Vec<f32> = directions_like(bench.model.config.vocab, d, SEED, layer);
                Dictionary::new(&all, d)
            })?,
        );
        let run = |piece| success(bench, &asked, &swaps, &parts, piece);
        let window = bench.model.config.window;
        let (share, n) = concepts::variance(&parts, window);
        let mut variance = Entry::mean(format!("jspace.k{k}.variance"), share, n);
        variance.baseline = Some(concepts::variance(&random, window).0);
        entries.push(variance);
        let (part, random) = (run(Piece::Part)?, run(Piece::Random)?);
        entries.push(Entry::against(format!("jspace.k{k}.part"), part, random));
        entries.push(Entry::share(format!("jspace.k{k}.rest"), run(Piece::Rest)?));
        entries.push(Entry::share(
            format!("jspace.k{k}.rest.matched"),
            run(Piece::RestMatched)?,
        ));
        if k == 1 {
            entries.push(Entry::share("jspace.whole", run(Piece::Whole)?));
        }
    }
    Ok(entries)
}

fn reach() -> Reach {
    Reach {
        band: CONCEPT_BAND,
        positions: CONCEPT_REACH,
    }
}

/// Mean states of the animals' trained prompts, minus the mean over animals.
fn wholes(bench: &Bench, trained: &[Question]) -> Result<Wholes> {
    let mut means = Means::new(bench.model.config.d_model);
    for question in trained {
        let prompt = bench.words.encode(&question.prompt)?;
        let trace = bench
            .model
            .forward(&prompt, prompt.len(), &[], Keep::Residuals)?;
        let at = (question.source, question.entity);
        block_on(means.add(bench.model, &trace, &reach(), at))?;
    }
    Ok(means.centred())
}

/// Every concept vector with the best sum of `k` vectors of its layer's dictionary.
fn split(
    wholes: &Wholes,
    k: usize,
    dictionary: impl Fn(usize) -> lens::Result<Dictionary>,
) -> Result<Concepts> {
    let mut all = Concepts::new();
    for layer in CONCEPT_BAND {
        all.extend(concepts::split(wholes, layer, &dictionary(layer)?, k)?);
    }
    Ok(all)
}

fn success(
    bench: &Bench,
    questions: &[Question],
    swaps: &[Swap],
    parts: &Concepts,
    piece: Piece,
) -> Result<Share> {
    let (mut hits, mut trials) = (0, 0);
    for (seed, swap) in swaps.iter().enumerate() {
        let question = &questions[swap.prompt];
        let class = |name| class(Family::Animals, name);
        let (Some(from), Some(to)) = (class(swap.from), class(swap.to)) else {
            continue;
        };
        let exchange = Exchange {
            source: question.source,
            from,
            to,
            piece,
            seed: seed as u64,
        };
        let prompt = bench.words.encode(&question.prompt)?;
        let clean = bench
            .model
            .forward(&prompt, prompt.len(), &[], Keep::Residuals)?;
        let edits = block_on(concepts::exchange(
            bench.model,
            &clean,
            parts,
            &reach(),
            exchange,
        ))?;
        let said = block_on(generate(bench.model, &prompt, &edits, 1, None))?;
        trials += 1;
        hits += usize::from(
            said.first()
                .is_some_and(|&word| bench.words.word(word) == swap.expected),
        );
    }
    Ok(Share {
        hits,
        trials,
        prompts: questions.len(),
    })
}
