//! Difference quotients, and how they turn into derivatives.

use crate::map::{Matrix, Point, SmoothMap};

/// A chord of a curve `y = f(x)` from `x` to `x + step`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Secant {
    /// Left end.
    pub x: f64,
    /// Width; may be negative, never zero.
    pub step: f64,
    /// `f(x)`.
    pub value: f64,
    /// `(f(x + step) - f(x)) / step`, which tends to `f'(x)` with an error of `f''(x) step / 2`.
    pub slope: f64,
}

impl Secant {
    /// The chord, or `None` for a zero step.
    pub fn of(f: impl Fn(f64) -> f64, x: f64, step: f64) -> Option<Self> {
        let value = f(x);
        (step != 0.0).then(|| Self {
            x,
            step,
            value,
            slope: (f(x + step) - value) / step,
        })
    }

    /// Height of the chord's line at any `x`.
    pub fn line(&self, x: f64) -> f64 {
        self.value + self.slope * (x - self.x)
    }
}

/// The matrix of finite nudges: column `j` is `(F(p + step e_j) - F(p)) / step`. It tends to `J(p)` in proportion to `step`.
/// `None` for a zero step.
pub fn secant_matrix(map: &impl SmoothMap, p: Point, step: f64) -> Option<Matrix> {
    let column = |e: Point| (map.value(p + e * step) - map.value(p)) / step;
    (step != 0.0).then(|| Matrix::from_columns(&[column(Point::x()), column(Point::y())]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{Affine, PolarLike};

    #[test]
    fn a_secant_turns_into_the_tangent_at_first_order() {
        let error =
            |step: f64| (Secant::of(f64::sin, 0.7, step).unwrap().slope - 0.7f64.cos()).abs();
        let ratio = error(1e-3) / error(5e-4);
        assert!((ratio - 2.0).abs() < 0.01, "ratio {ratio}");
        assert_eq!(Secant::of(f64::sin, 0.7, 0.0), None);
    }

    #[test]
    fn the_line_meets_the_curve_at_both_ends() {
        let secant = Secant::of(|x| x * x, 1.0, 0.5).unwrap();
        assert_eq!((secant.line(1.0), secant.line(1.5)), (1.0, 2.25));
    }

    #[test]
    fn the_secant_matrix_tends_to_the_jacobian() {
        let (map, p) = (PolarLike::default(), Point::new(0.2, -0.4));
        let error = |step: f64| (secant_matrix(&map, p, step).unwrap() - map.jacobian(p)).norm();
        assert!((error(1e-3) / error(5e-4) - 2.0).abs() < 0.01);
        assert_eq!(secant_matrix(&map, p, 0.0), None);
    }

    #[test]
    fn a_linear_map_needs_no_limit() {
        let map = Affine {
            matrix: Matrix::new(1.0, -2.0, 0.5, 3.0),
            offset: Point::zeros(),
        };
        let error = secant_matrix(&map, Point::new(0.3, 0.1), 0.5).unwrap() - map.matrix;
        assert!(error.norm() < 1e-14);
    }
}
