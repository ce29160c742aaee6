//! A running mean that stays on the backend: prompts are added without reading anything back.
//!
//! A device has no f64, so the sums are compensated ([`transformer::ops::running`]); read back, they become an ordinary
//! [`Accumulator`] that can be saved, resumed and merged with other shares of the prompts.

use super::{Accumulator, Estimator, PromptFit};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use transformer::ops::real::Real;
use transformer::{Model, Ops};

/// Sums over prompts on a backend: `8 D^2` bytes per source layer in f32.
pub struct Running<'m, O: Ops> {
    model: &'m Model<O>,
    estimator: &'m Estimator,
    layers: BTreeMap<usize, Sum<O::Buf>>,
    used: u64,
    skipped: u64,
    longest: usize,
}

/// Sum and what rounding took from it, `[D, D]` each.
struct Sum<B> {
    sum: B,
    lost: B,
}

impl<'m, O: Ops> Running<'m, O> {
    /// Empty sums.
    pub fn new(model: &'m Model<O>, estimator: &'m Estimator) -> Self {
        let zeros = || model.ops.zeros(estimator.d * estimator.d);
        let empty = |&layer| {
            let (sum, lost) = (zeros(), zeros());
            (layer, Sum { sum, lost })
        };
        Self {
            model,
            estimator,
            layers: estimator.sources.iter().map(empty).collect(),
            used: 0,
            skipped: 0,
            longest: 0,
        }
    }

    /// Computes what is left of a prompt and adds it. Nothing waits: a caller who wants to stop, or to see how far the device is,
    /// reads now and then.
    ///
    /// # Errors
    /// A prompt of another estimator; those of the model.
    pub fn add(&mut self, mut fit: PromptFit<'_, O>) -> Result<()> {
        if fit.estimator() != self.estimator {
            return Err(Error::Combine {
                what: "the estimator",
                left: format!("{:?}", self.estimator),
                right: format!("{:?}", fit.estimator()),
            });
        }
        while fit.step()?.is_some() {}
        for (sign, layer, j) in fit.parts() {
            if let Some(Sum { sum, lost }) = self.layers.get_mut(&layer) {
                self.model.ops.accumulate(j, sign, sum, lost);
            }
        }
        self.used += 1;
        self.longest = self.longest.max(fit.tokens());
        Ok(())
    }

    /// Counts a prompt without a valid position.
    pub fn skip(&mut self) {
        self.skipped += 1;
    }

    /// Prompts that counted.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The sums so far, in one readback.
    ///
    /// # Errors
    /// Those of the backend.
    pub async fn read(&self) -> Result<Accumulator> {
        let pairs = self.layers.values().flat_map(|s| [&s.sum, &s.lost]);
        let numbers = self.model.ops.read_all(&pairs.collect::<Vec<_>>()).await?;
        let totals = numbers.chunks_exact(2).map(|pair| {
            let both = pair[0].iter().zip(&pair[1]);
            both.map(|(sum, lost)| sum.wide() + lost.wide()).collect()
        });
        let sums = self.layers.keys().copied().zip(totals).collect();
        let counts = [self.used, self.skipped];
        Ok(Accumulator::of_sums(
            self.estimator.clone(),
            sums,
            counts,
            self.longest,
        ))
    }
}
