//! Heights over the plane, `z = f(x, y)`, with exact gradients.

use crate::map::Point;

/// A function of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Height {
    /// Two hills: `exp(-3 |p - a|^2) + 0.7 exp(-4 |p - b|^2)`, a = (-0.4, -0.2), b = (0.5, 0.4).
    Hills,
    /// `0.8 (x^2 - y^2) + 0.3 x y`
    Saddle,
    /// `0.35 sin(3 x + y) + 0.35 cos(3 y)`
    Waves,
    /// `0.5 x - 0.3 y`: its gradient is the same everywhere, and nothing is lost in a linear forecast.
    Plane,
}

const HILLS: [(f64, f64, Point); 2] = [
    (1.0, 3.0, Point::new(-0.4, -0.2)),
    (0.7, 4.0, Point::new(0.5, 0.4)),
];

impl Height {
    /// `f(p)`.
    #[must_use]
    pub fn value(self, p: Point) -> f64 {
        match self {
            Self::Hills => HILLS
                .iter()
                .map(|(top, steep, at)| top * (-steep * (p - at).norm_squared()).exp())
                .sum(),
            Self::Saddle => 0.8 * (p.x * p.x - p.y * p.y) + 0.3 * p.x * p.y,
            Self::Waves => 0.35 * (3.0 * p.x + p.y).sin() + 0.35 * (3.0 * p.y).cos(),
            Self::Plane => 0.5 * p.x - 0.3 * p.y,
        }
    }

    /// `(df/dx, df/dy)` at p.
    #[must_use]
    pub fn gradient(self, p: Point) -> Point {
        match self {
            Self::Hills => HILLS
                .iter()
                .map(|(top, steep, at)| {
                    let away = p - at;
                    away * (-2.0 * steep * top * (-steep * away.norm_squared()).exp())
                })
                .sum(),
            Self::Saddle => Point::new(1.6 * p.x + 0.3 * p.y, -1.6 * p.y + 0.3 * p.x),
            Self::Waves => {
                let swell = 0.35 * (3.0 * p.x + p.y).cos();
                Point::new(3.0 * swell, swell - 1.05 * (3.0 * p.y).sin())
            }
            Self::Plane => Point::new(0.5, -0.3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Height; 4] = [Height::Hills, Height::Saddle, Height::Waves, Height::Plane];

    proptest! {
        #[test]
        fn gradients_are_limits_of_differences(x in -1.0..1.0f64, y in -1.0..1.0f64) {
            let (p, step) = (Point::new(x, y), 1e-5);
            for height in ALL {
                for (axis, e) in [Point::x(), Point::y()].into_iter().enumerate() {
                    let rate = (height.value(p + e * step) - height.value(p - e * step)) / (2.0 * step);
                    prop_assert!((rate - height.gradient(p)[axis]).abs() < 1e-8, "{height:?} at {p}");
                }
            }
        }

        #[test]
        fn the_forecast_of_a_plane_is_exact(x in -1.0..1.0f64, y in -1.0..1.0f64) {
            let nudge = Point::new(x, y);
            let change = Height::Plane.value(nudge) - Height::Plane.value(Point::zeros());
            prop_assert!((change - Height::Plane.gradient(nudge).dot(&nudge)).abs() < 1e-14);
        }
    }

    #[test]
    fn no_nudge_of_the_same_length_climbs_more_than_one_along_the_gradient() {
        let (height, p, length) = (Height::Hills, Point::new(0.1, 0.3), 1e-4);
        let uphill = height.gradient(p).normalize() * length;
        let best = height.value(p + uphill);
        for k in 0..360 {
            let (sin, cos) = f64::from(k).to_radians().sin_cos();
            assert!(height.value(p + Point::new(cos, sin) * length) <= best + 1e-11);
        }
    }
}
