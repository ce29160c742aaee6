//! Lens vectors of all words, raw and centred.

use crate::error::Result;
use crate::finding::Finding;
use crate::golden::Golden;
use lens::Head;
use transformer::{Model, Ops};

pub(crate) async fn compare<O: Ops>(g: &Golden, model: &Model<O>) -> Result<Vec<Finding>> {
    let lens = g.lens()?;
    let head = Head::new(model).await?;
    let words: Vec<u32> = (0..g.config.vocab as u32).collect();
    let mut findings = Vec::new();
    for (kind, centred) in [("raw", false), ("centred", true)] {
        for &l in lens.layers.keys() {
            let v = head.lens_vectors(model, &lens, l, &words, centred).await?;
            let golden = g.numbers(&format!("lens_vectors.{kind}.{l}"))?;
            findings.push(Finding::of(format!("{kind}, state {l}"), &v, &golden));
        }
    }
    Ok(findings)
}
