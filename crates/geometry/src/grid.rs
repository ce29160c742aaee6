//! A map known by its values on a square grid, filled in between by cubic convolution.
//!
//! Along each axis the value between two samples comes from four neighbours through Keys' kernel (R. Keys, "Cubic
//! convolution interpolation for digital image processing", 1981, with a = -1/2). For the fraction `t` in `[0, 1)`
//!
//! ```text
//! w_-1 = (-t^3 + 2t^2 - t)/2    w_0 = (3t^3 - 5t^2 + 2)/2    w_1 = (-3t^3 + 4t^2 + t)/2    w_2 = (t^3 - t^2)/2
//! ```
//!
//! and the border is continued by `f_-1 = 3 f_0 - 3 f_1 + f_2`. The result passes through the samples, is continuously
//! differentiable, reproduces quadratic maps and has an error of third order in the spacing. It serves to *draw* a grid
//! between samples; it never stands in for the map's own Jacobian.

use crate::error::GeometryError;
use crate::map::{Matrix, Point, SmoothMap};

/// Samples of a map on `side x side` points of the square `[-extent, extent]^2`, x fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledGrid {
    side: usize,
    extent: f64,
    /// `[side + 2, side + 2]`, with a border of continued samples.
    padded: Vec<Point>,
}

impl SampledGrid {
    /// Takes `samples` in the order of [`SampledGrid::nodes`].
    ///
    /// # Errors
    /// A count other than `side * side`, fewer than 4 points per side, a bad extent, or a sample that is not finite.
    pub fn new(side: usize, extent: f64, samples: &[Point]) -> Result<Self, GeometryError> {
        let expected = side.saturating_mul(side);
        if side < 4 {
            return Err(GeometryError::TooFewPoints { side });
        }
        if samples.len() != expected {
            return Err(GeometryError::SampleCount {
                side,
                expected,
                got: samples.len(),
            });
        }
        if !(extent > 0.0 && extent.is_finite()) {
            return Err(GeometryError::Extent { extent });
        }
        if let Some(index) = samples
            .iter()
            .position(|s| !(s.x.is_finite() && s.y.is_finite()))
        {
            return Err(GeometryError::NotFinite {
                index,
                x: samples[index].x,
                y: samples[index].y,
            });
        }
        Ok(Self {
            side,
            extent,
            padded: pad(side, samples),
        })
    }

    /// The grid points in sample order: from `(-extent, -extent)`, x fastest.
    pub fn nodes(side: usize, extent: f64) -> impl Iterator<Item = Point> {
        let step = 2.0 * extent / (side.max(2) - 1) as f64;
        let at = move |i: usize| -extent + step * i as f64;
        (0..side * side).map(move |k| Point::new(at(k % side), at(k / side)))
    }

    /// Samples a map that can be evaluated anywhere.
    ///
    /// # Errors
    /// As [`SampledGrid::new`].
    pub fn of(map: &impl SmoothMap, side: usize, extent: f64) -> Result<Self, GeometryError> {
        let samples: Vec<Point> = Self::nodes(side, extent).map(|p| map.value(p)).collect();
        Self::new(side, extent, &samples)
    }

    /// Points per side.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Half width of the sampled square.
    pub fn extent(&self) -> f64 {
        self.extent
    }

    /// Cell index and fraction along one axis; outside the square the outermost cell's polynomial is continued.
    fn locate(&self, coordinate: f64) -> (usize, f64) {
        let scaled = (coordinate + self.extent) / self.spacing();
        let cell = scaled.floor().clamp(0.0, (self.side - 2) as f64);
        (cell as usize, scaled - cell)
    }

    fn spacing(&self) -> f64 {
        2.0 * self.extent / (self.side - 1) as f64
    }

    /// `sum_ij wy_i wx_j f_ij` over the 4x4 neighbourhood of a cell.
    fn combine(&self, (column, row): (usize, usize), wx: [f64; 4], wy: [f64; 4]) -> Point {
        let stride = self.side + 2;
        let mut sum = Point::zeros();
        for (i, y) in wy.iter().enumerate() {
            let start = (row + i) * stride + column;
            for (sample, x) in self.padded[start..start + 4].iter().zip(wx) {
                sum += sample * (x * y);
            }
        }
        sum
    }
}

impl SmoothMap for SampledGrid {
    fn value(&self, p: Point) -> Point {
        let ((column, tx), (row, ty)) = (self.locate(p.x), self.locate(p.y));
        self.combine((column, row), weights(tx), weights(ty))
    }

