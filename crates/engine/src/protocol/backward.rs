//! What backward passes give: one row everywhere, one position's whole Jacobian, and one direction over many sentences.

use super::{Ranked, Targets};
use serde::{Deserialize, Serialize};

/// What is asked of the last state: the weights u of its coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Covector {
    /// One coordinate: a 1 among zeros.
    Coordinate(u32),
    /// A word's centred unembedding vector, `gain * (W_U[w] - mean)`, at length 1.
    Word(u32),
}

/// One backward pass from one position of the last state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowsRequest {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Position at which the covector is seeded.
    pub target: usize,
    /// The covector u.
    pub covector: Covector,
}

/// Answer to [`RowsRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rows {
    /// `u^T dh_L(target) / dh_l(t)`, `[L + 1, T, D]`; layer L is the seed itself.
    pub gradients: Vec<f32>,
    /// The last state at the target, `[D]`.
    pub output: Vec<f32>,
    /// Median time of the forward pass in milliseconds; 0 without a clock.
    pub forward_ms: f32,
    /// Median time of the backward pass.
    pub backward_ms: f32,
    /// How often each was run.
    pub repeats: u32,
}

/// The Jacobian of one position against the average one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalRequest {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Source layer.
    pub layer: usize,
    /// Source position.
    pub position: usize,
    /// Which target positions are summed, by both.
    pub targets: Targets,
    /// Words per list.
    pub top: usize,
    /// Words whose rank is wanted.
    pub tracked: Vec<u32>,
}

/// A list and the words that are followed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// Best words first.
    pub best: Vec<Ranked>,
    /// Tracked words in the order asked.
    pub tracked: Vec<Ranked>,
}

/// Answer to [`LocalRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Local {
    /// Read through this position's own Jacobian; empty if there is no target position.
    pub local: Said,
    /// Read through the shipped lens.
    pub average: Said,
    /// Read through the identity.
    pub logit: Said,
    /// Cosine of the two matrices as vectors of `D * D` numbers; 0 if there is no target position.
    pub cosine: f32,
    /// Their lengths as such vectors: local, average.
    pub norms: [f32; 2],
    /// Target positions that were summed.
    pub targets: u32,
}

/// The direction of a nudge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// The centred lens vector (all targets) of a word.
    Word(u32),
    /// A random one.
    Random(u64),
}

/// One nudge in many sentences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NudgeRequest {
    /// Sentences `0 .. count` of the corpus stream of this seed.
    pub seed: u64,
    /// How many.
    pub count: u32,
    /// Layer that is nudged.
    pub layer: usize,
    /// Along what.
    pub direction: Direction,
}

/// Answer to [`NudgeRequest`]. An effect is `J(sentence) v`: v of length 1, the mean over source positions of the change of the
/// last state summed over all target positions, per unit of nudge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nudges {
    /// The sentences.
    pub sentences: Vec<Vec<u32>>,
    /// Effects in a plane: x along the mean of all effects, y along the direction in which they differ most at right angles to it.
    pub plane: Vec<[f32; 2]>,
    /// Inner products of the effects, `[n, n]`.
    pub gram: Vec<f32>,
    /// Inner products of each effect with what the shipped lens says, `J v`.
    pub with_lens: Vec<f32>,
    /// `J v` in the plane.
    pub lens: [f32; 2],
    /// `|J v|^2`.
    pub lens_square: f32,
}
