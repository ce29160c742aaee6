//! What two maps in a row do with one square. Plain values, no browser.

use crate::figures::numbers::{number, small};
use crate::figures::square::maps::{Analytic, EXTENT, MapKind};
use crate::figures::square::state::clamp_half;
use geometry::{Chain, Matrix, Point, SmoothMap, Square, measured_jacobian};

/// The maps to choose from.
pub const MAPS: [MapKind; 3] = [MapKind::Polar, MapKind::Shears, MapKind::Fold];
/// Points per edge of the drawn outlines.
const PER_EDGE: usize = 16;
/// Relative differences below this are rounding.
const ROUNDING: f64 = 1e-8;
/// Nudges of the measured Jacobian.
pub const STEP: f64 = 1e-3;

/// What the reader has chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The map that comes first, f.
    pub first: MapKind,
    /// The map of its results, g.
    pub second: MapKind,
    /// The point.
    pub p: [f64; 2],
    /// Length of a basis nudge.
    pub half: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            first: MapKind::Polar,
            second: MapKind::Shears,
            p: [0.1, 0.35],
            half: 0.25,
        }
    }
}

/// The formula of a map; those offered here all have one.
fn formula(kind: MapKind) -> Analytic {
    kind.analytic()
        .unwrap_or(Analytic::Polar(Default::default()))
}

impl Settings {
    /// Both maps.
    #[must_use]
    pub fn maps(&self) -> Chain<Analytic, Analytic> {
        Chain {
            first: formula(self.first),
            second: formula(self.second),
        }
    }

    /// With another point, kept inside.
    #[must_use]
    pub fn at(self, p: [f64; 2]) -> Self {
        Self {
            p: p.map(|v| v.clamp(-EXTENT, EXTENT)),
            ..self
        }
    }

    /// With another size, kept in its range.
    #[must_use]
    pub fn sized(self, half: f64) -> Self {
        Self {
            half: clamp_half(half),
            ..self
        }
    }

    /// `polar,shears,0.1,0.35,0.25`
    #[must_use]
    pub fn to_address(self) -> String {
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let [x, y] = self.p.map(round);
        let (first, second) = (self.first.slug(), self.second.slug());
        format!("{first},{second},{x},{y},{}", round(self.half))
    }

    /// The reverse; `None` for text that does not begin with such a state. Values outside their ranges are brought inside.
    #[must_use]
    pub fn from_address(text: &str) -> Option<Self> {
        let mut parts = text.split(',');
        let mut kind = || MapKind::from_slug(parts.next()?).filter(|kind| MAPS.contains(kind));
        let (first, second) = (kind()?, kind()?);
        let mut number = || parts.next()?.parse().ok().filter(|v: &f64| v.is_finite());
        let (p, half) = ([number()?, number()?], number()?);
        let start = Self {
            first,
            second,
            ..Self::default()
        };
        Some(start.at(p).sized(half))
    }
}

/// What one plane shows after some maps.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Image of the point.
    pub value: Point,
    /// Jacobian from the first plane to this one.
    pub jacobian: Matrix,
    /// True image of the square's boundary.
    pub image: Vec<Point>,
    /// What the Jacobian makes of its corners.
    pub parallelogram: [Point; 4],
    /// Where the Jacobian puts the tips of the basis nudges.
    pub tips: [Point; 2],
}

impl Stage {
    fn of(map: &impl SmoothMap, square: Square) -> Self {
        let (value, jacobian) = (map.value(square.centre), map.jacobian(square.centre));
        Self {
            value,
            jacobian,
            image: square.image(map, PER_EDGE),
            parallelogram: square.parallelogram(value, &jacobian),
            tips: square.basis_nudges().map(|d| value + jacobian * d),
        }
    }
}

/// Everything at one point and size.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Point and size.
    pub square: Square,
    /// After f.
    pub middle: Stage,
    /// After g of it.
    pub end: Stage,
    /// `J_g` at f(p).
    pub second: Matrix,
    /// Jacobian of both maps at once, measured with small nudges and no formula.
    pub measured: Matrix,
}

