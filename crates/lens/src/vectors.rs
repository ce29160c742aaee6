//! Directions that stand for words.
//!
//! * unembedding vector: `u_w = gain * W_U[w]`, for LayerNorm minus its mean over coordinates (the subtraction that the norm
//!   makes, folded in); `<u_w, h>` is the word's logit up to the norm's scale and a constant of the word
//! * lens vector at layer l: `v_w = J_l^T u_w`
//! * centred: minus the mean over the vocabulary, which the softmax cannot see. The mean of `J^T u_w` is `J^T` of the mean, so
//!   the mean of the rows of W_U is all that is needed of the whole vocabulary.

use crate::error::{Error, Result};
use crate::intervene::matched;
use crate::jacobians::Lens;
use crate::readout::{check_width, check_words, square};
use std::collections::BTreeMap;
use transformer::ops::real::Real;
use transformer::{Model, NormKind, Ops};

/// Which directions.
#[derive(Clone, Copy, Debug)]
pub enum Basis<'a> {
    /// Lens vectors.
    Jacobian(&'a Lens),
    /// Unembedding vectors: the logit lens.
    Logit,
    /// Random directions with the lengths and angles of the lens vectors.
    Random {
        /// The lens whose vectors are imitated.
        lens: &'a Lens,
        /// Seed.
        seed: u64,
    },
}

/// Directions per layer, each `[k, D]`.
pub type Directions<S> = BTreeMap<usize, Vec<S>>;

/// What of a model's head every word shares; made once per model.
#[derive(Clone, Debug)]
pub struct Head<S> {
    gain: Vec<S>,
    kind: NormKind,
    /// Mean of `u_w` over the vocabulary.
    mean: Vec<S>,
}

impl<S: Real> Head<S> {
    /// One reduction over the unembedding matrix, on the backend.
    ///
    /// # Errors
    /// Those of the backend.
    pub async fn new<O: Ops<S = S>>(model: &Model<O>) -> Result<Self> {
        let (ops, norm) = (&model.ops, &model.params.final_norm);
        let vocab = model.config.vocab;
        let share = ops.upload(&vec![S::of(1.0 / vocab as f64); vocab]);
        let mean = ops.linear_vjp(&share, &model.params.unembedding);
        let mut numbers = ops.read_all(&[&norm.gain, &mean]).await?.into_iter();
        let mut head = Self {
            gain: numbers.next().unwrap_or_default(),
            kind: norm.kind,
            mean: numbers.next().unwrap_or_default(),
        };
        let mut mean = std::mem::take(&mut head.mean);
        head.fold(&mut mean);
        head.mean = mean;
        Ok(head)
    }

    /// Rows of W_U -> unembedding vectors, in place.
    fn fold(&self, rows: &mut [S]) {
        let d = self.gain.len();
        for row in rows.chunks_exact_mut(d) {
            row.iter_mut().zip(&self.gain).for_each(|(x, &g)| *x *= g);
            if self.kind == NormKind::Layer {
                let mean = row.iter().fold(0.0, |s, x| s + x.wide()) / d as f64;
                row.iter_mut().for_each(|x| *x -= S::of(mean));
            }
        }
    }

    /// Unembedding vectors of words, `[words, D]`.
    ///
    /// # Errors
    /// [`Error::Word`]; those of the backend.
    pub async fn unembedding<O: Ops<S = S>>(
        &self,
        model: &Model<O>,
        words: &[u32],
        centred: bool,
    ) -> Result<Vec<S>> {
        check_words(words, model.config.vocab)?;
        let d = self.gain.len();
        let rows = model.ops.embed(&model.params.unembedding.w, words, d);
        let mut rows = model.ops.read(&rows).await?;
        self.fold(&mut rows);
        if centred {
            for row in rows.chunks_exact_mut(d) {
                row.iter_mut().zip(&self.mean).for_each(|(x, &m)| *x -= m);
            }
        }
        Ok(rows)
    }

    /// Lens vectors of words at a layer, `[words, D]`; at the target layer they are the unembedding vectors.
    ///
    /// # Errors
    /// [`Error::Word`], [`Error::NoLayer`], [`Error::Width`]; those of the backend.
    pub async fn lens_vectors<O: Ops<S = S>>(
        &self,
        model: &Model<O>,
        lens: &Lens,
        layer: usize,
        words: &[u32],
        centred: bool,
    ) -> Result<Vec<S>> {
        let mut all = self
            .at_layers(model, lens, &[layer], words, centred)
            .await?;
        Ok(all.pop().unwrap_or_default())
    }

    /// Lens vectors at several layers: one readback for the words' rows, one for all layers.
    async fn at_layers<O: Ops<S = S>>(
        &self,
        model: &Model<O>,
        lens: &Lens,
        layers: &[usize],
        words: &[u32],
        centred: bool,
    ) -> Result<Vec<Vec<S>>> {
        let d = self.gain.len();
        check_width(lens, d)?;
        let jacobians: Vec<_> = layers
            .iter()
            .map(|&l| lens.jacobian(l))
            .collect::<Result<_>>()?;
        let rows = self.unembedding(model, words, centred).await?;
        let on_backend = model.ops.upload(&rows);
        let pulled: Vec<O::Buf> = jacobians
            .iter()
            .flatten()
            .map(|j| model.ops.linear_vjp(&on_backend, &square(&model.ops, j, d)))
            .collect();
        let mut numbers = match pulled.is_empty() {
            true => Vec::new(), // the target layer only
            false => {
                model
                    .ops
                    .read_all(&pulled.iter().collect::<Vec<_>>())
                    .await?
            }
        }
        .into_iter();
        let vectors = jacobians.iter().map(|j| match j {
            Some(_) => numbers.next().unwrap_or_default(),
            None => rows.clone(),
        });
        Ok(vectors.collect())
    }

    /// Directions of words at each of `layers`.
    ///
    /// # Errors
    /// As [`Head::lens_vectors`].
    pub async fn directions<O: Ops<S = S>>(
        &self,
        model: &Model<O>,
        basis: Basis<'_>,
        layers: impl IntoIterator<Item = usize>,
        words: &[u32],
        centred: bool,
    ) -> Result<Directions<S>> {
        let layers: Vec<usize> = layers.into_iter().collect();
        for &layer in &layers {
            model.check_layer("layer", layer)?;
        }
        if layers.is_empty() {
            return Err(Error::Option {
                option: "band",
                why: "is empty; give a first layer that is not above the last".into(),
            });
        }
        let rows = match basis {
            Basis::Logit => vec![self.unembedding(model, words, centred).await?; layers.len()],
            Basis::Jacobian(lens) | Basis::Random { lens, .. } => {
                self.at_layers(model, lens, &layers, words, centred).await?
            }
        };
        let mut out: Directions<S> = layers.into_iter().zip(rows).collect();
        if let Basis::Random { seed, .. } = basis {
            for (&layer, rows) in &mut out {
                *rows = matched(rows, self.gain.len(), seed, layer);
            }
        }
        Ok(out)
    }
}
