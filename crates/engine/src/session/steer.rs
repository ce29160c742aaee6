//! Steering along a lens vector and ablation, each beside a random control.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{Said, SteerRequest, Steered, Steering, Vectors};
use lens::intervene::{Mode, matched, prepare};
use lens::readout::{self, ReadOptions};
use lens::vectors::Directions;
use transformer::model::Trace;
use transformer::ops::real::Real;
use transformer::{Edit, Keep, Ops};

/// Most strengths in one request.
const MOST_STRENGTHS: usize = 64;
/// Most words that are taken out of one state.
const MOST_WORDS: u32 = 32;

/// Edits of a whole prompt: along lens vectors, and along random directions.
type Pair<S> = [Vec<Edit<S>>; 2];

impl<O: Ops> Session<O> {
    /// Answers a steering request.
    ///
    /// # Errors
    /// Bad tokens, word, band or numbers; those of the backend.
    pub async fn steer(&self, request: &SteerRequest) -> Result<Steered> {
        check(request)?;
        let (tokens, model) = (&request.tokens, &self.model);
        let clean = model.forward(tokens, tokens.len(), &[], Keep::Residuals)?;
        let (edits, taken) = match request.how {
            Steering::Add => (
                self.along(&clean, request, Mode::Steer { strength: 1.0 })
                    .await?,
                vec![],
            ),
            Steering::Ablate => (self.along(&clean, request, Mode::Ablate).await?, vec![]),
            Steering::AblateTop(k) => self.without_top(&clean, request, k as usize).await?,
        };
        let one = [1.0]; // there is nothing to vary about an ablation
        let strengths = match request.how {
            Steering::Add => &request.strengths[..],
            _ => &one,
        };
        let [lens, random] = edits;
        Ok(Steered {
            clean: self.next(&clean, request).await?.pop().unwrap_or_default(),
            lens: self.run(request, &lens, strengths).await?,
            random: self.run(request, &random, strengths).await?,
            taken,
        })
    }

    /// One word's direction and a random one, in every layer of the band.
    async fn along(
        &self,
        clean: &Trace<O::Buf>,
        request: &SteerRequest,
        mode: Mode,
    ) -> Result<Pair<O::S>> {
        let on = vec![true; request.tokens.len()];
        let real = self.vectors(request, &[request.word]).await?;
        let random = self.control(&real, request.seed);
        let real = prepare(&self.model, clean, &real, mode, &on).await?;
        let random = prepare(&self.model, clean, &random, mode, &on).await?;
        Ok([real.edits, random.edits])
    }

    /// Takes out what the lens ranks first, state by state.
    async fn without_top(
        &self,
        clean: &Trace<O::Buf>,
        request: &SteerRequest,
        k: usize,
    ) -> Result<(Pair<O::S>, Vec<Vec<u32>>)> {
        let (t, [first, last]) = (request.tokens.len(), request.band);
        let layers: Vec<usize> = (first..=last).collect();
        let options = ReadOptions {
            top: k,
            ..ReadOptions::default()
        };
        let lens = self.lens(request.targets)?;
        let read = readout::read(&self.model, clean, Some(lens), &layers, options).await?;
        let (mut edits, mut taken) = ([vec![], vec![]], Vec::new());
        for (&layer, positions) in layers.iter().zip(&read) {
            for (position, reading) in positions.iter().enumerate() {
                let words: Vec<u32> = reading.best.iter().map(|r| r.word).collect();
                let on: Vec<bool> = (0..t).map(|n| n == position).collect();
                let basis = self.basis(Vectors::Jacobian(request.targets))?;
                let real = self
                    .head
                    .directions(&self.model, basis, [layer], &words, request.centred)
                    .await?;
                let random = self.control(&real, request.seed.wrapping_add(position as u64));
                for (edits, directions) in edits.iter_mut().zip([real, random]) {
                    let made = prepare(&self.model, clean, &directions, Mode::Ablate, &on);
                    edits.extend(made.await?.edits);
                }
                if position + 1 == t {
                    taken.push(words);
                }
            }
        }
        Ok((edits, taken))
    }

    async fn vectors(&self, request: &SteerRequest, words: &[u32]) -> Result<Directions<O::S>> {
        let [first, last] = request.band;
        let basis = self.basis(Vectors::Jacobian(request.targets))?;
        Ok(self
            .head
            .directions(&self.model, basis, first..=last, words, request.centred)
            .await?)
    }

    /// Random directions with the lengths and angles of the real ones.
    fn control(&self, real: &Directions<O::S>, seed: u64) -> Directions<O::S> {
        let d = self.model.config.d_model;
        real.iter()
            .map(|(&layer, rows)| (layer, matched(rows, d, seed, layer)))
            .collect()
    }

    /// The next word under the edits, once per strength, all in one batch.
    async fn run(
        &self,
        request: &SteerRequest,
        edits: &[Edit<O::S>],
        strengths: &[f32],
    ) -> Result<Vec<Said>> {
        let scaled = |edit: &Edit<O::S>| Edit {
            c: strengths
                .iter()
                .flat_map(|&a| {
                    edit.c
                        .iter()
                        .map(move |c| O::S::of(c.wide() * f64::from(a)))
                })
                .collect(),
            on: edit.on.repeat(strengths.len()),
            ..edit.clone()
        };
        let edits: Vec<_> = edits.iter().map(scaled).collect();
        let tokens = request.tokens.repeat(strengths.len());
        let trace = self
            .model
            .forward(&tokens, request.tokens.len(), &edits, Keep::Residuals)?;
        self.next(&trace, request).await
    }

    /// The model's next word at the end of every sequence.
    async fn next(&self, trace: &Trace<O::Buf>, request: &SteerRequest) -> Result<Vec<Said>> {
        let ends: Vec<usize> = (trace.seq - 1..trace.tokens.len())
            .step_by(trace.seq)
            .collect();
        let options = ReadOptions {
            top: request.top,
            tracked: &request.tracked,
            positions: Some(&ends),
            ..ReadOptions::default()
        };
        let all = readout::output(&self.model, trace, options).await?;
        Ok(all.into_iter().map(Said::from).collect())
    }
}

/// Refuses what cannot be computed, before anything is.
fn check(request: &SteerRequest) -> Result<()> {
    let [first, last] = request.band;
    if first > last {
        let why = format!("is {first} to {last}; its first layer must not lie above its last");
        return Err(Error::request("band", why));
    }
    let n = request.strengths.len();
    if n == 0 || n > MOST_STRENGTHS || request.strengths.iter().any(|a| !a.is_finite()) {
        let why = format!("are {n}; give 1 to {MOST_STRENGTHS} finite ones");
        return Err(Error::request("strengths", why));
    }
    match request.how {
        Steering::AblateTop(k) if k == 0 || k > MOST_WORDS => {
            let why = format!("is {k}; from 1 to {MOST_WORDS} are possible");
            Err(Error::request("number of words", why))
        }
        _ => Ok(()),
    }
}
