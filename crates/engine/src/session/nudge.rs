//! One nudge in many sentences. The effect in a sentence is `J(sentence) v`, the mean over source positions of the change of the
//! last state summed over all target positions. Because it is linear, nudging every source position at once gives it in two
//! forward passes: `(h_L(+e v) - h_L(-e v)) / 2e`, summed over positions and divided by their number.

use super::{Session, fit::SKIP_FIRST, sentence};
use crate::error::{Error, Result};
use crate::protocol::{Direction, NudgeRequest, Nudges, Targets};
use crate::turn::Turn;
use lens::intervene::{directions_like, mean_norm};
use lens::{Basis, Lens};
use transformer::ops::real::Real;
use transformer::{Edit, Keep, Ops};

/// Most sentences.
const MOST: u32 = 200;
/// Size of the nudge, in mean lengths of the layer's states: small enough for the curve to be straight, large enough for f32.
const STEP: f64 = 5e-3;
/// Steps of the power iteration for the second axis.
const POWER: usize = 60;

impl<O: Ops> Session<O> {
    /// Answers a request for nudges.
    ///
    /// # Errors
    /// A layer or word that does not exist, too many sentences, sentences without a position that counts; those of the backend.
    pub async fn nudge(&self, request: &NudgeRequest, turn: &Turn) -> Result<Nudges> {
        if request.count == 0 || request.count > MOST {
            let why = format!("is {}; from 1 to {MOST} are possible", request.count);
            return Err(Error::request("number of sentences", why));
        }
        let lens = self.lens(Targets::All)?;
        let v = self.direction(request, lens).await?;
        let mut sentences = Vec::new();
        let mut effects = Vec::new();
        for k in 0..request.count {
            let mut tokens = sentence(&self.vocabulary, request.seed, k);
            tokens.truncate(self.model.config.max_context);
            effects.push(self.effect(&tokens, request.layer, &v).await?);
            sentences.push(tokens);
            turn.pass().await;
        }
        Ok(answer(
            sentences,
            &effects,
            &through(lens, request.layer, &v)?,
        ))
    }

    /// v, `[D]`, of length 1.
    async fn direction(&self, request: &NudgeRequest, lens: &Lens) -> Result<Vec<O::S>> {
        let d = self.model.config.d_model;
        let rows = match request.direction {
            Direction::Random(seed) => directions_like(1, d, seed, request.layer),
            Direction::Word(word) => {
                let basis = Basis::Jacobian(lens);
                let words = [word];
                let mut rows = self
                    .head
                    .directions(&self.model, basis, [request.layer], &words, true)
                    .await?;
                rows.remove(&request.layer).unwrap_or_default()
            }
        };
        Ok(super::unit(&rows))
    }

    /// `J(sentence) v`, `[D]`, by central differences.
    async fn effect(&self, tokens: &[u32], layer: usize, v: &[O::S]) -> Result<Vec<f64>> {
        let (model, d, t) = (&self.model, v.len(), tokens.len());
        let clean = model.forward(tokens, t, &[], Keep::Residuals)?;
        let step = STEP * mean_norm(model, &clean, layer).await?;
        let counts = |n: usize| n >= SKIP_FIRST && n + 1 < t;
        let valid = (0..t).filter(|&n| counts(n)).count();
        if valid == 0 {
            let why = "has no position that counts; choose another seed";
            return Err(Error::request("a sentence", why));
        }
        // both passes in one batch of two sequences
        let signed = |n: usize| O::S::of(if n < t { step } else { -step });
        let edit = Edit {
            layer,
            v: v.to_vec(),
            p: vec![O::S::default(); d],
            m: vec![O::S::default()],
            c: (0..2 * t).map(signed).collect(),
            on: (0..2 * t).map(|n| counts(n % t)).collect(),
        };
        let trace = model.forward(&tokens.repeat(2), t, &[edit], Keep::Residuals)?;
        let last = model
            .ops
            .read(&trace.residuals[model.config.n_layers])
            .await?;
        let mut sum = vec![0.0; d];
        for (n, h) in last.chunks_exact(d).enumerate() {
            if counts(n % t) {
                let sign = if n < t { 1.0 } else { -1.0 };
                sum.iter_mut()
                    .zip(h)
                    .for_each(|(s, x)| *s += sign * x.wide());
            }
        }
        let scale = 1.0 / (2.0 * step * valid as f64);
        Ok(sum.into_iter().map(|x| x * scale).collect())
    }
}

/// `J v`, `[D]`.
fn through<S: Real>(lens: &Lens, layer: usize, v: &[S]) -> Result<Vec<f64>> {
    let Some(j) = lens.jacobian(layer)? else {
        return Ok(v.iter().map(|x| x.wide()).collect());
    };
    let row = |row: &[f32]| {
        row.iter()
            .zip(v)
            .map(|(a, b)| f64::from(*a) * b.wide())
            .sum()
    };
    Ok(j.chunks_exact(v.len()).map(row).collect())
}

fn answer(sentences: Vec<Vec<u32>>, effects: &[Vec<f64>], lens: &[f64]) -> Nudges {
    let axes = axes(effects);
    let place = |x: &[f64]| [0, 1].map(|i| dot(x, &axes[i]) as f32);
    let gram = effects
        .iter()
        .flat_map(|a| effects.iter().map(|b| dot(a, b) as f32));
    Nudges {
        sentences,
        plane: effects.iter().map(|x| place(x)).collect(),
        gram: gram.collect(),
        with_lens: effects.iter().map(|x| dot(x, lens) as f32).collect(),
        lens: place(lens),
        lens_square: dot(lens, lens) as f32,
    }
}

/// The direction of the mean, and the one at right angles to it in which the effects vary most.
fn axes(effects: &[Vec<f64>]) -> [Vec<f64>; 2] {
    let d = effects.first().map_or(0, Vec::len);
    let mut mean = vec![0.0; d];
    for x in effects {
        mean.iter_mut().zip(x).for_each(|(m, x)| *m += x);
    }
    let first = super::unit(&mean);
    let rest: Vec<Vec<f64>> = effects
        .iter()
        .map(|x| {
            let along = dot(x, &first);
            x.iter().zip(&first).map(|(x, f)| x - along * f).collect()
        })
        .collect();
    // power iteration on the rest's covariance, from its longest member
    let longest = rest.iter().max_by(|a, b| dot(a, a).total_cmp(&dot(b, b)));
    let mut second = super::unit(longest.map_or(&[][..], Vec::as_slice));
    for _ in 0..POWER {
        let mut next = vec![0.0; d];
        for x in &rest {
            let along = dot(x, &second);
            next.iter_mut().zip(x).for_each(|(n, x)| *n += along * x);
        }
        second = super::unit(&next);
    }
    [first, second]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
