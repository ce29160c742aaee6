//! The Jacobian lens over any backend: fitting it, reading through it, and acting along its vectors.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`jacobians`] | [`Lens`]: one matrix per layer and where it came from |
//! | [`fit`] | prompt by prompt, chunk of rows by chunk of rows; pause, resume, merge; memory planned before it is taken |
//! | [`readout`] | the best words of every layer and position, and the ranks of tracked words |
//! | [`tuned`] | a tuned lens, for comparison: its training (read through it with [`readout::read_affine`]) |
//! | [`vectors`] | lens vectors and unembedding vectors of words, raw and centred; matched random controls |
//! | [`intervene`] | swaps, projection moves, steering, ablation, replacement, as [`transformer::Edit`]s; greedy generation |
//! | [`pursuit`] | a state as a sparse nonnegative sum of lens vectors |
//! | [`concepts`] | concept vectors, their J-space part and the rest, and exchanging either |
//! | [`layers`] | a lens and the logit lens, layer by layer: agreement, entropy, ranks |
//! | [`stein`] | averaged gradients against regression on the states: both sides of Stein's lemma |
//! | [`statistics`] | intervals and similarities |
//!
//! Layers are residual states: 0 = embedding, l = after block l, L = after the last. J `[D, D]` is row-major, rows = outputs.
//! Whatever waits for a backend is `async`; on a processor it never waits, and `pollster::block_on` runs it.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod concepts;
mod error;
pub mod fit;
pub mod intervene;
pub mod jacobians;
pub mod layers;
pub mod pursuit;
pub mod readout;
pub mod statistics;
pub mod stein;
pub mod tuned;
pub mod vectors;

pub use error::{Error, Result};
pub use fit::{Accumulator, Estimator, FitOptions, PromptFit};
pub use formats::lens_file::{Positions as Targets, Provenance, Reduction};
pub use formats::tuned_file::{Affine, TunedFile, TunedProvenance};
pub use intervene::{Mode, Prepared};
pub use jacobians::{Lens, Origin};
pub use readout::{Ranked, ReadOptions, Reading};
pub use vectors::{Basis, Head};
