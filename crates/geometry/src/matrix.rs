//! What a 2x2 matrix does to areas, lengths and handedness.

use crate::map::Matrix;

/// Whether a matrix keeps the sense of rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// Positive determinant: the image can be turned and stretched into place.
    Kept,
    /// Negative determinant: the image is a mirror image.
    Reversed,
    /// Determinant zero (up to rounding): the image is a segment or a point.
    Flat,
}

/// Measures of a 2x2 matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Signed factor by which areas grow.
    pub determinant: f64,
    /// Largest and smallest stretch of a unit vector, largest first.
    pub singular_values: [f64; 2],
    /// Sense of rotation.
    pub orientation: Orientation,
}

/// A smallest stretch below this share of the largest counts as flat: a thousand times the rounding error of `f64`.
const FLAT: f64 = 1e3 * f64::EPSILON;

/// Determinant, singular values and orientation.
///
/// With `e = (a+d)/2, f = (a-d)/2, g = (c+b)/2, h = (c-b)/2` for rows `(a, b), (c, d)`, the singular values are
/// `hypot(e, h) +- hypot(f, g)` (absolute value of the smaller). The smaller one is computed as `|det| / larger`, which
/// does not cancel.
pub fn shape(m: &Matrix) -> Shape {
    let (a, b, c, d) = (m.m11, m.m12, m.m21, m.m22);
    let determinant = a * d - b * c;
    let largest = (0.5 * (a + d)).hypot(0.5 * (c - b)) + (0.5 * (a - d)).hypot(0.5 * (c + b));
    let smallest = if largest > 0.0 {
        determinant.abs() / largest
    } else {
        0.0
    };
    let orientation = if smallest <= FLAT * largest {
        Orientation::Flat
    } else if determinant > 0.0 {
        Orientation::Kept
    } else {
        Orientation::Reversed
    };
    Shape {
        determinant,
        singular_values: [largest, smallest],
        orientation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_matrices() {
        assert_eq!(shape(&Matrix::identity()).singular_values, [1.0, 1.0]);
        assert_eq!(shape(&Matrix::zeros()).orientation, Orientation::Flat);
        assert_eq!(
            shape(&Matrix::new(0.0, 1.0, 1.0, 0.0)).orientation,
            Orientation::Reversed
        );
        assert_eq!(
            shape(&Matrix::new(1.0, 2.0, 2.0, 4.0)).orientation,
            Orientation::Flat
        );
        let stretched = shape(&Matrix::new(3.0, 0.0, 0.0, -0.5));
        assert_eq!(
            (stretched.determinant, stretched.singular_values),
            (-1.5, [3.0, 0.5])
        );
    }

    proptest! {
        #[test]
        fn singular_values_equal_nalgebras(v in prop::array::uniform4(-2.0..2.0f64)) {
            let m = Matrix::new(v[0], v[1], v[2], v[3]);
            let mut theirs: Vec<f64> = m.singular_values().iter().copied().collect();
            theirs.sort_by(|a, b| b.total_cmp(a));
            let ours = shape(&m).singular_values;
            prop_assert!((ours[0] - theirs[0]).abs() < 1e-9 && (ours[1] - theirs[1]).abs() < 1e-7);
        }

        #[test]
        fn a_rotation_changes_no_shape(v in prop::array::uniform4(-2.0..2.0f64), angle in 0.0..6.3f64) {
            let m = Matrix::new(v[0], v[1], v[2], v[3]);
            let (sin, cos) = angle.sin_cos();
            let turned = shape(&(Matrix::new(cos, -sin, sin, cos) * m));
            let straight = shape(&m);
            prop_assert!((turned.determinant - straight.determinant).abs() < 1e-12);
            prop_assert!((turned.singular_values[0] - straight.singular_values[0]).abs() < 1e-12);
        }
    }
}
