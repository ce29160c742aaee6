//! Coordinates in a basis whose vectors overlap, and the exchange of two of them.
//!
//! With `V = [v_s v_t]` the rows of `V+ = (V^T V)^-1 V^T` are the dual vectors: `<dual_i, v_j> = 1` if `i = j`, else 0. So
//! `c = V+ h` are the amounts with which `h = V c + r`, r at right angles to both; dot products are something else as soon as
//! the vectors overlap.

use crate::map::{Matrix, Point};

/// Two vectors of the plane, neither parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    vectors: [Point; 2],
    duals: [Point; 2],
}

/// Sine of the angle below which two vectors are too alike to be told apart.
const ALIKE: f64 = 0.02;

impl Pair {
    /// `None` if the two are (nearly) parallel: h then has no two amounts to exchange.
    #[must_use]
    pub fn new(source: Point, target: Point) -> Option<Self> {
        let v = Matrix::from_columns(&[source, target]);
        let area = source.perp(&target).abs();
        if area <= ALIKE * source.norm() * target.norm() {
            return None;
        }
        // (V^T V)^-1 V^T, as it is done with many dimensions.
        let plus = (v.transpose() * v).try_inverse()? * v.transpose();
        let dual = |i: usize| plus.row(i).transpose();
        Some(Self {
            vectors: [source, target],
            duals: [dual(0), dual(1)],
        })
    }

    /// Rows of `V+`.
    #[must_use]
    pub fn duals(&self) -> [Point; 2] {
        self.duals
    }

    /// `<dual_i, v_j>`, row i.
    #[must_use]
    pub fn products(&self) -> [[f64; 2]; 2] {
        self.duals.map(|dual| self.vectors.map(|v| dual.dot(&v)))
    }

    /// `c = V+ h`.
    #[must_use]
    pub fn coordinates(&self, h: Point) -> [f64; 2] {
        self.duals.map(|dual| dual.dot(&h))
    }

    /// `<h, v_i> / <v_i, v_i>`: the amount of each vector as if the other were not there.
    #[must_use]
    pub fn dots(&self, h: Point) -> [f64; 2] {
        self.vectors.map(|v| h.dot(&v) / v.norm_squared())
    }

    /// `V c`.
    #[must_use]
    pub fn sum(&self, [s, t]: [f64; 2]) -> Point {
        self.vectors[0] * s + self.vectors[1] * t
    }

    /// `h + V (swap(c) - c)` for amounts `c` found in one way or another.
    #[must_use]
    pub fn exchanged(&self, h: Point, [s, t]: [f64; 2]) -> Point {
        h + self.sum([t - s, s - t])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pair() -> impl Strategy<Value = Pair> {
        prop::array::uniform4(-1.0..1.0f64)
            .prop_filter_map("parallel", |[a, b, c, d]| {
                Pair::new(Point::new(a, b), Point::new(c, d))
            })
            .prop_filter("tiny", |pair| pair.vectors.iter().all(|v| v.norm() > 0.1))
    }

    proptest! {
        #[test]
        fn duals_see_their_own_vector_only(pair in pair()) {
            let [[ss, st], [ts, tt]] = pair.products();
            for (got, want) in [(ss, 1.0), (st, 0.0), (ts, 0.0), (tt, 1.0)] {
                prop_assert!((got - want).abs() < 1e-8, "{got} for {want}");
            }
        }

        #[test]
        fn the_exchange_exchanges(pair in pair(), x in -1.0..1.0f64, y in -1.0..1.0f64) {
            let h = Point::new(x, y);
            let [s, t] = pair.coordinates(h);
            prop_assert!((pair.sum([s, t]) - h).norm() < 1e-8 * (1.0 + s.abs() + t.abs()));
            let [s2, t2] = pair.coordinates(pair.exchanged(h, [s, t]));
            prop_assert!((s2 - t).abs() + (t2 - s).abs() < 1e-6 * (1.0 + s.abs() + t.abs()));
        }
    }

    #[test]
    fn dot_products_count_the_overlap_twice() {
        let pair = Pair::new(Point::new(1.0, 0.0), Point::new(0.6, 0.8)).unwrap();
        let h = Point::new(1.0, 0.0);
        assert!((Point::from(pair.coordinates(h)) - Point::new(1.0, 0.0)).norm() < 1e-12);
        assert!((Point::from(pair.dots(h)) - Point::new(1.0, 0.6)).norm() < 1e-12);
        let after = pair.coordinates(pair.exchanged(h, pair.dots(h)));
        assert!(
            (after[1] - 0.4).abs() < 1e-12,
            "not the exchanged {after:?}"
        );
    }

    #[test]
    fn at_right_angles_both_agree() {
        let pair = Pair::new(Point::new(0.0, 2.0), Point::new(0.5, 0.0)).unwrap();
        let h = Point::new(0.3, -0.7);
        assert!((Point::from(pair.coordinates(h)) - Point::from(pair.dots(h))).norm() < 1e-12);
    }

    #[test]
    fn parallel_vectors_are_no_pair() {
        assert_eq!(
            Pair::new(Point::new(1.0, 0.5), Point::new(-2.0, -1.0)),
            None
        );
        assert_eq!(Pair::new(Point::new(1.0, 0.0), Point::zeros()), None);
    }
}
