//! A plane through the residual stream.

use serde::{Deserialize, Serialize};

/// A slice of the residual stream: `F(x, y) = coordinates of h_L(t') in an output basis`, where h_l(t) = clean + x u + y v.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SliceRequest {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Layer that is moved.
    pub layer: usize,
    /// Position that is moved.
    pub position: usize,
    /// Position that is watched at the last layer.
    pub watch: usize,
    /// The two input directions are the orthonormalised centred lens vectors (all targets) of these words at the layer, scaled to
    /// the layer's mean norm; the output directions are their orthonormalised centred unembedding vectors.
    pub words: [u32; 2],
    /// Half width of the sampled grid, in units of the mean norm.
    pub extent: f32,
    /// Grid points per side; 0 leaves the grid out.
    pub grid: usize,
    /// Further points `(x, y)` to evaluate exactly, with their Jacobians by VJP.
    pub points: Vec<[f32; 2]>,
    /// Points to evaluate exactly without Jacobians (outline of a square of nudges): forward passes only, so many are cheap.
    pub outline: Vec<[f32; 2]>,
}

/// Answer to a slice request; output coordinates are along the two output directions, in units of the output's mean norm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// `grid * grid` images, x fastest.
    pub grid: Vec<[f32; 2]>,
    /// Images of the points.
    pub values: Vec<[f32; 2]>,
    /// Jacobians at the points, row-major `[[dF1/dx, dF1/dy], [dF2/dx, dF2/dy]]`, by backward passes.
    pub jacobians: Vec<[[f32; 2]; 2]>,
    /// Images of the outline points.
    pub outline: Vec<[f32; 2]>,
}
