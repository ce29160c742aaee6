//! Golden fixtures, and how far a backend is from them.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let golden = &parity::Golden::committed()?[0];
//! let model = transformer::Model::new(transformer::Cpu::new(), &golden.weights()?)?;
//! for finding in pollster::block_on(parity::compare(golden, &model, parity::Part::Forward))? {
//!     assert!(finding.error < 1e-4 && finding.same_words, "{}", finding.what);
//! }
//! # Ok(()) }
//! ```
//!
//! | module | what is compared |
//! | --- | --- |
//! | [`Part::Forward`] | residual states and logits of three prompts |
//! | [`Part::Fits`] | Jacobians of every estimator variant, prompt by prompt, and their mean and median |
//! | [`Part::Vectors`] | lens vectors of all words, raw and centred |
//! | [`Part::Readouts`] | the ten best words of every cell under both lenses, and their probabilities |
//! | [`Part::Interventions`] | swaps, projection, steering, ablation: every state and the logits of the edited run |
//!
//! What the fixtures hold: `tests/goldens/README.md`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod error;
mod finding;
mod fits;
mod forward;
mod golden;
mod interventions;
mod readouts;
mod vectors;

pub use error::{Error, Result};
pub use finding::{Finding, difference};
pub use golden::Golden;

use transformer::{Model, Ops};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Residual states and logits.
    Forward,
    /// Jacobians.
    Fits,
    /// Lens vectors.
    Vectors,
    /// Ranked words.
    Readouts,
    /// Edited runs.
    Interventions,
}

impl Part {
    /// All of them, cheapest first.
    pub const ALL: [Self; 5] = [
        Self::Forward,
        Self::Readouts,
        Self::Vectors,
        Self::Interventions,
        Self::Fits,
    ];

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward pass",
            Self::Fits => "fits",
            Self::Vectors => "lens vectors",
            Self::Readouts => "readouts",
            Self::Interventions => "interventions",
        }
    }
}

/// Computes one part on `model`, which must have the golden's weights, and says how far each result is from the golden one.
///
/// # Errors
/// A fixture that lacks something; those of the backend.
pub async fn compare<O: Ops>(
    golden: &Golden,
    model: &Model<O>,
    part: Part,
) -> Result<Vec<Finding>> {
    match part {
        Part::Forward => forward::compare(golden, model).await,
        Part::Fits => fits::compare(golden, model).await,
        Part::Vectors => vectors::compare(golden, model).await,
        Part::Readouts => readouts::compare(golden, model).await,
        Part::Interventions => interventions::compare(golden, model).await,
    }
}
