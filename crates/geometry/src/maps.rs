//! The maps of the figures, each with its formula, its Jacobian and its determinant.

use crate::map::{Matrix, Point, SmoothMap};

/// `F(x) = A x + b`. Its Jacobian is `A` everywhere, so the linear prediction is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// `A`.
    pub matrix: Matrix,
    /// `b`.
    pub offset: Point,
}

impl Affine {
    /// `F(x) = x`.
    pub fn identity() -> Self {
        Self {
            matrix: Matrix::identity(),
            offset: Point::zeros(),
        }
    }
}

impl SmoothMap for Affine {
    fn value(&self, p: Point) -> Point {
        self.matrix * p + self.offset
    }

    fn jacobian(&self, _: Point) -> Matrix {
        self.matrix
    }
}

/// Bends horizontal lines into rays and vertical lines into circles: with `r = radius + x` and angle `a = turn * y`,
///
/// ```text
/// F = ( r cos a - radius,  r sin a )      J = ( cos a   -turn r sin a )      det J = turn r
///                                             ( sin a    turn r cos a )
/// ```
///
/// Areas grow with the distance from the centre `(-radius, 0)`; there, at `x = -radius`, the map is singular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolarLike {
    /// Distance of the input's origin from the centre.
    pub radius: f64,
    /// Angle per unit of `y`.
    pub turn: f64,
}

impl Default for PolarLike {
    fn default() -> Self {
        Self {
            radius: 1.35,
            turn: 0.95,
        }
    }
}

impl SmoothMap for PolarLike {
    fn value(&self, p: Point) -> Point {
        let (r, (sin, cos)) = (self.radius + p.x, (self.turn * p.y).sin_cos());
        Point::new(r * cos - self.radius, r * sin)
    }

    fn jacobian(&self, p: Point) -> Matrix {
        let (r, (sin, cos)) = (self.radius + p.x, (self.turn * p.y).sin_cos());
        Matrix::new(cos, -self.turn * r * sin, sin, self.turn * r * cos)
    }
}

/// Two sine shears, one after the other: first sideways, then up and down,
///
/// ```text
/// u = x + a sin(k y)         J = ( 1              a k cos(k y)              )      det J = 1
/// w = y + b sin(k u)             ( b k cos(k u)   1 + a b k^2 cos(k y) cos(k u) )
/// ```
///
/// A shear keeps areas, so this map does, everywhere, however it bends them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoShears {
    /// Height `a` of the sideways wave.
    pub across: f64,
    /// Height `b` of the upward wave.
    pub up: f64,
    /// Wave number `k`.
    pub wave: f64,
}

impl Default for TwoShears {
    fn default() -> Self {
        Self {
            across: 0.28,
            up: 0.22,
            wave: 2.4,
        }
    }
}

impl SmoothMap for TwoShears {
    fn value(&self, p: Point) -> Point {
        let u = p.x + self.across * (self.wave * p.y).sin();
        Point::new(u, p.y + self.up * (self.wave * u).sin())
    }

    fn jacobian(&self, p: Point) -> Matrix {
        let u = p.x + self.across * (self.wave * p.y).sin();
        let sideways = self.across * self.wave * (self.wave * p.y).cos();
        let upward = self.up * self.wave * (self.wave * u).cos();
        Matrix::new(1.0, sideways, upward, 1.0 + sideways * upward)
    }
}

/// Folds the plane like a sheet of paper along the line `y = 0`:
///
/// ```text
/// F = ( x,  s y^2 + c x^2 - t )      J = ( 1       0     )      det J = 2 s y
///                                        ( 2 c x   2 s y )
/// ```
///
/// On the line the second column vanishes: the square of nudges is flattened to a segment, and one direction of the input
/// is lost. Below it the determinant is negative: the sheet lies upside down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    /// Steepness `s` away from the crease.
    pub steepness: f64,
    /// Bend `c` of the crease.
    pub bend: f64,
    /// Shift `t` that centres the picture.
    pub shift: f64,
}

impl Default for Fold {
    fn default() -> Self {
        Self {
            steepness: 1.2,
            bend: 0.35,
            shift: 0.7,
        }
    }
}

impl Fold {
    /// Signed distance of `p` from the line on which the Jacobian is singular.
    pub fn distance_from_crease(&self, p: Point) -> f64 {
        p.y
    }
}

impl SmoothMap for Fold {
    fn value(&self, p: Point) -> Point {
        Point::new(
            p.x,
            self.steepness * p.y * p.y + self.bend * p.x * p.x - self.shift,
        )
    }

    fn jacobian(&self, p: Point) -> Matrix {
        Matrix::new(1.0, 0.0, 2.0 * self.bend * p.x, 2.0 * self.steepness * p.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `J` by central differences, error `O(step^2)`.
    fn central(map: &dyn SmoothMap, p: Point) -> Matrix {
        let step = 1e-5;
        let column = |e: Point| (map.value(p + e * step) - map.value(p - e * step)) / (2.0 * step);
        Matrix::from_columns(&[column(Point::x()), column(Point::y())])
    }

    fn all() -> Vec<Box<dyn SmoothMap>> {
        vec![
            Box::new(PolarLike::default()),
            Box::new(TwoShears::default()),
            Box::new(Fold::default()),
            Box::new(Affine {
                matrix: Matrix::new(1.0, 2.0, -0.5, 0.3),
                offset: Point::new(0.2, -1.0),
            }),
            Box::new(Affine::identity()),
        ]
    }

    proptest! {
        #[test]
        fn jacobians_equal_central_differences(x in -1.0..1.0f64, y in -1.0..1.0f64) {
            let p = Point::new(x, y);
            for map in all() {
                let error = (map.jacobian(p) - central(&*map, p)).abs().max();
                prop_assert!(error < 1e-8, "error {error} at {p}");
            }
        }

        #[test]
        fn two_shears_keep_areas(x in -3.0..3.0f64, y in -3.0..3.0f64) {
            let det = TwoShears::default().jacobian(Point::new(x, y)).determinant();
            prop_assert!((det - 1.0).abs() < 1e-12);
        }

        #[test]
        fn polar_areas_grow_with_the_radius(x in -1.0..1.0f64, y in -1.0..1.0f64) {
            let map = PolarLike::default();
            let det = map.jacobian(Point::new(x, y)).determinant();
            prop_assert!((det - map.turn * (map.radius + x)).abs() < 1e-12);
        }

        #[test]
        fn fold_degenerates_on_its_crease_and_only_there(x in -1.0..1.0f64, y in 1e-3..1.0f64) {
            let map = Fold::default();
            prop_assert_eq!(map.jacobian(Point::new(x, 0.0)).determinant(), 0.0);
            prop_assert!(map.jacobian(Point::new(x, y)).determinant() > 0.0);
            prop_assert!(map.jacobian(Point::new(x, -y)).determinant() < 0.0);
            prop_assert_eq!(map.distance_from_crease(Point::new(x, -y)), -y);
        }

        #[test]
        fn fold_sends_mirrored_points_to_one(x in -1.0..1.0f64, y in -1.0..1.0f64) {
            let map = Fold::default();
            prop_assert_eq!(map.value(Point::new(x, y)), map.value(Point::new(x, -y)));
        }
    }
}
