//! One backward pass: `u^T dh_L(target) / dh_l(t)` for one covector u, at every layer and position at once.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{Covector, Rows, RowsRequest};
use crate::scheduler::Clock;
use transformer::model::Trace;
use transformer::ops::attention::Paths;
use transformer::ops::real::Real;
use transformer::{Keep, Ops};

/// Each pass is run so often; the median of the times is told.
const REPEATS: usize = 5;

impl<O: Ops> Session<O> {
    /// Answers a request for rows.
    ///
    /// # Errors
    /// A position, coordinate or word that does not exist; those of the backend.
    pub async fn rows(&self, request: &RowsRequest, clock: Option<Clock>) -> Result<Rows> {
        let now = || clock.as_ref().map_or(0.0, |clock| 1e3 * clock());
        let seed = self.seed(request).await?;
        let (mut forward, mut backward) = (Vec::new(), Vec::new());
        let (mut gradients, mut output) = (Vec::new(), Vec::new());
        for _ in 0..REPEATS {
            let (trace, last, ms) = self.timed_forward(&request.tokens, &now).await?;
            forward.push(ms);
            let d = self.model.config.d_model;
            output = super::narrow(&last[request.target * d..][..d]);
            let began = now();
            gradients = self.pull_back(&trace, &seed).await?;
            backward.push(now() - began);
        }
        Ok(Rows {
            gradients,
            output,
            forward_ms: median(forward),
            backward_ms: median(backward),
            repeats: REPEATS as u32,
        })
    }

    /// The pass, its last state `[T, D]`, and its time.
    async fn timed_forward(
        &self,
        tokens: &[u32],
        now: &dyn Fn() -> f64,
    ) -> Result<(Trace<O::Buf>, Vec<O::S>, f64)> {
        let began = now();
        let trace = self
            .model
            .forward(tokens, tokens.len(), &[], Keep::ForVjp)?;
        // a GPU has only noted down what to do until now
        let last = &trace.residuals[self.model.config.n_layers];
        let last = self.model.ops.read(last).await?;
        Ok((trace, last, now() - began))
    }

    /// The covector at its position, zeros elsewhere: `[T, D]`.
    async fn seed(&self, request: &RowsRequest) -> Result<Vec<O::S>> {
        let (t, d) = (request.tokens.len(), self.model.config.d_model);
        if request.target >= t {
            let why = format!("is {}; the prompt has {t} tokens", request.target);
            return Err(Error::request("target position", why));
        }
        let u = self.covector(request.covector).await?;
        let mut seed = vec![O::S::default(); t * d];
        seed[request.target * d..][..d].copy_from_slice(&u);
        Ok(seed)
    }

    /// u, `[D]`.
    async fn covector(&self, covector: Covector) -> Result<Vec<O::S>> {
        let d = self.model.config.d_model;
        match covector {
            Covector::Coordinate(i) if (i as usize) < d => {
                let mut u = vec![O::S::default(); d];
                u[i as usize] = O::S::of(1.0);
                Ok(u)
            }
            Covector::Coordinate(i) => {
                let why = format!("is {i}; the stream has coordinates 0 to {}", d - 1);
                Err(Error::request("output coordinate", why))
            }
            Covector::Word(word) => {
                let row = self.head.unembedding(&self.model, &[word], true).await?;
                Ok(super::unit(&row))
            }
        }
    }

    /// Cotangents of every state, `[L + 1, T, D]`.
    async fn pull_back(&self, trace: &Trace<O::Buf>, seed: &[O::S]) -> Result<Vec<f32>> {
        let (model, last) = (&self.model, self.model.config.n_layers);
        let mut states: Vec<Option<O::Buf>> = (0..last).map(|_| None).collect();
        let keep = &mut |layer: usize, g: &O::Buf| {
            states[layer] = Some(model.ops.copy(g));
        };
        model.vjp(trace, last, 0, model.ops.upload(seed), Paths::ALL, keep)?;
        let mut all = Vec::with_capacity((last + 1) * seed.len());
        let states: Vec<&O::Buf> = states.iter().flatten().collect();
        for state in model.ops.read_all(&states).await? {
            all.extend(super::narrow(&state));
        }
        all.extend(super::narrow(seed));
        Ok(all)
    }
}

fn median(mut times: Vec<f64>) -> f32 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).map_or(0.0, |&t| t as f32)
}
