//! The Jacobians of one prompt, a chunk of rows at a time, so that a worker can stream, pause and cancel in between.

use super::Estimator;
use crate::error::{Result, shape};
use std::collections::BTreeMap;
use std::ops::Range;
use transformer::model::{Keep, Trace};
use transformer::ops::real::Real;
use transformer::{Model, Ops, Paths};

/// The Jacobians of one prompt: what an [`super::Accumulator`] adds up.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptJacobian<S> {
    /// Tokens of the prompt.
    pub tokens: usize,
    /// Source layer -> `[D, D]`.
    pub layers: BTreeMap<usize, Vec<S>>,
}

/// A fit of one prompt in progress.
pub struct PromptFit<'m, O: Ops> {
    model: &'m Model<O>,
    estimator: &'m Estimator,
    trace: Trace<O::Buf>,
    valid: Vec<bool>,
    row: usize,
    row_chunk: usize,
    /// The first pass counts positively; a second one, if any, is subtracted.
    passes: Vec<(Paths, BTreeMap<usize, O::Buf>)>,
}

impl<'m, O: Ops> PromptFit<'m, O> {
    /// Runs the prompt forward. `None`: it has no valid position, count it as skipped.
    ///
    /// # Errors
    /// Bad tokens, or an estimator of another width or depth than the model's.
    pub fn new(
        model: &'m Model<O>,
        estimator: &'m Estimator,
        row_chunk: usize,
        tokens: &[u32],
    ) -> Result<Option<Self>> {
        let d = model.config.d_model;
        if estimator.d != d {
            return Err(shape("width of the estimator", d, estimator.d));
        }
        model.check_layer("target layer", estimator.target)?;
        model.check_tokens(tokens, tokens.len())?;
        let valid = estimator.valid(tokens.len());
        if !valid.contains(&true) {
            return Ok(None);
        }
        let trace = model.forward(tokens, tokens.len(), &[], Keep::ForVjp)?;
        let empty = || {
            let zeros = |&l| (l, model.ops.zeros(d * d));
            estimator.sources.iter().map(zeros).collect()
        };
        let passes = estimator.passes();
        Ok(Some(Self {
            model,
            estimator,
            trace,
            valid,
            row: 0,
            row_chunk: row_chunk.clamp(1, d),
            passes: passes.into_iter().map(|p| (p, empty())).collect(),
        }))
    }

    /// Computes the next rows at every source layer and says which; `None` when all are done.
    ///
    /// # Errors
    /// Those of the model.
    pub fn step(&mut self) -> Result<Option<Range<usize>>> {
        let d = self.estimator.d;
        let (first, rows) = (self.row, self.row_chunk.min(d - self.row));
        if rows == 0 {
            return Ok(None);
        }
        let (model, ops, valid) = (self.model, &self.model.ops, &self.valid);
        let lowest = self.estimator.sources.first().copied().unwrap_or(0);
        for (paths, layers) in &mut self.passes {
            let seed = ops.seed(first, rows, d, valid);
            let keep = &mut |layer: usize, g: &O::Buf| {
                if let Some(j) = layers.get_mut(&layer) {
                    ops.mean_positions(g, first, d, valid, j);
                }
            };
            model.vjp(
                &self.trace,
                self.estimator.target,
                lowest,
                seed,
                *paths,
                keep,
            )?;
        }
        self.row += rows;
        Ok(Some(first..self.row))
    }

    /// Rows of J that are done, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.row, self.estimator.d)
    }

    /// Reads rows of one source layer, `[rows, D]`; rows not yet done are zero.
    ///
    /// # Errors
    /// A layer or rows that the fit does not have; those of the backend.
    pub async fn rows(&self, layer: usize, rows: Range<usize>) -> Result<Vec<O::S>> {
        let d = self.estimator.d;
        if rows.end > d || rows.start > rows.end {
            return Err(shape("rows", format!("within 0..{d}"), format!("{rows:?}")));
        }
        let ids: Vec<u32> = rows.map(|row| row as u32).collect();
        let mut parts = Vec::new();
        for (_, _, j) in self.parts().filter(|(_, at, _)| *at == layer) {
            parts.push(self.model.ops.embed(j, &ids, d)); // only these rows come back
        }
        if parts.is_empty() {
            let has = format!("one of {:?}", self.estimator.sources);
            return Err(shape("source layer", has, layer));
        }
        let parts: Vec<&O::Buf> = parts.iter().collect();
        Ok(minus(self.model.ops.read_all(&parts).await?))
    }

    /// Computes what is left and reads everything back.
    ///
    /// # Errors
    /// Those of the model and the backend.
    pub async fn finish(mut self) -> Result<PromptJacobian<O::S>> {
        while self.step()?.is_some() {}
        let bufs: Vec<&O::Buf> = self.parts().map(|(_, _, j)| j).collect();
        let mut numbers = self.model.ops.read_all(&bufs).await?;
        let sources = &self.estimator.sources;
        let second = numbers.split_off(sources.len());
        let mut second = second.into_iter();
        let all = numbers
            .into_iter()
            .map(|j| minus([Some(j), second.next()].into_iter().flatten()));
        let layers = sources.iter().copied().zip(all).collect();
        Ok(PromptJacobian {
            tokens: self.tokens(),
            layers,
        })
    }

    /// What is estimated.
    pub fn estimator(&self) -> &Estimator {
        self.estimator
    }

    /// Tokens of the prompt.
    pub fn tokens(&self) -> usize {
        self.valid.len()
    }

    /// What a layer's J is the sum of: sign, layer and matrix, pass by pass, layers ascending.
    pub(super) fn parts(&self) -> impl Iterator<Item = (f64, usize, &O::Buf)> {
        let passes = self.passes.iter().enumerate();
        passes.flat_map(|(pass, (_, layers))| {
            let sign = if pass == 0 { 1.0 } else { -1.0 };
            layers.iter().map(move |(&layer, j)| (sign, layer, j))
        })
    }
}

/// The first minus the others.
fn minus<S: Real>(parts: impl IntoIterator<Item = Vec<S>>) -> Vec<S> {
    let mut parts = parts.into_iter();
    let mut first = parts.next().unwrap_or_default();
    for part in parts {
        first.iter_mut().zip(part).for_each(|(a, b)| *a -= b);
    }
    first
}
