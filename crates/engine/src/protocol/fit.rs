//! Fitting a lens, comparing it, keeping it.

use super::Targets;
use serde::{Deserialize, Serialize};

/// A fit on generated text, or a worker's share of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitRequest {
    /// Prompt texts are sentences `first .. first + count` of the corpus stream of this seed.
    pub seed: u64,
    /// First prompt of this share.
    pub first: u32,
    /// Prompts of this share.
    pub count: u32,
    /// Which target positions.
    pub targets: Targets,
    /// No gradient through queries and keys.
    pub frozen: bool,
    /// Target layer; `None` is the last.
    pub target_layer: Option<usize>,
    /// Layer whose rows are streamed for the heat map.
    pub show_layer: usize,
}

/// A lens to be held against the shipped one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareRequest {
    /// The shipped lens to compare with.
    pub targets: Targets,
    /// Jacobians of layers `0 ..`, `[layer][D * D]`, row-major, rows = outputs; as many layers as there are.
    pub jacobians: Vec<Vec<f32>>,
    /// Words per list for the agreement of the readouts.
    pub top: usize,
}

/// A lens that a reader has fitted, as it is saved and opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnLens {
    /// Jacobians of layers `0 .. target`, `[layer][D * D]`, row-major, rows = outputs; the target layer is their number.
    pub jacobians: Vec<Vec<f32>>,
    /// Which target positions.
    pub targets: Targets,
    /// No gradient went through queries and keys.
    pub frozen: bool,
    /// Median over the prompts, not the mean.
    pub median: bool,
    /// Prompts in it.
    pub prompts: u32,
    /// Prompts without a valid position.
    pub skipped: u32,
    /// When written: seed of the corpus stream, of which the prompts are the first sentences.
    pub seed: u64,
    /// When opened: name of the text.
    pub corpus: String,
    /// Day, as `2026-01-31`, or empty.
    pub date: String,
    /// When opened: what the reader should know, such as hashes that differ from the loaded model's.
    pub warnings: Vec<String>,
}

/// Answer to [`CompareRequest`], per layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Cosine of the two Jacobians as vectors of `D * D` numbers.
    pub cosines: Vec<f32>,
    /// Share of the `top` words of the shipped lens's readout that are also in the other's, averaged over the valid positions of
    /// [`Comparison::prompts`] held-out prompts.
    pub agreement: Vec<f32>,
    /// Prompts read for the agreement.
    pub prompts: u32,
    /// Positions read for the agreement.
    pub positions: u32,
}
