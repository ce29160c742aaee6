//! Questions about described and named entities: swapping the bridge.

use crate::Family;
use crate::error::Result;
use crate::eval::bench::{Bench, Entry};
use crate::eval::stats::Share;
use crate::eval::swaps::next_words;
use crate::eval::vectors::Vectors;
use crate::world::prompts::{self, FILLER, Question};
use crate::world::trials::{self, Swap};
use std::ops::RangeInclusive;

/// Other entities tried per prompt.
const TARGETS: usize = 4;
/// The questions at which single layers are swept.
const SWEPT: &str = "animals.plain";

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for family in Family::BOTH {
        for (kind, filler) in [("plain", ""), ("filler", FILLER)] {
            let questions = held_out(bench, family, filler);
            entries.extend(swaps(
                bench,
                &format!("{}.{kind}", family.name()),
                &questions,
            )?);
        }
    }
    entries.extend(flexible(bench, "flex.countries", "")?);
    entries.extend(flexible(bench, "flex.countries.filler", FILLER)?);
    Ok(entries)
}

pub(super) fn held_out(bench: &Bench, family: Family, filler: &str) -> Vec<Question> {
    prompts::two_hop(&bench.split, family, filler)
        .into_iter()
        .filter(|q| q.part == bench.part)
        .collect()
}

/// Which of the swaps make the model say what they should.
fn outcomes(
    bench: &Bench,
    vectors: &Vectors,
    band: &RangeInclusive<usize>,
    questions: &[Question],
    swaps: &[Swap],
) -> Result<Vec<bool>> {
    let mut outcomes = Vec::with_capacity(swaps.len());
    for of_prompt in swaps.chunk_by(|a, b| a.prompt == b.prompt) {
        let prompt = bench.words.encode(&questions[of_prompt[0].prompt].prompt)?;
        let pairs = of_prompt
            .iter()
            .map(|swap| bench.pair(swap))
            .collect::<Result<Vec<_>>>()?;
        let said = next_words(bench.model, vectors, band, &prompt, &pairs)?;
        outcomes.extend(
            of_prompt
                .iter()
                .zip(said)
                .map(|(swap, word)| bench.words.word(word) == swap.expected),
        );
    }
    Ok(outcomes)
}

fn share(outcomes: &[bool], prompts: usize) -> Share {
    Share {
        hits: outcomes.iter().filter(|hit| **hit).count(),
        trials: outcomes.len(),
        prompts,
    }
}

/// A way to run a family's swaps: vectors and band to the share that succeeds.
type Run<'a> = &'a dyn Fn(&Vectors, RangeInclusive<usize>) -> Result<Share>;

fn swaps(bench: &Bench, name: &str, questions: &[Question]) -> Result<Vec<Entry>> {
    let swaps = trials::entity_swaps(questions, TARGETS);
    let run = |vectors: &Vectors, band| -> Result<Share> {
        let outcomes = outcomes(bench, vectors, &band, questions, &swaps)?;
        Ok(share(&outcomes, questions.len()))
    };
    let mut entries = early(bench, name, &run)?;
    entries.extend(other_bands(bench, name, &run)?);
    if name == SWEPT {
        let answers = trials::answer_swaps(questions, &swaps);
        let run_answers = |vectors: &Vectors, band| -> Result<Share> {
            let outcomes = outcomes(bench, vectors, &band, questions, &answers)?;
            Ok(share(&outcomes, questions.len()))
        };
        entries.extend(sweep(bench, name, &run, &run_answers)?);
    }
    Ok(entries)
}

/// One layer at a time: the unspoken word swapped, and the answer swapped. How much earlier does the first one work?
fn sweep(bench: &Bench, name: &str, bridge: Run<'_>, answer: Run<'_>) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut depths = Vec::new();
    for (what, run) in [("bridge", bridge), ("answer", answer)] {
        let mut shares = [Vec::new(), Vec::new()];
        for layer in 1..=bench.deepest() {
            let full = run(&bench.full.vectors, layer..=layer)?;
            let logit = run(&bench.logit.vectors, layer..=layer)?;
            let id = format!("sweep.{name}.{what}.layer{layer}");
            entries.push(Entry::against(id, full, logit));
            shares[0].push(full.value());
            shares[1].push(logit.value());
        }
        depths.push(shares.map(|shares| middle(&shares)));
    }
    let n = entries.len() * entries.first().map_or(0, |e| e.row_n());
    let layers = bench.model.config.n_layers as f64;
    let earlier = |i: usize| (depths[1][i] - depths[0][i]) / layers;
    let mut entry = Entry::mean(format!("sweep.{name}.earlier"), earlier(0), n);
    entry.baseline = Some(earlier(1));
    entries.push(entry);
    Ok(entries)
}

