//! Two maps in a row.

use crate::map::{Matrix, Point, SmoothMap};

/// `x -> second(first(x))`. By the chain rule its Jacobian is `J_second(first(x)) J_first(x)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain<F, G> {
    /// The map that comes first.
    pub first: F,
    /// The map of its results.
    pub second: G,
}

impl<F: SmoothMap, G: SmoothMap> SmoothMap for Chain<F, G> {
    fn value(&self, p: Point) -> Point {
        self.second.value(self.first.value(p))
    }

    fn jacobian(&self, p: Point) -> Matrix {
        self.second.jacobian(self.first.value(p)) * self.first.jacobian(p)
    }
}

/// The Jacobian from values alone, without any formula of a derivative: central differences of two step sizes, combined so that
/// their errors of second order cancel (Richardson). What is left is of fourth order in `step`, and rounding.
pub fn measured_jacobian(map: &impl SmoothMap, p: Point, step: f64) -> Matrix {
    let central = |h: f64| {
        let column = |e: Point| (map.value(p + e * h) - map.value(p - e * h)) / (2.0 * h);
        Matrix::from_columns(&[column(Point::x()), column(Point::y())])
    };
    (central(step / 2.0) * 4.0 - central(step)) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{Fold, PolarLike, TwoShears};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_product_is_the_jacobian_of_both(x in -1.0..1.0f64, y in -1.0..1.0f64) {
            let p = Point::new(x, y);
            let there = Chain { first: PolarLike::default(), second: TwoShears::default() };
            let back = Chain { first: TwoShears::default(), second: Fold::default() };
            prop_assert!((there.jacobian(p) - measured_jacobian(&there, p, 1e-3)).amax() < 1e-8);
            prop_assert!((back.jacobian(p) - measured_jacobian(&back, p, 1e-3)).amax() < 1e-8);
        }
    }

    #[test]
    fn the_order_of_the_factors_matters() {
        let (first, second, p) = (
            PolarLike::default(),
            TwoShears::default(),
            Point::new(0.3, 0.4),
        );
        let right = Chain { first, second }.jacobian(p);
        let wrong = first.jacobian(p) * second.jacobian(first.value(p));
        assert!((right - wrong).amax() > 0.1);
    }
}
