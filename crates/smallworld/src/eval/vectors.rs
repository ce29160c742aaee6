//! The directions that an experiment works with: one vector per word and layer.

use crate::error::Result;
use lens::vectors::Directions;
use lens::{Head, Lens};
use pollster::block_on;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use transformer::{Cpu, Model};

/// Two words to exchange.
pub type Pair = (u32, u32);

/// Vectors of every word at every residual state from 0 to L, each layer `[V, D]`.
pub struct Vectors {
    layers: Vec<Vec<f32>>,
    d: usize,
    random: bool,
}

impl Vectors {
    /// The vectors of a lens; at its target layer those of the unembedding. `centred`: minus their mean over the vocabulary.
    ///
    /// # Errors
    /// A lens that does not fit the model.
    pub fn of_lens(
        model: &Model<Cpu>,
        head: &Head<f32>,
        lens: &Lens,
        centred: bool,
    ) -> Result<Self> {
        let words: Vec<u32> = (0..model.config.vocab as u32).collect();
        let layers = (0..=model.config.n_layers)
            .map(|layer| block_on(head.lens_vectors(model, lens, layer, &words, centred)))
            .collect::<std::result::Result<_, _>>()?;
        Ok(Self {
            layers,
            d: model.config.d_model,
            random: false,
        })
    }

    /// Unembedding vectors at every layer: the logit lens.
    ///
    /// # Errors
    /// Those of the backend.
    pub fn of_unembedding(model: &Model<Cpu>, head: &Head<f32>, centred: bool) -> Result<Self> {
        let words: Vec<u32> = (0..model.config.vocab as u32).collect();
        let rows = block_on(head.unembedding(model, &words, centred))?;
        Ok(Self {
            layers: vec![rows; model.config.n_layers + 1],
            d: model.config.d_model,
            random: false,
        })
    }

    /// In place of each pair, random directions of the same lengths and angle.
    #[must_use]
    pub fn random_like(&self) -> Self {
        Self {
            layers: self.layers.clone(),
            d: self.d,
            random: true,
        }
    }

    /// All words' vectors at a layer, `[V, D]`.
    #[must_use]
    pub fn layer(&self, layer: usize) -> &[f32] {
        &self.layers[layer]
    }

    /// The directions of two words at each layer of a band.
    #[must_use]
    pub fn directions(&self, band: &RangeInclusive<usize>, (from, to): Pair) -> Directions<f32> {
        let rows = |layer: usize| {
            let row = |word: u32| &self.layers[layer][word as usize * self.d..][..self.d];
            let pair = [row(from), row(to)].concat();
            if !self.random {
                return pair;
            }
            // One seed per pair of words; the layer picks the stream.
            let seed = (u64::from(from) << 32) | u64::from(to);
            lens::intervene::matched(&pair, self.d, seed, layer)
        };
        band.clone()
            .map(|layer| (layer, rows(layer)))
            .collect::<BTreeMap<_, _>>()
    }
}
