//! The J-space: how much of a concept's vector is a sparse nonnegative sum of lens vectors, and which part of it the model
//! listens to.
//!
//! A concept vector is the mean state of an animal's trained prompts minus the mean over animals, per layer and per position
//! counted from the end of the descriptor. In held-out prompts the difference of two concept vectors (or its J-space part, or
//! the rest) is added at layers 1-4, with the states held at clean plus offset.

use crate::error::Result;
use crate::eval::bench::{Bench, Entry};
use crate::eval::stats::Share;
use crate::world::prompts::{self, FILLER, Question};
use crate::world::trials::{self, Swap};
use crate::{Family, Part};
use lens::intervene::{directions_like, generate, replace};
use lens::pursuit::{Dictionary, Refit};
use pollster::block_on;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use transformer::{Edit, Keep};

/// Layers at which offsets are added.
const BAND: RangeInclusive<usize> = 1..=4;
/// Positions from the end of the descriptor on.
const REACH: usize = 9;
/// Other animals tried per prompt.
const TARGETS: usize = 2;

/// Layer, position from the end of the descriptor, animal.
type Place = (usize, usize, &'static str);

/// A concept vector and its J-space part.
struct Concept {
    whole: Vec<f32>,
    part: Vec<f32>,
}

/// What is added in place of the difference of two concepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Whole,
    Part,
    Rest,
    /// The rest at the length of the part.
    RestMatched,
    /// A random direction at the length of the part.
    Random,
}

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let means = class_means(bench)?;
    let questions = prompts::two_hop(&bench.split, Family::Animals, FILLER);
    let questions: Vec<Question> = questions
        .into_iter()
        .filter(|q| q.part == bench.part)
        .collect();
    let swaps = trials::entity_swaps(&questions, TARGETS);
    let mut entries = Vec::new();
    for k in [1, 3, 10] {
        let concepts = concepts(bench, &means, k)?;
        let run = |piece| success(bench, &questions, &swaps, &concepts, piece);
        // Where attention's window has not yet carried anything, the concept vector is rounding noise.
        let carried = concepts
            .iter()
            .filter(|((layer, offset, _), _)| *offset <= reach(bench, *layer));
        let shares: Vec<f64> = carried
            .map(|(_, x)| squares(&x.part) / squares(&x.whole))
            .collect();
        let variance = shares.iter().sum::<f64>() / shares.len() as f64;
        entries.push(Entry::mean(
            format!("jspace.k{k}.variance"),
            variance,
            shares.len(),
        ));
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

/// How many positions further a state can have an effect after so many blocks.
fn reach(bench: &Bench, layer: usize) -> usize {
    bench
        .model
        .config
        .window
        .map_or(usize::MAX, |window| layer * (window - 1))
}

fn squares(x: &[f32]) -> f64 {
    x.iter().map(|x| f64::from(*x).powi(2)).sum()
}

/// Mean states of the animals' trained prompts, minus the mean over animals.
fn class_means(bench: &Bench) -> Result<BTreeMap<Place, Vec<f32>>> {
    let d = bench.model.config.d_model;
    let mut sums: BTreeMap<Place, (Vec<f64>, usize)> = BTreeMap::new();
    for question in prompts::two_hop(&bench.split, Family::Animals, FILLER) {
        if question.part != Part::Trained {
            continue;
        }
        let prompt = bench.words.encode(&question.prompt)?;
        let trace = bench
            .model
            .forward(&prompt, prompt.len(), &[], Keep::Residuals)?;
        for layer in BAND {
            let from_source = trace.residuals[layer]
                .chunks_exact(d)
                .skip(question.source)
                .take(REACH);
            for (offset, state) in from_source.enumerate() {
                let place = (layer, offset, question.bridge);
                let (sum, count) = sums.entry(place).or_insert_with(|| (vec![0.0; d], 0));
                sum.iter_mut()
                    .zip(state)
                    .for_each(|(s, x)| *s += f64::from(*x));
                *count += 1;
            }
        }
    }
    let means: BTreeMap<Place, Vec<f64>> = sums
        .into_iter()
        .map(|(place, (sum, count))| (place, sum.into_iter().map(|s| s / count as f64).collect()))
        .collect();
    Ok(centre(&means, d))
}

/// Minus the mean over animals at the same layer and position.
fn centre(means: &BTreeMap<Place, Vec<f64>>, d: usize) -> BTreeMap<Place, Vec<f32>> {
    let mut grand: BTreeMap<(usize, usize), (Vec<f64>, usize)> = BTreeMap::new();
    for (&(layer, offset, _), mean) in means {
        let (sum, count) = grand
            .entry((layer, offset))
            .or_insert_with(|| (vec![0.0; d], 0));
        sum.iter_mut().zip(mean).for_each(|(s, x)| *s += x);
        *count += 1;
    }
    let minus = |(&place, mean): (&Place, &Vec<f64>)| {
        let (sum, count) = &grand[&(place.0, place.1)];
        (
            place,
            mean.iter()
                .zip(sum)
                .map(|(x, s)| (x - s / *count as f64) as f32)
                .collect(),
        )
    };
    means.iter().map(minus).collect()
}

/// Every concept vector with the best sum of `k` lens vectors.
fn concepts(
    bench: &Bench,
    means: &BTreeMap<Place, Vec<f32>>,
    k: usize,
) -> Result<BTreeMap<Place, Concept>> {
    let d = bench.model.config.d_model;
    let mut concepts = BTreeMap::new();
    for layer in BAND {
        let dictionary = Dictionary::new(bench.full.vectors.layer(layer), d)?;
        for (&place, whole) in means.iter().filter(|(place, _)| place.0 == layer) {
            let found = dictionary.pursue(whole, k, Refit::Exact)?;
            let part = dictionary.reconstruct(&found.atoms, &found.exact);
            concepts.insert(
                place,
                Concept {
                    whole: whole.clone(),
                    part,
                },
            );
        }
    }
    Ok(concepts)
}

fn success(
    bench: &Bench,
    questions: &[Question],
    swaps: &[Swap],
    concepts: &BTreeMap<Place, Concept>,
    piece: Piece,
) -> Result<Share> {
    let mut hits = 0;
    for (seed, swap) in swaps.iter().enumerate() {
        let question = &questions[swap.prompt];
        let prompt = bench.words.encode(&question.prompt)?;
        let edits = offsets(
            bench,
            &prompt,
            question.source,
            swap,
            concepts,
            (piece, seed as u64),
        )?;
        let said = block_on(generate(bench.model, &prompt, &edits, 1, None))?;
        hits += usize::from(
            said.first()
                .is_some_and(|&word| bench.words.word(word) == swap.expected),
        );
    }
    Ok(Share {
        hits,
        trials: swaps.len(),
        prompts: questions.len(),
    })
}

/// Edits that hold the band at clean plus offset from the descriptor's end on.
fn offsets(
    bench: &Bench,
    prompt: &[u32],
    source: usize,
    swap: &Swap,
    concepts: &BTreeMap<Place, Concept>,
    (piece, seed): (Piece, u64),
) -> Result<Vec<Edit<f32>>> {
    let d = bench.model.config.d_model;
    let clean = bench
        .model
        .forward(prompt, prompt.len(), &[], Keep::Residuals)?;
    let mut edits = Vec::new();
    for layer in BAND {
        let mut states = clean.residuals[layer].to_vec();
        let mut on = vec![false; prompt.len()];
        let noise: Vec<f32> = directions_like(REACH, d, seed, layer);
        for (offset, noise) in noise.chunks_exact(d).enumerate() {
            let place = |animal| concepts.get(&(layer, offset, animal));
            let (Some(from), Some(to)) = (place(swap.from), place(swap.to)) else {
                continue;
            };
            let Some(on) = on.get_mut(source + offset) else {
                continue;
            };
            *on = true;
            let state = &mut states[(source + offset) * d..][..d];
            state
                .iter_mut()
                .zip(difference(from, to, piece, noise))
                .for_each(|(s, x)| *s += x);
        }
        edits.push(replace(layer, d, states, &on)?);
    }
    Ok(edits)
}

fn difference(from: &Concept, to: &Concept, piece: Piece, noise: &[f32]) -> Vec<f32> {
    let minus = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f32>>();
    let whole = minus(&to.whole, &from.whole);
    let part = minus(&to.part, &from.part);
    let rest = minus(&whole, &part);
    let sized = |x: &[f32]| {
        let scale = (squares(&part) / squares(x).max(1e-12)).sqrt() as f32;
        x.iter().map(|x| x * scale).collect()
    };
    match piece {
        Piece::RestMatched => sized(&rest),
        Piece::Random => sized(noise),
        Piece::Whole => whole,
        Piece::Rest => rest,
        Piece::Part => part,
    }
}
