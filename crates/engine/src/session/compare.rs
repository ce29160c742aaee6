//! A reader's own lens against the shipped one.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{CompareRequest, Comparison};
use lens::readout::{self, ReadOptions, Reading};
use lens::statistics::cosine;
use lens::{Lens, Provenance};
use smallworld::world::prompts::{FILLER, two_hop};
use smallworld::{Family, Part, Split};
use std::collections::BTreeMap;
use transformer::{Keep, Ops};

/// Held-out prompts that are read for the agreement.
const PROMPTS: usize = 6;

impl<O: Ops> Session<O> {
    /// Answers a comparison request.
    ///
    /// # Errors
    /// Jacobians of another size or too many of them; a shipped lens that is not there.
    pub async fn compare(&self, request: &CompareRequest) -> Result<Comparison> {
        let shipped = self.lens(request.targets)?;
        let own = own_lens(request, shipped)?;
        let layers: Vec<usize> = own.layers.keys().copied().collect();
        let cosines = own
            .layers
            .iter()
            .map(|(l, j)| cosine(j, &shipped.layers[l]) as f32)
            .collect();
        let prompts = self.comparison_prompts();
        let (mut shared, mut positions) = (vec![0.0; layers.len()], 0);
        for tokens in &prompts {
            let each = self
                .shared_words(tokens, shipped, &own, &layers, request.top)
                .await?;
            shared.iter_mut().zip(each).for_each(|(sum, x)| *sum += x);
            positions += tokens.len() - 1;
        }
        let agreement = shared.iter().map(|s| (s / positions.max(1) as f64) as f32);
        Ok(Comparison {
            cosines,
            agreement: agreement.collect(),
            prompts: prompts.len() as u32,
            positions: positions as u32,
        })
    }

    /// Per layer, the share of common best words, summed over the positions after the first.
    async fn shared_words(
        &self,
        tokens: &[u32],
        shipped: &Lens,
        own: &Lens,
        layers: &[usize],
        top: usize,
    ) -> Result<Vec<f64>> {
        let model = &self.model;
        let trace = model.forward(tokens, tokens.len(), &[], Keep::Residuals)?;
        let positions: Vec<usize> = (1..tokens.len()).collect();
        let options = ReadOptions {
            top: top.max(1),
            positions: Some(&positions),
            ..ReadOptions::default()
        };
        let theirs = readout::read(model, &trace, Some(shipped), layers, options).await?;
        let ours = readout::read(model, &trace, Some(own), layers, options).await?;
        let layer = |(a, b): (Vec<Reading>, Vec<Reading>)| a.iter().zip(&b).map(common).sum();
        Ok(theirs.into_iter().zip(ours).map(layer).collect())
    }

    /// Validation questions with a filler, evenly spaced over the animals; none for a model that does not know their words.
    fn comparison_prompts(&self) -> Vec<Vec<u32>> {
        let mut questions = two_hop(&Split::standard(), Family::Animals, FILLER);
        questions.retain(|q| q.part == Part::Validation);
        let step = (questions.len() / PROMPTS).max(1);
        questions
            .iter()
            .step_by(step)
            .take(PROMPTS)
            .filter_map(|q| self.vocabulary.encode(&q.prompt).ok())
            .collect()
    }
}

/// The share of the first list's words that are in the second.
fn common((a, b): (&Reading, &Reading)) -> f64 {
    let both = a
        .best
        .iter()
        .filter(|x| b.best.iter().any(|y| y.word == x.word));
    both.count() as f64 / a.best.len().max(1) as f64
}

/// The request's matrices as a lens that can stand in for the shipped one.
fn own_lens(request: &CompareRequest, shipped: &Lens) -> Result<Lens> {
    let size = shipped.d * shipped.d;
    let mut layers = BTreeMap::new();
    for (layer, j) in request.jacobians.iter().enumerate() {
        if j.len() != size || !shipped.layers.contains_key(&layer) {
            let why = format!(
                "has {} numbers at layer {layer}; expected {size} at each of the layers {:?}",
                j.len(),
                shipped.layers.keys().collect::<Vec<_>>()
            );
            return Err(Error::request("lens to compare", why));
        }
        layers.insert(layer, j.clone());
    }
    Ok(Lens {
        d: shipped.d,
        layers,
        provenance: Provenance::clone(&shipped.provenance),
    })
}
