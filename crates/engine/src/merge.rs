//! The page's half of a fit: prompts' Jacobians come from several workers in any order and are added in the order of the
//! prompts, in f64, so that any number of workers gives the same lens to the last bit.

use crate::error::{Error, Result};
use lens::fit::{Accumulator, Estimator, PromptJacobian};
use lens::{Origin, Reduction};
use std::collections::BTreeMap;

use crate::protocol::Targets;
use crate::session::SKIP_FIRST;

/// Most bytes that a median keeps.
const MEDIAN_BYTES: usize = 512 << 20;

/// One prompt's result: tokens and Jacobians, the latter empty if it was skipped.
type Arrived = (u32, Vec<Vec<f32>>);

/// A fit being put together.
pub struct Merger {
    sums: Accumulator,
    waiting: BTreeMap<u32, Arrived>,
    next: u32,
}

impl Merger {
    /// For Jacobians `[D, D]` of layers `0 .. target`.
    pub fn new(d: usize, target: usize, targets: Targets, frozen: bool, median: bool) -> Self {
        let estimator = Estimator {
            d,
            target,
            sources: (0..target).collect(),
            targets: targets.into(),
            frozen,
            skip_first: SKIP_FIRST,
        };
        let sums = if median {
            Accumulator::median(estimator, MEDIAN_BYTES)
        } else {
            Accumulator::mean(estimator)
        };
        Self {
            sums,
            waiting: BTreeMap::new(),
            next: 0,
        }
    }

    /// Takes a prompt's result and adds what can be added in order; returns how many prompts that were. A prompt that was
    /// already taken (a worker died after sending it) is ignored.
    ///
    /// # Errors
    /// Jacobians of the wrong sizes; a median of too many prompts.
    pub fn add(&mut self, prompt: u32, tokens: u32, jacobians: Vec<Vec<f32>>) -> Result<u32> {
        if prompt >= self.next {
            self.waiting.insert(prompt, (tokens, jacobians));
        }
        let before = self.next;
        while let Some((tokens, jacobians)) = self.waiting.remove(&self.next) {
            self.next += 1;
            if jacobians.is_empty() {
                self.sums.skip();
                continue;
            }
            let layers = jacobians.into_iter().enumerate().collect();
            let tokens = tokens as usize;
            self.sums.add(&PromptJacobian { tokens, layers })?;
        }
        Ok(self.next - before)
    }

    /// Prompts in the lens.
    pub fn used(&self) -> u32 {
        self.sums.used() as u32
    }

    /// Prompts without a valid position.
    pub fn skipped(&self) -> u32 {
        self.sums.skipped() as u32
    }

    /// Mean or median of the prompts so far: `[layer][D * D]`.
    ///
    /// # Errors
    /// Before the first prompt that counts.
    pub fn lens(&self) -> Result<Vec<Vec<f32>>> {
        let lens = self.sums.finish(&Origin::default()).map_err(Error::Lens)?;
        Ok(lens.layers.into_values().collect())
    }

    /// Mean or median?
    pub fn is_median(&self) -> bool {
        self.sums.reduction() == Reduction::Median
    }
}
