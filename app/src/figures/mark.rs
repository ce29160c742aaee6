//! Marks on a chart: where the reader stands. Drawn as curves, so that the legend names them.

use super::lines::Curve;

/// A line up the chart at `x`, from the least to the greatest `y`.
#[must_use]
pub fn line(name: String, x: f64, y: [f64; 2]) -> Curve {
    Curve {
        idea: "here",
        name,
        points: y.map(|y| [x, y]).to_vec(),
        ghost: false,
    }
}

/// A ring around a place of a curve.
#[must_use]
pub fn ring(name: String, at: [f64; 2]) -> Curve {
    Curve {
        idea: "spot",
        name,
        points: vec![at],
        ghost: false,
    }
}
