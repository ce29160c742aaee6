//! Opposites asked in French and Chinese: is the English word of the question, or of the answer, on the way?

use crate::Part;
use crate::error::Result;
use crate::eval::bench::{Bench, Entry, Looking};
use crate::eval::reads::{hits, ranks};
use crate::eval::stats::Share;
use crate::eval::swaps::next_words;
use crate::eval::vectors::Vectors;
use crate::world::prompts::{self, Opposite};
use crate::world::trials::{self, Side};
use std::ops::RangeInclusive;

/// Other concepts tried per prompt.
const TARGETS: usize = 4;

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (language, name) in [(1, "fr"), (2, "zh")] {
        let mut opposites = prompts::opposites(&bench.split, false);
        // Trained opposites too: the swap needs a prompt that the model answers, and most are.
        opposites.retain(|o| {
            o.language == language && (o.part == bench.part || o.part == Part::Trained)
        });
        for (side, side_name, band) in [
            (Side::Question, "question", 1..=2),
            (Side::Answer, "answer", 1..=4),
        ] {
            let run = |vectors| swapped(bench, vectors, &band, &opposites, side);
            let (full, logit) = (run(&bench.full.vectors)?, run(&bench.logit.vectors)?);
            entries.push(Entry::against(
                format!("swap.antonym.{name}.{side_name}"),
                full,
                logit,
            ));
            let id = format!("swap.antonym.{name}.{side_name}.random");
            entries.push(Entry::share(id, run(&bench.random)?));
        }
        for (word, id) in [(Side::Question, "question"), (Side::Answer, "answer")] {
            for (name_of_lens, lens) in [("full", &bench.full), ("future", &bench.future)] {
                let (seen, logit) = (
                    read(bench, lens, &opposites, word)?,
                    read(bench, &bench.logit, &opposites, word)?,
                );
                for (k, seen, logit) in [(1, seen.0, logit.0), (5, seen.1, logit.1)] {
                    entries.push(Entry::against(
                        format!("read.antonym.{name}.{id}.{name_of_lens}.hit{k}"),
                        seen,
                        logit,
                    ));
                }
            }
        }
    }
    Ok(entries)
}

fn swapped(
    bench: &Bench,
    vectors: &Vectors,
    band: &RangeInclusive<usize>,
    opposites: &[Opposite],
    side: Side,
) -> Result<Share> {
    let swaps = trials::opposite_swaps(opposites, side, TARGETS);
    let mut success = 0;
    for of_prompt in swaps.chunk_by(|a, b| a.prompt == b.prompt) {
        let prompt = bench.words.encode(&opposites[of_prompt[0].prompt].prompt)?;
        let pairs = of_prompt
            .iter()
            .map(|swap| bench.pair(swap))
            .collect::<Result<Vec<_>>>()?;
        let said = next_words(bench.model, vectors, band, &prompt, &pairs)?;
        success += of_prompt
            .iter()
            .zip(said)
            .filter(|(swap, word)| bench.words.word(*word) == swap.expected)
            .count();
    }
    Ok(Share {
        hits: success,
        trials: swaps.len(),
        prompts: opposites.len(),
    })
}

/// Shares of prompts with the English word at rank 1, and at rank 5 or better, in some cell.
fn read(
    bench: &Bench,
    lens: &Looking,
    opposites: &[Opposite],
    word: Side,
) -> Result<(Share, Share)> {
    let prompts = opposites
        .iter()
        .map(|o| bench.words.encode(&o.prompt))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    let english = |o: &Opposite| {
        bench.id(if word == Side::Question {
            o.bridge
        } else {
            o.english_answer
        })
    };
    let english = opposites.iter().map(english).collect::<Result<Vec<_>>>()?;
    // From the adjective on.
    let tail = opposites
        .iter()
        .zip(&prompts)
        .map(|(o, p)| p.len() - o.source)
        .max()
        .unwrap_or(1);
    let seen = ranks(bench.model, lens.lens.as_ref(), &prompts, &english, tail)?;
    let any = 1..=bench.deepest();
    Ok((
        Share::of(hits(&seen, &any, 1), prompts.len()),
        Share::of(hits(&seen, &any, 5), prompts.len()),
    ))
}
