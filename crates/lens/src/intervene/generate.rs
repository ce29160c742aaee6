//! Greedy continuation.

use crate::error::Result;
use crate::readout::{ReadOptions, output};
use transformer::model::Keep;
use transformer::ops::real::Real;
use transformer::{Edit, Model, Ops};

/// The `steps` most likely next words, one after the other, with `edits` made at the prompt's positions only; stops early
/// after `stop` and at the longest context. `edits` are those of the prompt: attention looks back only, so the clean pass at
/// the prompt's positions does not depend on what follows.
///
/// # Errors
/// Bad tokens or edits; those of the backend.
pub async fn generate<O: Ops>(
    model: &Model<O>,
    tokens: &[u32],
    edits: &[Edit<O::S>],
    steps: usize,
    stop: Option<u32>,
) -> Result<Vec<u32>> {
    let (mut all, mut edits) = (tokens.to_vec(), edits.to_vec());
    let mut new = Vec::new();
    while new.len() < steps && all.len() <= model.config.max_context {
        let trace = model.forward(&all, all.len(), &edits, Keep::Residuals)?;
        let last = [all.len() - 1];
        let options = ReadOptions {
            top: 1,
            positions: Some(&last),
            ..ReadOptions::default()
        };
        let readings = output(model, &trace, options).await?;
        let Some(word) = readings.first().and_then(|r| r.best.first()) else {
            break;
        };
        new.push(word.word);
        if stop == Some(word.word) {
            break;
        }
        all.push(word.word);
        edits.iter_mut().for_each(|e| lengthen(e, all.len()));
    }
    Ok(new)
}

/// Appends positions that are not edited.
fn lengthen<S: Real>(edit: &mut Edit<S>, n: usize) {
    let k = edit.m.len().isqrt();
    edit.c.resize(n * k, S::default());
    edit.on.resize(n, false);
}
