//! How far the linear prediction is from the truth, and how fast that distance shrinks.
//!
//! By Taylor's theorem `F(p + d) = F(p) + J(p) d + O(|d|^2)`: on log-log axes the gap falls on a line of slope 2, and
//! halving the square divides it by about 4. In finite precision the fall ends at a floor, where rounding in `F` itself is
//! larger than what is left of the curvature.

use crate::map::{Matrix, Point, SmoothMap, linear_prediction};
use crate::square::Square;

/// The gap of one square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Half a side, the length of a basis nudge.
    pub half: f64,
    /// Largest `|F(p + d) - F(p) - J(p) d|` over the boundary points `d` that were looked at.
    pub gap: f64,
}

/// Gaps of a square that is halved again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// Largest square first.
    pub gaps: Vec<Gap>,
}

/// Largest distance between images and their linear predictions; 0 for no points.
pub fn largest_gap(value: Point, jacobian: &Matrix, nudges: &[Point], images: &[Point]) -> f64 {
    nudges
        .iter()
        .zip(images)
        .map(|(nudge, image)| (image - linear_prediction(value, jacobian, *nudge)).norm())
        .fold(0.0, f64::max)
}

/// Gap of one square of a map that can be evaluated anywhere.
pub fn gap(map: &impl SmoothMap, square: Square, per_edge: usize) -> Gap {
    let nudges = square.boundary_nudges(per_edge);
    let images: Vec<Point> = nudges
        .iter()
        .map(|d| map.value(square.centre + d))
        .collect();
    let gap = largest_gap(
        map.value(square.centre),
        &map.jacobian(square.centre),
        &nudges,
        &images,
    );
    Gap {
        half: square.half,
        gap,
    }
}

/// Gaps at `largest, largest/2, ...`, `steps` of them.
pub fn ladder(
    map: &impl SmoothMap,
    centre: Point,
    largest: f64,
    steps: usize,
    per_edge: usize,
) -> Ladder {
    let halves = halvings(largest, steps);
    Ladder {
        gaps: halves
            .map(|half| gap(map, Square { centre, half }, per_edge))
            .collect(),
    }
}

/// `largest, largest/2, largest/4, ...`.
pub fn halvings(largest: f64, steps: usize) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(largest), |half| Some(half / 2.0)).take(steps)
}

impl Ladder {
    /// `gap(half) / gap(half / 2)` for each neighbouring pair; `None` where the smaller gap is zero.
    pub fn ratios(&self) -> Vec<Option<f64>> {
        let ratio = |pair: &[Gap]| (pair[1].gap > 0.0).then(|| pair[0].gap / pair[1].gap);
        self.gaps.windows(2).map(ratio).collect()
    }

    /// Slope of the least-squares line through the points whose gap is above `floor`; see [`log_log_slope`].
    pub fn slope_above(&self, floor: f64) -> Option<f64> {
        let above: Vec<Gap> = self
            .gaps
            .iter()
            .copied()
            .filter(|g| g.gap > floor)
            .collect();
        log_log_slope(&above)
    }

    /// Where the fall ends, if it does: the median gap of the three smallest squares, when the gap there has stopped
    /// shrinking (the first of the three is less than twice the last, although its square is four times as wide).
    pub fn floor(&self) -> Option<f64> {
        let tail = self.gaps.len().checked_sub(3)?;
        let mut last: Vec<f64> = self.gaps[tail..].iter().map(|g| g.gap).collect();
        let stopped = last[2] > 0.0 && last[0] < 2.0 * last[2];
        last.sort_by(f64::total_cmp);
        stopped.then_some(last[1])
    }
}

/// Least-squares slope of `log gap` against `log half`. Points with a zero gap have no logarithm and are left out; `None`
/// with fewer than two different sizes.
pub fn log_log_slope(gaps: &[Gap]) -> Option<f64> {
    let points: Vec<(f64, f64)> = gaps
        .iter()
        .filter(|g| g.gap > 0.0 && g.half > 0.0)
        .map(|g| (g.half.ln(), g.gap.ln()))
        .collect();
    let n = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    (variance > 0.0).then(|| covariance / variance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{Affine, Fold, PolarLike, TwoShears};
    use proptest::prelude::*;

    fn slope_and_last_ratio(map: &impl SmoothMap, centre: Point) -> (f64, f64) {
        let ladder = ladder(map, centre, 0.02, 8, 8);
        let last = ladder.ratios().last().copied().flatten().unwrap();
        (ladder.slope_above(0.0).unwrap(), last)
    }

    proptest! {
        #[test]
        fn the_gap_is_quadratic(x in -1.0..1.0f64, y in -1.0..1.0f64) {
            let p = Point::new(x, y);
            for (slope, ratio) in [
                slope_and_last_ratio(&PolarLike::default(), p),
                slope_and_last_ratio(&Fold::default(), p),
            ] {
                prop_assert!((slope - 2.0).abs() < 0.05, "slope {slope}");
                prop_assert!((ratio - 4.0).abs() < 0.05, "ratio {ratio}");
            }
        }
    }

    #[test]
    fn two_shears_have_slope_two_where_they_are_curved() {
        let (slope, ratio) = slope_and_last_ratio(&TwoShears::default(), Point::new(0.4, 0.5));
        assert!(
            (slope - 2.0).abs() < 0.05 && (ratio - 4.0).abs() < 0.05,
            "slope {slope}, ratio {ratio}"
        );
    }

    #[test]
    fn the_fold_gap_is_its_second_derivative() {
        // F is quadratic, so the gap is exactly (bend + steepness) half^2 at every corner.
        let map = Fold::default();
        let Gap { half, gap } = gap(
            &map,
            Square {
                centre: Point::new(0.2, 0.6),
                half: 0.3,
            },
            2,
        );
        assert!((gap - (map.bend + map.steepness) * half * half).abs() < 1e-14);
    }

    #[test]
    fn a_linear_map_has_no_gap_to_speak_of() {
        let ladder = ladder(&Affine::identity(), Point::new(0.5, 0.25), 0.5, 6, 4);
        assert!(ladder.gaps.iter().all(|g| g.gap < 1e-15));
        assert_eq!(ladder.slope_above(1e-12), None);
        assert!(
            ladder
                .ratios()
                .iter()
                .all(|r| r.is_none_or(|v| v.is_finite()))
        );
    }

    /// A map whose values are rounded to single precision, like the model's.
    struct Rounded;

    impl SmoothMap for Rounded {
        fn value(&self, p: Point) -> Point {
            PolarLike::default().value(p).map(|v| f64::from(v as f32))
        }

        fn jacobian(&self, p: Point) -> Matrix {
            PolarLike::default().jacobian(p)
        }
    }

    #[test]
    fn rounding_shows_as_a_floor_and_the_slope_above_it_is_two() {
        let p = Point::new(0.31, 0.47);
        let exact = ladder(&PolarLike::default(), p, 0.25, 16, 4);
        assert_eq!(exact.floor(), None);
        let rounded = ladder(&Rounded, p, 0.25, 16, 4);
        let floor = rounded.floor().unwrap();
        assert!(floor > 1e-9 && floor < 1e-6, "floor {floor}");
        let slope = rounded.slope_above(20.0 * floor).unwrap();
        assert!((slope - 2.0).abs() < 0.1, "slope {slope}");
    }
}
