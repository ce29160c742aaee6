//! Questions about described and named entities: swapping the bridge, and reading it.

use crate::Family;
use crate::dice::Dice;
use crate::error::Result;
use crate::eval::bench::{Bench, Entry, Looking};
use crate::eval::reads::{Ranks, hits, ranks};
use crate::eval::stats::Share;
use crate::eval::swaps::next_words;
use crate::eval::vectors::Vectors;
use crate::world::prompts::{self, FILLER, Question};
use crate::world::trials::{self, Swap};
use std::ops::RangeInclusive;

/// Other entities tried per prompt.
const TARGETS: usize = 4;
/// Positions read: the filler and the question's end.
pub(super) const TAIL: usize = 8;

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
    for family in Family::BOTH {
        entries.extend(reads(bench, family)?);
    }
    Ok(entries)
}

fn held_out(bench: &Bench, family: Family, filler: &str) -> Vec<Question> {
    prompts::two_hop(&bench.split, family, filler)
        .into_iter()
        .filter(|q| q.part == bench.part)
        .collect()
}

/// Held-out filler questions that end in "is", so that positions line up.
pub(super) fn held_out_is(bench: &Bench, family: Family) -> Vec<Question> {
    let mut questions = held_out(bench, family, FILLER);
    questions.retain(|q| q.prompt.ends_with(" is"));
    questions
}

/// The questions' tokens, and their bridges' ids.
pub(super) fn look_for(bench: &Bench, questions: &[Question]) -> Result<(Vec<Vec<u32>>, Vec<u32>)> {
    let encode = |q: &Question| bench.words.encode(&q.prompt);
    let prompts = questions
        .iter()
        .map(encode)
        .collect::<std::result::Result<Vec<_>, _>>()?;
    let bridges = questions
        .iter()
        .map(|q| bench.id(q.bridge))
        .collect::<Result<Vec<_>>>()?;
    Ok((prompts, bridges))
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

/// Layers 1-2, where the lens matters, and all layers.
fn swaps(bench: &Bench, name: &str, questions: &[Question]) -> Result<Vec<Entry>> {
    let swaps = trials::entity_swaps(questions, TARGETS);
    let run = |vectors, band| -> Result<Share> {
        Ok(share(
            &outcomes(bench, vectors, &band, questions, &swaps)?,
            questions.len(),
        ))
    };
    let (early, every) = (1..=2, 1..=bench.deepest());
    let full = run(&bench.full.vectors, early.clone())?;
    let logit = run(&bench.logit.vectors, early.clone())?;
    Ok(vec![
        Entry::against(format!("swap.{name}"), full, logit),
        Entry::margin(format!("swap.{name}.margin"), full, logit),
        Entry::share(
            format!("swap.{name}.random"),
            run(&bench.random, early.clone())?,
        ),
        Entry::against(
            format!("swap.{name}.future"),
            run(&bench.future.vectors, early.clone())?,
            logit,
        ),
        Entry::against(
            format!("swap.{name}.same"),
            run(&bench.same.vectors, early)?,
            logit,
        ),
        Entry::against(
            format!("swap.{name}.layer2"),
            run(&bench.full.vectors, 2..=2)?,
            run(&bench.logit.vectors, 2..=2)?,
        ),
        Entry::against(
            format!("swap.{name}.every"),
            run(&bench.full.vectors, every.clone())?,
            run(&bench.logit.vectors, every.clone())?,
        ),
        Entry::share(
            format!("swap.{name}.every.random"),
            run(&bench.random, every)?,
        ),
    ])
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

/// Reading the bridge.
fn reads(bench: &Bench, family: Family) -> Result<Vec<Entry>> {
    let questions = held_out_is(bench, family);
    let (prompts, bridges) = look_for(bench, &questions)?;
    let wrong = wrong_bridges(bench, family, &questions)?;
    let look = |lens: &Looking, words: &[u32]| {
        ranks(bench.model, lens.lens.as_ref(), &prompts, words, TAIL)
    };
    let n = prompts.len();
    let any = 1..=bench.deepest();
    let name = format!("read.{}.filler", family.name());
    let (full, future, logit) = (
        look(&bench.full, &bridges)?,
        look(&bench.future, &bridges)?,
        look(&bench.logit, &bridges)?,
    );
    let hit =
        |ranks: &Ranks, layers: &RangeInclusive<usize>, k| Share::of(hits(ranks, layers, k), n);
    let mut entries = Vec::new();
    for k in [1, 5] {
        for (lens, seen) in [("full", &full), ("future", &future)] {
            let id = format!("{name}.{lens}.hit{k}");
            entries.push(Entry::against(id, hit(seen, &any, k), hit(&logit, &any, k)));
        }
    }
    for (name_of_lens, lens) in [
        ("full", &bench.full),
        ("future", &bench.future),
        ("logit", &bench.logit),
    ] {
        entries.push(Entry::share(
            format!("{name}.{name_of_lens}.wrong.hit1"),
            hit(&look(lens, &wrong)?, &any, 1),
        ));
    }
    let early = 1..=2;
    let best = if hits(&full, &early, 1) >= hits(&future, &early, 1) {
        &full
    } else {
        &future
    };
    entries.push(Entry::margin(
        format!("{name}.layer12.margin"),
        hit(best, &early, 1),
        hit(&logit, &early, 1),
    ));
    for layer in any.clone() {
        let at = layer..=layer;
        for (lens, seen) in [("full", &full), ("future", &future)] {
            let id = format!("{name}.{lens}.layer{layer}.hit1");
            entries.push(Entry::against(id, hit(seen, &at, 1), hit(&logit, &at, 1)));
        }
    }
    let last = |ranks: &Ranks| -> Ranks {
        let end = |layer: &Vec<u32>| layer.last().copied().into_iter().collect();
        ranks
            .iter()
            .map(|prompt| prompt.iter().map(end).collect())
            .collect()
    };
    let (full, logit) = (hit(&last(&full), &any, 1), hit(&last(&logit), &any, 1));
    entries.push(Entry::against(
        format!("{name}.last.full.hit1"),
        full,
        logit,
    ));
    Ok(entries)
}

/// For each question the name of another entity, to show how easily a name is found that is not there.
fn wrong_bridges(bench: &Bench, family: Family, questions: &[Question]) -> Result<Vec<u32>> {
    let mut dice = Dice::new("wrong bridges", 0, 0);
    let entities = family.domain().entities;
    let other = |q: &Question| {
        let shift = 1 + dice.below(entities.len() - 1);
        bench.id(entities[(q.entity + shift) % entities.len()].name)
    };
    questions.iter().map(other).collect()
}
