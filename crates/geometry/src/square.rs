//! A square of nudges, its true image, and the image that the Jacobian predicts.

use crate::map::{Matrix, Point, SmoothMap, linear_prediction};

/// All nudges `d` with `|d_x|, |d_y| <= half`, around a base point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Square {
    /// Base point `p`.
    pub centre: Point,
    /// Length of the two basis nudges, half a side.
    pub half: f64,
}

/// Directions of the corners, counter-clockwise from the lower left.
const CORNERS: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];

impl Square {
    /// The two basis nudges `half * e_1`, `half * e_2`.
    pub fn basis_nudges(&self) -> [Point; 2] {
        [Point::new(self.half, 0.0), Point::new(0.0, self.half)]
    }

    /// Nudges to the four corners, counter-clockwise from the lower left.
    pub fn corner_nudges(&self) -> [Point; 4] {
        CORNERS.map(|(x, y)| Point::new(x * self.half, y * self.half))
    }

    /// Nudges along the boundary, `per_edge` of them from each corner up to but not including the next; corners come first
    /// on their edge, and with an even `per_edge` the middles of the edges are among them.
    pub fn boundary_nudges(&self, per_edge: usize) -> Vec<Point> {
        let corners = self.corner_nudges();
        let edge = |k: usize| {
            let (from, to) = (corners[k], corners[(k + 1) % 4]);
            (0..per_edge).map(move |i| from + (to - from) * (i as f64 / per_edge as f64))
        };
        (0..4).flat_map(edge).collect()
    }

    /// The true image of the boundary, a closed curve.
    pub fn image(&self, map: &impl SmoothMap, per_edge: usize) -> Vec<Point> {
        self.boundary_nudges(per_edge)
            .into_iter()
            .map(|d| map.value(self.centre + d))
            .collect()
    }

    /// The parallelogram `F(p) + J d` over the corners `d`.
    pub fn parallelogram(&self, value: Point, jacobian: &Matrix) -> [Point; 4] {
        self.corner_nudges()
            .map(|d| linear_prediction(value, jacobian, d))
    }

    /// The same square at another size.
    pub fn with_half(self, half: f64) -> Self {
        Self { half, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{Affine, Fold, TwoShears};

    /// Shoelace formula.
    fn area(polygon: &[Point]) -> f64 {
        let n = polygon.len();
        (0..n)
            .map(|i| polygon[i].perp(&polygon[(i + 1) % n]))
            .sum::<f64>()
            / 2.0
    }

    const SQUARE: Square = Square {
        centre: Point::new(0.3, -0.2),
        half: 0.25,
    };

    #[test]
    fn boundary_holds_corners_and_middles() {
        let nudges = SQUARE.boundary_nudges(4);
        assert_eq!(nudges.len(), 16);
        for corner in SQUARE.corner_nudges() {
            assert!(nudges.contains(&corner));
        }
        for middle in SQUARE.basis_nudges() {
            assert!(nudges.contains(&middle));
        }
    }

    #[test]
    fn an_affine_image_is_the_parallelogram() {
        let map = Affine {
            matrix: Matrix::new(1.0, 0.5, -0.4, 2.0),
            offset: Point::new(1.0, 1.0),
        };
        let image = SQUARE.image(&map, 1);
        let predicted = SQUARE.parallelogram(map.value(SQUARE.centre), &map.matrix);
        for (a, b) in image.iter().zip(predicted) {
            assert!((a - b).norm() < 1e-14);
        }
    }

    #[test]
    fn parallelogram_area_is_the_determinant_times_the_square() {
        let map = Fold::default();
        let jacobian = map.jacobian(SQUARE.centre);
        let corners = SQUARE.parallelogram(map.value(SQUARE.centre), &jacobian);
        assert!((area(&corners) - jacobian.determinant() * 0.25).abs() < 1e-12);
    }

    #[test]
    fn shears_keep_the_area_of_the_true_image() {
        let image = SQUARE.image(&TwoShears::default(), 2000);
        assert!((area(&image) - 0.25).abs() < 1e-6);
    }
}
