//! Prompts become a lens: sums in f64, or all matrices kept for a median.

use super::{Estimator, PromptJacobian};
use crate::error::{Error, Result, shape};
use crate::jacobians::{Lens, Origin};
use formats::lens_file::Reduction;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use transformer::ops::real::Real;

/// A running fit: can be saved at any time, resumed, and merged with another share of the prompts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accumulator {
    /// What is estimated.
    pub estimator: Estimator,
    used: u64,
    skipped: u64,
    longest: usize,
    values: Values,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Values {
    /// Layer -> sum over prompts.
    Sums(BTreeMap<usize, Vec<f64>>),
    /// Every prompt's layer -> J.
    Kept {
        max_bytes: usize,
        prompts: Vec<BTreeMap<usize, Vec<f32>>>,
    },
}

impl Accumulator {
    /// For the mean over prompts: memory is `8 D^2` bytes per source layer, whatever the number of prompts.
    pub fn mean(estimator: Estimator) -> Self {
        let zeros = |&l| (l, vec![0.0; estimator.d * estimator.d]);
        let sums = estimator.sources.iter().map(zeros).collect();
        Self::with(estimator, Values::Sums(sums))
    }

    /// For the element-wise median: every prompt's matrices are kept, `4 D^2` bytes per source layer each, up to `max_bytes`.
    pub fn median(estimator: Estimator, max_bytes: usize) -> Self {
        let prompts = Vec::new();
        Self::with(estimator, Values::Kept { max_bytes, prompts })
    }

    /// From sums made elsewhere; `counts`: prompts used and skipped.
    pub(super) fn of_sums(
        estimator: Estimator,
        sums: BTreeMap<usize, Vec<f64>>,
        counts: [u64; 2],
        longest: usize,
    ) -> Self {
        let [used, skipped] = counts;
        Self {
            used,
            skipped,
            longest,
            ..Self::with(estimator, Values::Sums(sums))
        }
    }

    fn with(estimator: Estimator, values: Values) -> Self {
        Self {
            estimator,
            used: 0,
            skipped: 0,
            longest: 0,
            values,
        }
    }

    /// Prompts that counted.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Prompts without a valid position.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Prompts seen: where a fit of a list of prompts goes on.
    pub fn seen(&self) -> u64 {
        self.used + self.skipped
    }

    /// Mean or median.
    pub fn reduction(&self) -> Reduction {
        match self.values {
            Values::Sums(_) => Reduction::Mean,
            Values::Kept { .. } => Reduction::Median,
        }
    }

    /// Counts a prompt without a valid position.
    pub fn skip(&mut self) {
        self.skipped += 1;
    }

    /// Adds a prompt.
    ///
    /// # Errors
    /// Other layers or another width than the estimator's; for a median, [`Error::Memory`].
    pub fn add<S: Real>(&mut self, prompt: &PromptJacobian<S>) -> Result<()> {
        let size = self.estimator.d * self.estimator.d;
        let same = prompt.layers.keys().eq(&self.estimator.sources);
        if !same || prompt.layers.values().any(|j| j.len() != size) {
            return Err(shape(
                "Jacobians of a prompt",
                format!(
                    "{size} numbers at each of the layers {:?}",
                    self.estimator.sources
                ),
                format!(
                    "{:?} numbers",
                    prompt
                        .layers
                        .iter()
                        .map(|(l, j)| (*l, j.len()))
                        .collect::<Vec<_>>()
                ),
            ));
        }
        match &mut self.values {
            Values::Sums(sums) => {
                for (sum, j) in sums.values_mut().zip(prompt.layers.values()) {
                    sum.iter_mut().zip(j).for_each(|(s, &x)| *s += x.wide());
                }
            }
            Values::Kept { max_bytes, prompts } => {
                check_kept(prompts.len() + 1, &self.estimator, *max_bytes)?;
                let narrow = |j: &Vec<S>| j.iter().map(|x| x.wide() as f32).collect();
                prompts.push(prompt.layers.iter().map(|(&l, j)| (l, narrow(j))).collect());
            }
        }
        self.used += 1;
        self.longest = self.longest.max(prompt.tokens);
        Ok(())
    }

