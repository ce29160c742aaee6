//! What can go wrong: only data from outside (a sampled grid) can be malformed.

/// Errors of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GeometryError {
    /// Number of samples differs from `side * side`.
    #[error(
        "sampled grid: expected {side} x {side} = {expected} samples, got {got}; sample the map on the full square grid"
    )]
    SampleCount {
        /// Points per side.
        side: usize,
        /// `side * side`.
        expected: usize,
        /// Samples given.
        got: usize,
    },
    /// Cubic interpolation needs four points per side.
    #[error(
        "sampled grid: {side} points per side are too few for cubic interpolation, which needs at least 4"
    )]
    TooFewPoints {
        /// Points per side.
        side: usize,
    },
    /// The half width of the sampled square is zero, negative or not a number.
    #[error("sampled grid: half width must be positive and finite, got {extent}")]
    Extent {
        /// Half width given.
        extent: f64,
    },
    /// A sample is infinite or not a number.
    #[error(
        "sampled grid: sample {index} is not finite ({x}, {y}); the map was left where it is not defined"
    )]
    NotFinite {
        /// Index, x fastest.
        index: usize,
        /// First coordinate.
        x: f64,
        /// Second coordinate.
        y: f64,
    },
}