/// Mean layer, weighted by success; layers count from 1.
fn middle(shares: &[f64]) -> f64 {
    let weighted = (1..).zip(shares).map(|(layer, s)| f64::from(layer) * s);
    weighted.sum::<f64>() / shares.iter().sum::<f64>().max(f64::MIN_POSITIVE)
}

/// Layers 1-2, where the Jacobian lens makes the difference.
fn early(bench: &Bench, name: &str, run: Run<'_>) -> Result<Vec<Entry>> {
    let band = 1..=2;
    let full = run(&bench.full.vectors, band.clone())?;
    let logit = run(&bench.logit.vectors, band.clone())?;
    let random = run(&bench.random, band.clone())?;
    let future = run(&bench.future.vectors, band.clone())?;
    let same = run(&bench.same.vectors, band)?;
    Ok(vec![
        Entry::against(format!("swap.{name}"), full, logit),
        Entry::margin(format!("swap.{name}.margin"), full, logit),
        Entry::share(format!("swap.{name}.random"), random),
        Entry::against(format!("swap.{name}.future"), future, logit),
        Entry::against(format!("swap.{name}.same"), same, logit),
    ])
}

/// Layer 2 alone, and all layers, where unembedding vectors nearly catch up.
fn other_bands(bench: &Bench, name: &str, run: Run<'_>) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (band, suffix) in [(2..=2, "layer2"), (1..=bench.deepest(), "every")] {
        let full = run(&bench.full.vectors, band.clone())?;
        let logit = run(&bench.logit.vectors, band)?;
        entries.push(Entry::against(format!("swap.{name}.{suffix}"), full, logit));
    }
    let random = run(&bench.random, 1..=bench.deepest())?;
    entries.push(Entry::share(format!("swap.{name}.every.random"), random));
    Ok(entries)
}

/// One exchange of two countries, five questions: all ordered pairs, layers 1-3.
fn flexible(bench: &Bench, name: &str, filler: &str) -> Result<Vec<Entry>> {
    let questions = prompts::named(Family::Countries, filler);
    let swaps = trials::all_pairs(&questions);
    let run = |vectors| -> Result<(Share, Share)> {
        let outcomes = outcomes(bench, vectors, &(1..=3), &questions, &swaps)?;
        Ok(flexible_shares(&questions, &swaps, &outcomes))
    };
    let (full, logit) = (run(&bench.full.vectors)?, run(&bench.logit.vectors)?);
    let (future, random) = (run(&bench.future.vectors)?, run(&bench.random)?);
    Ok(vec![
        Entry::against(format!("{name}.changed"), full.0, logit.0),
        Entry::against(format!("{name}.all5"), full.1, logit.1),
        Entry::against(format!("{name}.changed.future"), future.0, logit.0),
        Entry::share(format!("{name}.changed.random"), random.0),
    ])
}

/// Answers that should change and do; pairs of countries for which all answers come out right.
fn flexible_shares(questions: &[Question], swaps: &[Swap], outcomes: &[bool]) -> (Share, Share) {
    let changed: Vec<bool> = swaps
        .iter()
        .zip(outcomes)
        .filter(|(swap, _)| swap.expected != questions[swap.prompt].answer)
        .map(|(_, hit)| *hit)
        .collect();
    let mut pairs = std::collections::BTreeMap::new();
    for (swap, hit) in swaps.iter().zip(outcomes) {
        *pairs.entry((swap.from, swap.to)).or_insert(true) &= *hit;
    }
    let all: Vec<bool> = pairs.into_values().collect();
    (
        share(&changed, all.len()),
        Share::of(all.iter().filter(|hit| **hit).count(), all.len()),
    )
}