    /// Adds another share of the prompts; the result is that of one run over both.
    ///
    /// # Errors
    /// [`Error::Combine`] for another estimator or reduction; for a median, [`Error::Memory`].
    pub fn merge(&mut self, other: Self) -> Result<()> {
        let combine = |what, left: String, right: String| Err(Error::Combine { what, left, right });
        if self.estimator != other.estimator {
            let (left, right) = (&self.estimator, &other.estimator);
            return combine("the estimator", format!("{left:?}"), format!("{right:?}"));
        }
        match (&mut self.values, other.values) {
            (Values::Sums(sums), Values::Sums(more)) => {
                for (sum, more) in sums.values_mut().zip(more.into_values()) {
                    sum.iter_mut().zip(more).for_each(|(s, x)| *s += x);
                }
            }
            (Values::Kept { max_bytes, prompts }, Values::Kept { prompts: more, .. }) => {
                check_kept(prompts.len() + more.len(), &self.estimator, *max_bytes)?;
                prompts.extend(more);
            }
            _ => return combine("the reduction", "a mean".into(), "a median".into()),
        }
        self.used += other.used;
        self.skipped += other.skipped;
        self.longest = self.longest.max(other.longest);
        Ok(())
    }

    /// The lens of the prompts so far.
    ///
    /// # Errors
    /// [`Error::Nothing`] without a prompt that counted.
    pub fn finish(&self, origin: &Origin) -> Result<Lens> {
        if self.used == 0 {
            return Err(Error::Nothing {
                skipped: self.skipped,
            });
        }
        let layers = match &self.values {
            Values::Sums(sums) => {
                let n = self.used as f64;
                let means = sums.iter().map(|(&l, sum)| (l, mean(sum, n)));
                means.collect()
            }
            Values::Kept { prompts, .. } => {
                let medians = self
                    .estimator
                    .sources
                    .iter()
                    .map(|&l| (l, median(prompts, l)));
                medians.collect()
            }
        };
        let (used, skipped) = (self.used, self.skipped);
        let provenance = origin.provenance(
            &self.estimator,
            self.reduction(),
            used,
            skipped,
            self.longest,
        );
        Ok(Lens {
            d: self.estimator.d,
            layers,
            provenance,
        })
    }
}

fn check_kept(prompts: usize, e: &Estimator, budget: usize) -> Result<()> {
    let one = e.d * e.d * e.sources.len() * size_of::<f32>();
    let needed = prompts.saturating_mul(one);
    if needed > budget {
        return Err(Error::Memory {
            what: "keeping every prompt's Jacobians for a median",
            needed,
            budget,
            advice: "allow more, fit fewer prompts or layers, or take the mean",
        });
    }
    Ok(())
}

fn mean(sum: &[f64], n: f64) -> Vec<f32> {
    sum.iter().map(|s| (s / n) as f32).collect()
}

/// Median over prompts of every element of one layer; of an even number, the mean of the two in the middle.
fn median(prompts: &[BTreeMap<usize, Vec<f32>>], layer: usize) -> Vec<f32> {
    let all: Vec<&Vec<f32>> = prompts.iter().filter_map(|p| p.get(&layer)).collect();
    let size = all.first().map_or(0, |j| j.len());
    let mut values = Vec::with_capacity(all.len());
    let mut out = Vec::with_capacity(size);
    for i in 0..size {
        values.clear();
        values.extend(all.iter().map(|j| j[i]));
        values.sort_unstable_by(f32::total_cmp);
        let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
        out.push(((f64::from(low) + f64::from(high)) / 2.0) as f32);
    }
    out
}
