//! Couplets: does the second line rhyme as planned, can the plan be read at the end of line 1, and does changing it change
//! the words that lead up to the rhyme?

use crate::dice::Dice;
use crate::error::Result;
use crate::eval::bench::{Bench, Entry, Looking};
use crate::eval::reads::{hits, ranks};
use crate::eval::stats::Share;
use crate::eval::swaps::{clean_line, lines};
use crate::eval::vectors::Vectors;
use crate::world::prompts::{self, Couplet};
use crate::world::tables::{Ending, SOUNDS, THEMES};
use crate::world::trials::{self, Swap};
use std::ops::RangeInclusive;

/// Positions read: the last two words of line 1, the comma, the line break.
const TAIL: usize = 4;

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let mut couplets = prompts::couplets(&bench.split);
    couplets.retain(|c| c.part == bench.part);
    let mut entries = written(bench, &couplets)?;
    entries.extend(swapped(bench, &couplets)?);
    entries.extend(read(bench, &couplets)?);
    Ok(entries)
}

/// Whether a line has the ending's noun, and whether a verb or adjective before its end belongs to that ending and to no other.
fn score(bench: &Bench, line: &[u32], ending: &Ending) -> (bool, bool) {
    let line: Vec<&str> = line
        .iter()
        .map(|&word| bench.words.word(word))
        .take_while(|word| *word != ".")
        .collect();
    let leads = |word: &&&str| {
        THEMES
            .iter()
            .flat_map(|theme| &theme.endings)
            .any(|e| e.verb == **word || e.adjective == **word)
    };
    let leading: Vec<&&str> = line.iter().filter(leads).collect();
    let right = leading
        .iter()
        .all(|word| **word == ending.verb || **word == ending.adjective);
    (line.contains(&ending.noun), !leading.is_empty() && right)
}

/// What the model writes by itself.
fn written(bench: &Bench, couplets: &[Couplet]) -> Result<Vec<Entry>> {
    let (mut nouns, mut earlier) = (0, 0);
    for couplet in couplets {
        let prompt = bench.words.encode(&couplet.prompt)?;
        let line = clean_line(bench.model, &prompt)?;
        let (noun, early) = score(bench, &line, &THEMES[couplet.theme].endings[couplet.sound]);
        nouns += usize::from(noun);
        earlier += usize::from(early);
    }
    let n = couplets.len();
    Ok(vec![
        Entry::share("couplet.noun", Share::of(nouns, n)),
        Entry::share("couplet.early", Share::of(earlier, n)),
    ])
}

fn swapped(bench: &Bench, couplets: &[Couplet]) -> Result<Vec<Entry>> {
    let swaps = trials::couplet_swaps(couplets);
    let run = |vectors, band| outcomes(bench, vectors, &band, couplets, &swaps);
    let (future, full) = (
        run(&bench.future.vectors, 1..=4)?,
        run(&bench.full.vectors, 1..=4)?,
    );
    let (logit, random) = (
        run(&bench.logit.vectors, 1..=4)?,
        run(&bench.random, 1..=4)?,
    );
    let every = 1..=bench.deepest();
    let (future_every, logit_every) = (
        run(&bench.future.vectors, every.clone())?,
        run(&bench.logit.vectors, every)?,
    );
    Ok(vec![
        Entry::against("swap.couplet.noun", future.0, logit.0),
        Entry::against("swap.couplet.early", future.1, logit.1),
        Entry::share("swap.couplet.noun.logit", logit.0),
        Entry::share("swap.couplet.noun.random", random.0),
        Entry::against("swap.couplet.noun.full", full.0, logit.0),
        Entry::against("swap.couplet.early.full", full.1, logit.1),
        Entry::against("swap.couplet.noun.every", future_every.0, logit_every.0),
        Entry::against("swap.couplet.early.every", future_every.1, logit_every.1),
    ])
}

/// Shares of swaps after which the line has the new rhyme word, and words of the new ending before it.
fn outcomes(
    bench: &Bench,
    vectors: &Vectors,
    band: &RangeInclusive<usize>,
    couplets: &[Couplet],
    swaps: &[Swap],
) -> Result<(Share, Share)> {
    let (mut nouns, mut earlier) = (0, 0);
    for of_prompt in swaps.chunk_by(|a, b| a.prompt == b.prompt) {
        let couplet = &couplets[of_prompt[0].prompt];
        let prompt = bench.words.encode(&couplet.prompt)?;
        let pairs = of_prompt
            .iter()
            .map(|swap| bench.pair(swap))
            .collect::<Result<Vec<_>>>()?;
        let lines = lines(bench.model, vectors, band, &prompt, &pairs)?;
        for (line, swap) in lines.iter().zip(of_prompt) {
            let endings = THEMES.iter().map(|theme| theme.endings[couplet.sound]);
            for ending in endings.filter(|ending| ending.noun == swap.to) {
                let (noun, early) = score(bench, line, &ending);
                nouns += usize::from(noun);
                earlier += usize::from(early);
            }
        }
    }
    let of = |hits| Share {
        hits,
        trials: swaps.len(),
        prompts: couplets.len(),
    };
    Ok((of(nouns), of(earlier)))
}

/// The rhyme word, before any word of line 2 is there.
fn read(bench: &Bench, couplets: &[Couplet]) -> Result<Vec<Entry>> {
    let prompts = couplets
        .iter()
        .map(|c| bench.words.encode(&c.prompt))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    let nouns = couplets
        .iter()
        .map(|c| bench.id(c.noun))
        .collect::<Result<Vec<_>>>()?;
    let mut dice = Dice::new("wrong rhymes", 0, 0);
    let mut wrong = Vec::new();
    for couplet in couplets {
        // Another ending of the same theme, so that only the sound is wrong.
        let shift = 1 + dice.below(SOUNDS.len() - 1);
        wrong.push(
            bench.id(THEMES[couplet.theme].endings[(couplet.sound + shift) % SOUNDS.len()].noun)?,
        );
    }
    let any = 1..=bench.deepest();
    let seen = |lens: &Looking, words: &[u32]| -> Result<Share> {
        let ranks = ranks(bench.model, lens.lens.as_ref(), &prompts, words, TAIL)?;
        Ok(Share::of(hits(&ranks, &any, 1), prompts.len()))
    };
    let logit = seen(&bench.logit, &nouns)?;
    Ok(vec![
        Entry::against(
            "read.couplet.future.hit1",
            seen(&bench.future, &nouns)?,
            logit,
        ),
        Entry::against("read.couplet.full.hit1", seen(&bench.full, &nouns)?, logit),
        Entry::share(
            "read.couplet.future.wrong.hit1",
            seen(&bench.future, &wrong)?,
        ),
    ])
}
