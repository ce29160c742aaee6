//! A smooth map of the plane with its exact Jacobian.

/// A point or a displacement of the plane.
pub type Point = nalgebra::Vector2<f64>;

/// A 2x2 matrix; column `j` is where the unit nudge along axis `j` lands.
pub type Matrix = nalgebra::Matrix2<f64>;

/// `F: R^2 -> R^2`, differentiable, with `J(p)[i][j] = dF_i/dx_j`.
pub trait SmoothMap {
    /// `F(p)`.
    fn value(&self, p: Point) -> Point;

    /// `J(p)`: row `i` is the gradient of output `i`, column `j` the image of unit nudge `j`.
    fn jacobian(&self, p: Point) -> Matrix;
}

impl<M: SmoothMap + ?Sized> SmoothMap for &M {
    fn value(&self, p: Point) -> Point {
        (**self).value(p)
    }

    fn jacobian(&self, p: Point) -> Matrix {
        (**self).jacobian(p)
    }
}

/// `F(p) + J(p) d`: what the derivative at `p` says about `F(p + d)`.
pub fn linear_prediction(value: Point, jacobian: &Matrix, nudge: Point) -> Point {
    value + jacobian * nudge
}
