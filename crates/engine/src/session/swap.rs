//! One intervention on one prompt.

use super::Session;
use super::read::ranked;
use crate::error::{Error, Result};
use crate::protocol::{EditMode, Ranked, SwapRequest, SwapResult, Vectors};
use lens::intervene::{Mode, Prepared, generate, prepare};
use lens::readout::{self, ReadOptions};
use transformer::model::Trace;
use transformer::{Edit, Keep, Ops};

/// Which directions are edited how, at which layers: what one swap and a count of swaps share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intervention {
    pub band: [usize; 2],
    pub vectors: Vectors,
    pub centred: bool,
    pub mode: EditMode,
}

impl<O: Ops> Session<O> {
    /// Answers a swap request. The edit is made at every position of the prompt and every layer of the band.
    ///
    /// # Errors
    /// Bad tokens, words or band, directions that cannot be told apart; those of the backend.
    pub async fn swap(&self, request: &SwapRequest) -> Result<SwapResult> {
        let (tokens, model) = (&request.tokens, &self.model);
        let clean = model.forward(tokens, tokens.len(), &[], Keep::Residuals)?;
        let how = Intervention {
            band: request.band,
            vectors: request.vectors,
            centred: request.centred,
            mode: request.mode,
        };
        let words = [request.source, request.target];
        let prepared = self.prepare(&clean, how, words).await?;
        let edited = model.forward(tokens, tokens.len(), &prepared.edits, Keep::Residuals)?;
        Ok(SwapResult {
            clean: self.last_output(&clean, request.top).await?,
            edited: self.last_output(&edited, request.top).await?,
            clean_text: self.continue_text(tokens, &[], request.generate).await?,
            edited_text: self
                .continue_text(tokens, &prepared.edits, request.generate)
                .await?,
            cosines: prepared.cosines.iter().map(|&c| c as f32).collect(),
            coordinates: prepared
                .coordinates
                .iter()
                .map(|c| c.map(|x| x as f32))
                .collect(),
            warning: prepared.warning,
        })
    }

    /// The edits of an intervention on a clean pass.
    pub(super) async fn prepare(
        &self,
        clean: &Trace<O::Buf>,
        how: Intervention,
        words: [u32; 2],
    ) -> Result<Prepared<O::S>> {
        let [first, last] = how.band;
        if first > last {
            let why = format!("is {first} to {last}; its first layer must not lie above its last");
            return Err(Error::request("band", why));
        }
        let words = match how.mode {
            EditMode::Ablate => &words[..1], // the target's direction stays
            _ => &words[..],
        };
        let (model, basis) = (&self.model, self.basis(how.vectors)?);
        let directions = self
            .head
            .directions(model, basis, first..=last, words, how.centred)
            .await?;
        let on = vec![true; clean.tokens.len()];
        Ok(prepare(model, clean, &directions, mode(how.mode), &on).await?)
    }

    /// The best words at the last position.
    pub(super) async fn last_output(
        &self,
        trace: &Trace<O::Buf>,
        top: usize,
    ) -> Result<Vec<Ranked>> {
        let last = [trace.tokens.len() - 1];
        let options = ReadOptions {
            top,
            positions: Some(&last),
            ..ReadOptions::default()
        };
        let mut output = readout::output(&self.model, trace, options).await?;
        Ok(ranked(output.pop().unwrap_or_default().best))
    }

    /// Greedy continuation; stops after a full stop.
    pub(super) async fn continue_text(
        &self,
        tokens: &[u32],
        edits: &[Edit<O::S>],
        steps: usize,
    ) -> Result<Vec<u32>> {
        let stop = self.vocabulary.id(".");
        Ok(generate(&self.model, tokens, edits, steps, stop).await?)
    }
}

fn mode(mode: EditMode) -> Mode {
    match mode {
        EditMode::SwapClamped => Mode::SwapClamped,
        EditMode::SwapLive => Mode::SwapLive,
        EditMode::Project { strength } => Mode::Project {
            strength: strength.into(),
        },
        EditMode::Steer { strength } => Mode::Steer {
            strength: strength.into(),
        },
        EditMode::Ablate => Mode::Ablate,
    }
}
