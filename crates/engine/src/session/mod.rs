//! A loaded model with its lenses, and the answers to commands: one file per command.
//!
//! | file | command |
//! | --- | --- |
//! | `read` | both lenses over layers x positions |
//! | `slice` | a plane through the residual stream, its image and its Jacobians |
//! | `swap` | one intervention |
//! | `counts` | an intervention over a held-out set |
//! | `fit` | the Jacobians of corpus sentences |
//! | `compare` | a reader's lens against the shipped one |
//! | `own_lens` | a reader's lens as a file, and back |
//! | `speed` | how fast this worker fits and multiplies |
//! | `rows` | one backward pass: one row at every layer and position |
//! | `local` | one position's own Jacobian against the average |
//! | `nudge` | one direction in many sentences, and the mean of its effects |
//! | `pursue` | a state as a sparse sum of lens vectors |
//! | `tuned` | a reading through a tuned lens that comes with the request |
//! | `steer` | steering and ablation with a random control |
//! | `causal` | concepts exchanged by pieces |
//! | `band` | two lenses, layer by layer |
//! | `stein` | both sides of Stein's lemma |
//! | `chain` | all blocks' Jacobians at one token, and their products |

mod band;
mod causal;
mod chain;
mod compare;
mod counts;
mod fit;
mod load;
mod local;
mod nudge;
mod own_lens;
mod pursue;
mod read;
mod rows;
mod slice;
mod speed;
mod steer;
mod stein;
mod swap;
mod tuned;

pub use fit::{SKIP_FIRST, sentence};

use crate::error::{Error, Result};
use crate::protocol::{ModelInfo, Targets, Vectors};
use lens::{Basis, Head, Lens};
use smallworld::Vocabulary;
use std::collections::HashMap;
use transformer::ops::real::Real;
use transformer::{Model, Ops};

/// A model on a backend, ready to answer.
pub struct Session<O: Ops> {
    /// What the page is told about the model.
    pub info: ModelInfo,
    pub(crate) model: Model<O>,
    pub(crate) vocabulary: Vocabulary,
    lenses: HashMap<Targets, Lens>,
    head: Head<O::S>,
}

impl<O: Ops> Session<O> {
    /// A shipped lens.
    pub(crate) fn lens(&self, targets: Targets) -> Result<&Lens> {
        self.lenses.get(&targets).ok_or(Error::NoLens(targets))
    }

    /// Directions as the lens crate names them.
    pub(crate) fn basis(&self, vectors: Vectors) -> Result<Basis<'_>> {
        Ok(match vectors {
            Vectors::Jacobian(targets) => Basis::Jacobian(self.lens(targets)?),
            Vectors::Logit => Basis::Logit,
            Vectors::Random(seed) => Basis::Random {
                lens: self.lens(Targets::All)?,
                seed,
            },
        })
    }
}

impl From<Targets> for lens::Targets {
    fn from(targets: Targets) -> Self {
        match targets {
            Targets::All => Self::All,
            Targets::Same => Self::Same,
            Targets::Future => Self::Future,
        }
    }
}

impl From<lens::Targets> for Targets {
    fn from(targets: lens::Targets) -> Self {
        match targets {
            lens::Targets::All => Self::All,
            lens::Targets::Same => Self::Same,
            lens::Targets::Future => Self::Future,
        }
    }
}

impl From<lens::Ranked> for crate::protocol::Ranked {
    fn from(r: lens::Ranked) -> Self {
        let lens::Ranked { word, rank, prob } = r;
        Self { word, rank, prob }
    }
}

/// As the protocol carries them.
fn narrow<S: Real>(numbers: &[S]) -> Vec<f32> {
    numbers.iter().map(|x| x.wide() as f32).collect()
}

/// A vector at length 1; zeros stay zeros.
fn unit<S: Real>(v: &[S]) -> Vec<S> {
    let norm = v.iter().map(|x| x.wide().powi(2)).sum::<f64>().sqrt();
    let scale = if norm > 0.0 { 1.0 / norm } else { 0.0 };
    v.iter().map(|x| S::of(x.wide() * scale)).collect()
}
