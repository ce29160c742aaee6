//! Few vectors with amounts that are not negative: the nearest point of a cone of two, and of a union of such cones.
//!
//! In the plane a best combination never needs more than two vectors (Carathéodory), so looking at every ray and every wedge
//! between two of them finds the nearest point exactly.

use crate::map::Point;

/// A combination of vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// Indices of the vectors with a positive amount, ascending.
    pub of: Vec<usize>,
    /// Their amounts.
    pub amounts: Vec<f64>,
    /// The sum.
    pub point: Point,
    /// `|h - point|`.
    pub residual: f64,
}

/// Sine of the angle below which two vectors count as parallel.
const PARALLEL: f64 = 1e-6;

impl Mix {
    fn new(h: Point, vectors: &[Point], parts: &[(usize, f64)]) -> Self {
        let parts = || parts.iter().filter(|(_, amount)| *amount > 0.0);
        let point = parts().map(|(i, amount)| vectors[*i] * *amount).sum();
        Self {
            of: parts().map(|(i, _)| *i).collect(),
            amounts: parts().map(|(_, amount)| *amount).collect(),
            point,
            residual: (h - point).norm(),
        }
    }

    /// `1 - residual^2 / |h|^2`: the share of h's squared length that is explained; `None` for h = 0.
    #[must_use]
    pub fn share(&self, h: Point) -> Option<f64> {
        let all = h.norm_squared();
        (all > 0.0).then(|| 1.0 - self.residual.powi(2) / all)
    }
}

/// `(a, b)` with `h = a v + b w`, of whatever sign; `None` if v and w are parallel or zero.
#[must_use]
pub fn coordinates(h: Point, v: Point, w: Point) -> Option<[f64; 2]> {
    let area = v.perp(&w);
    (area.abs() > PARALLEL * v.norm() * w.norm()).then(|| [h.perp(&w) / area, v.perp(&h) / area])
}

/// The nearest point on the ray of vector `i`; the origin if h lies on its far side.
#[must_use]
pub fn nearest_on_ray(h: Point, vectors: &[Point], i: usize) -> Mix {
    let square = vectors[i].norm_squared();
    let amount = if square > 0.0 {
        h.dot(&vectors[i]) / square
    } else {
        0.0
    };
    Mix::new(h, vectors, &[(i, amount)])
}

/// The nearest point of the wedge between vectors `i` and `j`.
#[must_use]
pub fn nearest_in_wedge(h: Point, vectors: &[Point], [i, j]: [usize; 2]) -> Mix {
    match coordinates(h, vectors[i], vectors[j]) {
        Some([a, b]) if a >= 0.0 && b >= 0.0 => Mix::new(h, vectors, &[(i, a), (j, b)]),
        _ => nearer(nearest_on_ray(h, vectors, i), nearest_on_ray(h, vectors, j)),
    }
}

/// The nearest point of all combinations of at most `k` vectors (1 or more; more than 2 gain nothing in the plane). `None`
/// without vectors.
#[must_use]
pub fn nearest(h: Point, vectors: &[Point], k: usize) -> Option<Mix> {
    let rays = (0..vectors.len()).map(|i| nearest_on_ray(h, vectors, i));
    let best = rays.reduce(nearer)?;
    let wedges = pairs(vectors.len()).map(|pair| nearest_in_wedge(h, vectors, pair));
    Some(if k < 2 {
        best
    } else {
        wedges.fold(best, nearer)
    })
}

/// What h is in each pair of vectors, if both amounts are positive: all the exact ways to write h with two of them.
#[must_use]
pub fn exact_pairs(h: Point, vectors: &[Point]) -> Vec<Mix> {
    let exact = |[i, j]: [usize; 2]| {
        let [a, b] = coordinates(h, vectors[i], vectors[j])?;
        (a > 0.0 && b > 0.0).then(|| Mix::new(h, vectors, &[(i, a), (j, b)]))
    };
    pairs(vectors.len()).filter_map(exact).collect()
}

/// All pairs of indices below `n`, in order.
pub fn pairs(n: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| [i, j]))
}

/// The first unless the second is closer by more than rounding, so that fewer vectors win a tie.
fn nearer(a: Mix, b: Mix) -> Mix {
    if b.residual < a.residual - 1e-12 {
        b
    } else {
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Point> {
        (-1.0..1.0f64, -1.0..1.0f64).prop_map(|(x, y)| Point::new(x, y))
    }

    proptest! {
        /// The conditions of Karush, Kuhn and Tucker: no vector could improve the sum by more of it, and none that takes part
        /// by less of it.
        #[test]
        fn the_nearest_point_cannot_be_improved(h in point(), vectors in prop::collection::vec(point(), 4)) {
            prop_assume!(vectors.iter().all(|v| v.norm() > 0.1));
            let mix = nearest(h, &vectors, 2).unwrap();
            for (i, v) in vectors.iter().enumerate() {
                let pull = v.dot(&(h - mix.point));
                prop_assert!(pull < 1e-6, "more of {i} would help by {pull}");
                prop_assert!(!mix.of.contains(&i) || pull.abs() < 1e-6, "less of {i} would help by {pull}");
            }
            prop_assert!(mix.amounts.iter().all(|a| *a > 0.0));
        }

        #[test]
        fn exact_pairs_give_h(h in point(), vectors in prop::collection::vec(point(), 4)) {
            for mix in exact_pairs(h, &vectors) {
                prop_assert!(mix.residual < 1e-6 * (1.0 + mix.amounts[0] + mix.amounts[1]));
            }
        }

        #[test]
        fn two_are_never_worse_than_one(h in point(), vectors in prop::collection::vec(point(), 4)) {
            let [one, two] = [1, 2].map(|k| nearest(h, &vectors, k).unwrap().residual);
            prop_assert!(two <= one);
        }
    }

    #[test]
    fn behind_all_rays_nothing_is_best() {
        let vectors = [Point::new(1.0, 0.2), Point::new(1.0, -0.2)];
        let mix = nearest(Point::new(-1.0, 0.0), &vectors, 2).unwrap();
        assert_eq!(
            (mix.of.len(), mix.point, mix.residual),
            (0, Point::zeros(), 1.0)
        );
        assert_eq!(mix.share(Point::new(-1.0, 0.0)), Some(0.0));
        assert_eq!(nearest(Point::x(), &[], 1), None);
    }

    #[test]
    fn more_vectors_than_dimensions_leave_a_choice() {
        let vectors = [
            Point::new(1.0, 0.0),
            Point::new(1.0, 1.0),
            Point::new(0.0, 1.0),
        ];
        let h = Point::new(0.4, 0.7);
        let ways = exact_pairs(h, &vectors);
        let of: Vec<_> = ways.iter().map(|mix| mix.of.clone()).collect();
        assert_eq!(of, [vec![0, 2], vec![1, 2]]);
        let half: Point = ways
            .iter()
            .flat_map(|mix| mix.of.iter().zip(&mix.amounts))
            .map(|(i, amount)| vectors[*i] * (amount / 2.0))
            .sum();
        assert!((half - h).norm() < 1e-12, "the middle of two ways is a way");
    }
}
