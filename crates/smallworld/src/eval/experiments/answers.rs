//! Does the model answer: no lens involved.

use crate::error::Result;
use crate::eval::accuracy::right;
use crate::eval::bench::{Bench, Entry};
use crate::eval::stats::Share;
use crate::world::prompts::{self, FILLER};
use crate::{Family, Part};

/// Two-hop, one-hop, names and opposites. Couplets are generated, see `couplets`.
pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut add = |id: String, items: Vec<(String, &str)>| -> Result<()> {
        let hits = right(bench.model, &bench.words, &items)?;
        entries.push(Entry::share(id, Share::of(hits, items.len())));
        Ok(())
    };
    for family in Family::BOTH {
        let name = family.name();
        for (kind, filler) in [("plain", ""), ("filler", FILLER)] {
            for (part, suffix) in [(bench.part, ""), (Part::Trained, ".trained")] {
                let questions = prompts::two_hop(&bench.split, family, filler);
                let questions = questions.into_iter().filter(|q| q.part == part);
                add(
                    format!("twohop.{name}.{kind}{suffix}"),
                    questions.map(|q| (q.prompt, q.answer)).collect(),
                )?;
            }
        }
        let named = prompts::named(family, "").into_iter();
        add(
            format!("onehop.{name}"),
            named.map(|q| (q.prompt, q.answer)).collect(),
        )?;
        let naming = prompts::naming(family).into_iter();
        add(
            format!("naming.{name}"),
            naming.map(|q| (q.prompt, q.answer)).collect(),
        )?;
    }
    for (part, id) in [
        (bench.part, "antonym.within"),
        (Part::Trained, "antonym.within.trained"),
    ] {
        let opposites = prompts::opposites(&bench.split, false)
            .into_iter()
            .filter(|o| o.part == part);
        add(id.into(), opposites.map(|o| (o.prompt, o.answer)).collect())?;
    }
    Ok(entries)
}
