//! The Jacobian of one position of one prompt, summed over its targets, against the average one of the shipped lens.

use super::Session;
use super::read::ranked;
use crate::error::{Error, Result};
use crate::protocol::{Local, LocalRequest, Said, Targets};
use crate::turn::Turn;
use lens::readout::{self, ReadOptions};
use lens::statistics::cosine;
use lens::{Lens, Provenance};
use std::collections::BTreeMap;
use transformer::model::Trace;
use transformer::ops::attention::Paths;
use transformer::{Keep, Ops};

/// Rows per backward pass; between two passes others have their turn.
const ROWS: usize = 24;

impl<O: Ops> Session<O> {
    /// Answers a request for a local Jacobian.
    ///
    /// # Errors
    /// A layer or position that does not exist, a lens that is not there; those of the backend.
    pub async fn local(&self, request: &LocalRequest, turn: &Turn) -> Result<Local> {
        let (tokens, model) = (&request.tokens, &self.model);
        let t = tokens.len();
        if request.position >= t {
            let why = format!("is {}; the prompt has {t} tokens", request.position);
            return Err(Error::request("position", why));
        }
        let lens = self.lens(request.targets)?;
        let Some(average) = lens.jacobian(request.layer)? else {
            let why = format!(
                "is {}, the model's output, from which there is no way left to measure",
                request.layer
            );
            return Err(Error::request("layer", why));
        };
        let trace = model.forward(tokens, t, &[], Keep::ForVjp)?;
        let on: Vec<bool> = (0..t).map(|n| counts(request, n)).collect();
        let targets = on.iter().filter(|&&on| on).count();
        let mut answer = Local {
            local: Said::default(),
            average: self.said(&trace, Some(lens), request).await?,
            logit: self.said(&trace, None, request).await?,
            cosine: 0.0,
            norms: [0.0; 2],
            targets: targets as u32,
        };
        answer.norms[1] = norm(average);
        if targets > 0 {
            let own = self.own_jacobian(&trace, request, &on, turn).await?;
            answer.cosine = cosine(&own, average) as f32;
            answer.norms[0] = norm(&own);
            let own = Lens {
                d: self.model.config.d_model,
                layers: BTreeMap::from([(request.layer, own)]),
                provenance: Provenance::clone(&lens.provenance),
            };
            answer.local = self.said(&trace, Some(&own), request).await?;
        }
        Ok(answer)
    }

    /// `sum over targets of dh_L(t') / dh_l(t)`, `[D, D]`, rows = outputs.
    async fn own_jacobian(
        &self,
        trace: &Trace<O::Buf>,
        request: &LocalRequest,
        on: &[bool],
        turn: &Turn,
    ) -> Result<Vec<f32>> {
        let (model, ops, d) = (&self.model, &self.model.ops, self.model.config.d_model);
        let (t, last) = (on.len(), model.config.n_layers);
        let mut j = Vec::with_capacity(d * d);
        for first in (0..d).step_by(ROWS) {
            let rows = ROWS.min(d - first);
            let seed = ops.seed(first, rows, d, on);
            let g = model.vjp(trace, last, request.layer, seed, Paths::ALL, &mut |_, _| {})?;
            let here: Vec<u32> = (0..rows)
                .map(|r| (r * t + request.position) as u32)
                .collect();
            j.extend(super::narrow(&ops.read(&ops.embed(&g, &here, d)).await?));
            turn.pass().await;
        }
        Ok(j)
    }

    async fn said(
        &self,
        trace: &Trace<O::Buf>,
        lens: Option<&Lens>,
        request: &LocalRequest,
    ) -> Result<Said> {
        let here = [request.position];
        let options = ReadOptions {
            top: request.top,
            tracked: &request.tracked,
            positions: Some(&here),
            ..ReadOptions::default()
        };
        let mut all = readout::read(&self.model, trace, lens, &[request.layer], options).await?;
        let reading = all.pop().and_then(|mut layer| layer.pop());
        Ok(reading.map(Said::from).unwrap_or_default())
    }
}

impl From<lens::Reading> for Said {
    fn from(reading: lens::Reading) -> Self {
        Self {
            best: ranked(reading.best),
            tracked: ranked(reading.tracked),
        }
    }
}

/// Whether a target position is summed.
fn counts(request: &LocalRequest, target: usize) -> bool {
    match request.targets {
        Targets::All => target >= request.position,
        Targets::Same => target == request.position,
        Targets::Future => target > request.position,
    }
}

fn norm(j: &[f32]) -> f32 {
    j.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt() as f32
}
