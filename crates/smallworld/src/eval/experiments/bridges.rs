//! Reading the bridge of described entities: at which layers and positions a lens ranks it first, though nobody said it.

use crate::Family;
use crate::error::Result;
use crate::eval::bench::{Bench, Entry, Looking};
use crate::eval::reads::{Ranks, hits, ranks};
use crate::eval::stats::Share;
pub use crate::world::experiments::TAIL;
use crate::world::experiments::{bridge_questions, wrong_bridges};
use crate::world::prompts::Question;

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for family in Family::BOTH {
        entries.extend(reads(bench, family)?);
    }
    Ok(entries)
}

/// Held-out filler questions that end in "is", so that positions line up.
pub fn held_out_is(bench: &Bench, family: Family) -> Vec<Question> {
    bridge_questions(&bench.split, family, bench.part)
}

/// The questions' tokens, and their bridges' ids.
pub fn look_for(bench: &Bench, questions: &[Question]) -> Result<(Vec<Vec<u32>>, Vec<u32>)> {
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

/// Ranks of the bridge through three lenses.
struct Seen {
    full: Ranks,
    future: Ranks,
    logit: Ranks,
}

impl Seen {
    /// Share of prompts with the bridge among the best `k` at some of these layers.
    fn share(ranks: &Ranks, (first, last): (usize, usize), k: u32) -> Share {
        Share::of(hits(ranks, &(first..=last), k), ranks.len())
    }

    /// The two Jacobian lenses, named, beside the logit lens.
    fn beside(&self, name: &str, layers: (usize, usize), k: u32) -> Vec<Entry> {
        let logit = Self::share(&self.logit, layers, k);
        [("full", &self.full), ("future", &self.future)]
            .map(|(lens, seen)| {
                let id = name.replace("LENS", lens);
                Entry::against(format!("{id}.hit{k}"), Self::share(seen, layers, k), logit)
            })
            .into()
    }
}

fn reads(bench: &Bench, family: Family) -> Result<Vec<Entry>> {
    let questions = held_out_is(bench, family);
    let (prompts, bridges) = look_for(bench, &questions)?;
    let look = |lens: &Looking, words: &[u32]| {
        ranks(bench.model, lens.lens.as_ref(), &prompts, words, TAIL)
    };
    let seen = Seen {
        full: look(&bench.full, &bridges)?,
        future: look(&bench.future, &bridges)?,
        logit: look(&bench.logit, &bridges)?,
    };
    let any = (1, bench.deepest());
    let name = format!("read.{}.filler", family.name());
    let mut entries = seen.beside(&format!("{name}.LENS"), any, 1);
    entries.extend(seen.beside(&format!("{name}.LENS"), any, 5));
    let wrong = wrong_bridges(&questions);
    let wrong: Vec<u32> = wrong
        .into_iter()
        .map(|word| bench.id(word))
        .collect::<Result<_>>()?;
    let mistaken = Seen {
        full: look(&bench.full, &wrong)?,
        future: look(&bench.future, &wrong)?,
        logit: look(&bench.logit, &wrong)?,
    };
    for (lens, ranks) in [
        ("full", &mistaken.full),
        ("future", &mistaken.future),
        ("logit", &mistaken.logit),
    ] {
        let share = Seen::share(ranks, any, 1);
        entries.push(Entry::share(format!("{name}.{lens}.wrong.hit1"), share));
    }
    entries.push(early_margin(&name, &seen));
    for layer in 0..=bench.deepest() {
        let here = (layer, layer);
        for k in [1, 5] {
            entries.extend(seen.beside(&format!("{name}.LENS.layer{layer}"), here, k));
            entries.extend(mistaken.beside(&format!("{name}.LENS.wrong.layer{layer}"), here, k));
        }
    }
    let (full, logit) = (last_position(&seen.full), last_position(&seen.logit));
    let (full, logit) = (Seen::share(&full, any, 1), Seen::share(&logit, any, 1));
    entries.push(Entry::against(
        format!("{name}.last.full.hit1"),
        full,
        logit,
    ));
    Ok(entries)
}

/// At layers 1-2: the better of the full and the future lens, minus the logit lens.
fn early_margin(name: &str, seen: &Seen) -> Entry {
    let at = |ranks| Seen::share(ranks, (1, 2), 1);
    let (full, future) = (at(&seen.full), at(&seen.future));
    let best = if full.hits >= future.hits {
        full
    } else {
        future
    };
    Entry::margin(format!("{name}.layer12.margin"), best, at(&seen.logit))
}

fn last_position(ranks: &Ranks) -> Ranks {
    let end = |layer: &Vec<u32>| layer.last().copied().into_iter().collect();
    let prompts = ranks.iter();
    prompts
        .map(|layers| layers.iter().map(end).collect())
        .collect()
}
