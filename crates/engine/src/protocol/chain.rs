//! The chain rule, checked on the model.

use serde::{Deserialize, Serialize};

/// All blocks' Jacobians at one token of one prompt, from that token to itself, and their products.
///
/// What happens at a token never reaches an earlier one, so a way from `h_l(t)` to `h_L(t)` has been at t all along: the product of
/// the blocks' Jacobians from t to t *is* the Jacobian from `h_l(t)` to `h_L(t)`, attention and all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainRequest {
    /// Token ids; those after the position are not looked at.
    pub tokens: Vec<u32>,
    /// The token t.
    pub position: usize,
}

/// Answer to a chain request. Matrices are `[D, D]`, row-major, rows = coordinates of the later state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chain {
    /// Width.
    pub d: usize,
    /// One per block, first block first: `dh_b(t) / dh_{b-1}(t)` by backward passes through that block alone.
    pub blocks: Vec<Vec<f32>>,
    /// One per layer 0 .. L: from it to the last, by multiplication and by backward passes through all blocks at once.
    pub spans: Vec<Span>,
}

/// From one layer to the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// Product of the blocks' Jacobians, multiplied in single precision.
    pub product: Vec<f32>,
    /// `dh_L(t) / dh_l(t)`.
    pub direct: Vec<f32>,
    /// Largest difference of two entries, over the largest entry of `direct`.
    pub error: f32,
}
