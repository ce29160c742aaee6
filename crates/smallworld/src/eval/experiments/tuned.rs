//! Does the tuned lens skip ahead, over the bridge?

use super::bridges::{TAIL, held_out_is, look_for};
use crate::Family;
use crate::error::Result;
use crate::eval::bench::{Bench, Entry};
use crate::eval::reads::hits;
use crate::eval::stats::Share;
use crate::eval::tuned::{ranks, standard};

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let tuned = standard(bench.model)?;
    let mut entries = Vec::new();
    for family in Family::BOTH {
        let questions = held_out_is(bench, family);
        let (prompts, bridges) = look_for(bench, &questions)?;
        let ranks = ranks(bench.model, &tuned, &prompts, &bridges, TAIL)?;
        let share = |layers, k| Share::of(hits(&ranks, &layers, k), prompts.len());
        let name = format!("read.{}.filler.tuned", family.name());
        entries.push(Entry::share(
            format!("{name}.hit1"),
            share(1..=bench.deepest(), 1),
        ));
        entries.push(Entry::share(
            format!("{name}.hit5"),
            share(1..=bench.deepest(), 5),
        ));
        entries.push(Entry::share(
            format!("{name}.layer12.hit1"),
            share(1..=2, 1),
        ));
    }
    Ok(entries)
}