impl Scene {
    /// Computes it.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let maps = settings.maps();
        let square = Square {
            centre: settings.p.into(),
            half: settings.half,
        };
        let middle = Stage::of(&maps.first, square);
        Self {
            square,
            second: maps.second.jacobian(middle.value),
            end: Stage::of(&maps, square),
            measured: measured_jacobian(&maps, square.centre, STEP),
            middle,
        }
    }

    /// `J_g J_f`.
    #[must_use]
    pub fn product(&self) -> Matrix {
        self.second * self.middle.jacobian
    }

    /// Largest difference between the product and the measured Jacobian, over the largest entry.
    #[must_use]
    pub fn error(&self) -> f64 {
        off(&self.product(), &self.measured)
    }

    /// The same for the factors in the wrong order.
    #[must_use]
    pub fn error_of_wrong_order(&self) -> f64 {
        off(&(self.middle.jacobian * self.second), &self.measured)
    }

    /// Factors by which areas grow: in f, in g, in both.
    #[must_use]
    pub fn areas(&self) -> [f64; 3] {
        [self.middle.jacobian, self.second, self.product()].map(|m| m.determinant())
    }

    /// What the differences mean, from the differences.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match (
            self.error() < ROUNDING,
            self.error_of_wrong_order() < ROUNDING,
        ) {
            (true, false) => {
                "In the right order what is left is rounding; in the wrong order it is another matrix."
            }
            (true, true) => {
                "What is left is rounding; here the two matrices may even be exchanged."
            }
            (false, _) => "The measured nudges are too coarse here, or reach across a crease.",
        }
    }

    /// The scene in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let [f, g, both] = self.areas().map(|area| number(area, 2));
        format!(
            "At p = ({}, {}) the first map multiplies small areas by {f}, the second by {g}, both together by {both}. The product of their matrices differs from the measured Jacobian by {} of its largest entry.",
            number(self.square.centre.x, 2),
            number(self.square.centre.y, 2),
            small(self.error()),
        )
    }
}

fn off(got: &Matrix, truth: &Matrix) -> f64 {
    (got - truth).amax() / truth.amax().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_follows_from_the_differences() {
        let scene = Scene::of(&Settings::default());
        assert!(scene.verdict().contains("another matrix"));
        let coarse = Scene {
            measured: scene.measured * 1.01,
            ..scene
        };
        assert!(coarse.verdict().contains("too coarse"));
    }

    #[test]
    fn the_product_is_the_jacobian_of_both_and_the_wrong_order_is_not() {
        for first in MAPS {
            for second in MAPS {
                let settings = Settings {
                    first,
                    second,
                    ..Settings::default()
                };
                let scene = Scene::of(&settings);
                assert!(
                    scene.error() < 1e-9,
                    "{first:?} {second:?} {}",
                    scene.error()
                );
                assert!((scene.product() - scene.end.jacobian).amax() < 1e-12);
                let [f, g, both] = scene.areas();
                assert!((f * g - both).abs() < 1e-12);
            }
        }
        assert!(Scene::of(&Settings::default()).error_of_wrong_order() > 0.05);
    }

    #[test]
    fn the_parallelogram_is_carried_on_by_the_second_matrix() {
        let scene = Scene::of(&Settings::default());
        for (middle, end) in scene
            .middle
            .parallelogram
            .iter()
            .zip(scene.end.parallelogram)
        {
            let carried = scene.end.value + scene.second * (middle - scene.middle.value);
            assert!((carried - end).norm() < 1e-12);
        }
    }

    #[test]
    fn the_address_leads_back() {
        let settings = Settings::default().at([-0.5, 0.25]).sized(0.125);
        assert_eq!(settings.to_address(), "polar,shears,-0.5,0.25,0.125");
        assert_eq!(
            Settings::from_address(&settings.to_address()),
            Some(settings)
        );
        assert_eq!(
            Settings::from_address("fold,fold,9,9,9").map(|s| s.p),
            Some([1.0, 1.0])
        );
        for nonsense in ["", "polar", "polar,model,0,0,0.1", "polar,fold,0,NaN,0.1"] {
            assert_eq!(Settings::from_address(nonsense), None, "{nonsense}");
        }
    }
}