    /// The Jacobian **of the interpolant**, an approximation of the sampled map's.
    fn jacobian(&self, p: Point) -> Matrix {
        let ((column, tx), (row, ty)) = (self.locate(p.x), self.locate(p.y));
        let dx = self.combine((column, row), slopes(tx), weights(ty)) / self.spacing();
        let dy = self.combine((column, row), weights(tx), slopes(ty)) / self.spacing();
        Matrix::from_columns(&[dx, dy])
    }
}

/// Keys' weights for the neighbours -1, 0, 1, 2.
fn weights(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        0.5 * (-t3 + 2.0 * t2 - t),
        0.5 * (3.0 * t3 - 5.0 * t2 + 2.0),
        0.5 * (-3.0 * t3 + 4.0 * t2 + t),
        0.5 * (t3 - t2),
    ]
}

/// Derivatives of [`weights`].
fn slopes(t: f64) -> [f64; 4] {
    let t2 = t * t;
    [
        0.5 * (-3.0 * t2 + 4.0 * t - 1.0),
        0.5 * (9.0 * t2 - 10.0 * t),
        0.5 * (-9.0 * t2 + 8.0 * t + 1.0),
        0.5 * (3.0 * t2 - 2.0 * t),
    ]
}

/// Adds one continued sample on every side.
fn pad(side: usize, samples: &[Point]) -> Vec<Point> {
    let stride = side + 2;
    let mut padded = vec![Point::zeros(); stride * stride];
    for (row, line) in samples.chunks_exact(side).enumerate() {
        let start = (row + 1) * stride;
        padded[start + 1..start + 1 + side].copy_from_slice(line);
        padded[start] = line[0] * 3.0 - line[1] * 3.0 + line[2];
        padded[start + side + 1] = line[side - 1] * 3.0 - line[side - 2] * 3.0 + line[side - 3];
    }
    for column in 0..stride {
        let at = |row: usize| padded[row * stride + column];
        let below = at(1) * 3.0 - at(2) * 3.0 + at(3);
        let above = at(side) * 3.0 - at(side - 1) * 3.0 + at(side - 2);
        padded[column] = below;
        padded[(side + 1) * stride + column] = above;
    }
    padded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{Fold, PolarLike};
    use proptest::prelude::*;

    #[test]
    fn passes_through_the_samples() {
        let (map, side, extent) = (PolarLike::default(), 9, 1.5);
        let grid = SampledGrid::of(&map, side, extent).unwrap();
        for node in SampledGrid::nodes(side, extent) {
            assert!((grid.value(node) - map.value(node)).norm() < 1e-13);
        }
        assert_eq!((grid.side(), grid.extent()), (9, 1.5));
    }

    #[test]
    fn the_error_is_of_third_order() {
        let map = PolarLike::default();
        let error = |side: usize| {
            let grid = SampledGrid::of(&map, side, 1.0).unwrap();
            SampledGrid::nodes(37, 1.0)
                .map(|p| (grid.value(p) - map.value(p)).norm())
                .fold(0.0, f64::max)
        };
        let order = (error(9) / error(17)).log2();
        assert!(order > 2.6, "order {order}");
    }

    proptest! {
        #[test]
        fn quadratic_maps_come_back_exactly(x in -1.0..1.0f64, y in -1.0..1.0f64) {
            let (map, p) = (Fold::default(), Point::new(x, y));
            let grid = SampledGrid::of(&map, 6, 1.0).unwrap();
            prop_assert!((grid.value(p) - map.value(p)).norm() < 1e-12);
            prop_assert!((grid.jacobian(p) - map.jacobian(p)).norm() < 1e-11);
        }

        #[test]
        fn its_jacobian_is_that_of_the_interpolant(x in -0.99..0.99f64, y in -0.99..0.99f64) {
            let grid = SampledGrid::of(&PolarLike::default(), 7, 1.0).unwrap();
            let (p, step) = (Point::new(x, y), 1e-6);
            let column = |e: Point| (grid.value(p + e * step) - grid.value(p - e * step)) / (2.0 * step);
            let central = Matrix::from_columns(&[column(Point::x()), column(Point::y())]);
            prop_assert!((grid.jacobian(p) - central).norm() < 1e-5);
        }
    }

    #[test]
    fn bad_samples_are_refused_with_a_reason() {
        let bad = |side, extent, samples: &[Point]| {
            SampledGrid::new(side, extent, samples)
                .unwrap_err()
                .to_string()
        };
        assert!(bad(3, 1.0, &[Point::zeros(); 9]).contains("at least 4"));
        assert!(bad(4, 1.0, &[Point::zeros(); 15]).contains("expected 4 x 4 = 16 samples, got 15"));
        assert!(bad(4, 0.0, &[Point::zeros(); 16]).contains("positive"));
        let mut samples = [Point::zeros(); 16];
        samples[5].y = f64::NAN;
        assert!(bad(4, 1.0, &samples).contains("sample 5"));
    }
}
