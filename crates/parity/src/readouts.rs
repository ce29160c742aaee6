//! The ten best words of every cell under both lenses.

use crate::error::Result;
use crate::finding::Finding;
use crate::golden::Golden;
use lens::readout::{ReadOptions, Reading, read};
use transformer::{Keep, Model, Ops};

const K: usize = 10;

pub(crate) async fn compare<O: Ops>(g: &Golden, model: &Model<O>) -> Result<Vec<Finding>> {
    let lens = g.lens()?;
    let tokens = g.prompt(0)?;
    let trace = model.forward(&tokens, tokens.len(), &[], Keep::Residuals)?;
    let layers: Vec<usize> = (0..=g.config.n_layers).collect();
    // a small budget, so that the rows of logits come in several chunks
    let options = ReadOptions {
        budget: 3 * 8 * g.config.vocab,
        ..ReadOptions::default()
    };
    let mut findings = Vec::new();
    for (kind, lens) in [("jacobian", Some(&lens)), ("logit", None)] {
        let cells = read(model, &trace, lens, &layers, options).await?;
        let ids = g.ids(&format!("readout.{kind}.ids"))?;
        let log_probs = g.numbers(&format!("readout.{kind}.log_probs"))?;
        let golden = ids.chunks_exact(K).zip(log_probs.chunks_exact(K));
        if golden.len() != cells.iter().flatten().count() {
            return Err(g.lacks("readout", "has another number of cells"));
        }
        for (cell, (reading, golden)) in cells.iter().flatten().zip(golden).enumerate() {
            let (layer, position) = (layers[cell / tokens.len()], cell % tokens.len());
            let what = format!("{kind} lens, state {layer}, position {position}");
            findings.push(judge(what, reading, golden));
        }
    }
    Ok(findings)
}

fn judge(what: String, reading: &Reading, (ids, log_probs): (&[u32], &[f32])) -> Finding {
    let words = reading.best.iter().map(|r| r.word);
    let ranks = reading.best.iter().map(|r| r.rank);
    let differences = reading
        .best
        .iter()
        .zip(log_probs)
        .map(|(r, golden)| (f64::from(r.prob).ln() - f64::from(*golden)).abs());
    Finding {
        what,
        error: differences.fold(
            0.0,
            |m, d| if d.is_nan() { f64::INFINITY } else { m.max(d) },
        ),
        same_words: words.eq(ids.iter().copied()) && ranks.eq(0..K as u32),
    }
}
