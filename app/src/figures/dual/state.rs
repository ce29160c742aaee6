//! What the figure shows for two vectors and an activation. Plain values, no browser.

use crate::figures::numbers::number;
use geometry::{Pair, Point};

/// Half width of the plane of the two words.
pub const EXTENT: f64 = 1.4;
/// Longest remainder.
pub const REMAINDER: f64 = 1.2;
/// Shortest vector: one of no length has no direction.
const SHORTEST: f64 = 0.2;
/// What is smaller than this is zero but for rounding.
const ROUNDING: f64 = 1e-9;

/// How the amounts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Rows of the pseudo-inverse.
    Dual,
    /// Dot products with each vector, over its squared length.
    Dots,
}

impl Way {
    /// Both, with their names on the switch.
    pub const ALL: [(Self, &'static str); 2] =
        [(Self::Dual, "dual basis"), (Self::Dots, "dot products")];

    const fn slug(self) -> &'static str {
        match self {
            Self::Dual => "dual",
            Self::Dots => "dots",
        }
    }
}

/// What can be moved in the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movable {
    /// The source word's vector.
    Source,
    /// The target word's vector.
    Target,
    /// The part of the activation that lies in their plane.
    Activation,
}

impl Movable {
    /// All, with their names.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Source, "v_s, the vector of spider"),
        (Self::Target, "v_t, the vector of ant"),
        (Self::Activation, "h, in the plane"),
    ];
}

/// What the reader has chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How the amounts are found.
    pub way: Way,
    /// The source word's vector.
    pub source: [f64; 2],
    /// The target word's vector.
    pub target: [f64; 2],
    /// The part of the activation in their plane.
    pub h: [f64; 2],
    /// The part at right angles to it.
    pub rest: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            way: Way::Dual,
            source: [0.95, 0.2],
            target: [0.55, 0.85],
            h: [1.0, 0.5],
            rest: 0.7,
        }
    }
}

impl Settings {
    /// Where something stands.
    #[must_use]
    pub fn place(&self, what: Movable) -> [f64; 2] {
        match what {
            Movable::Source => self.source,
            Movable::Target => self.target,
            Movable::Activation => self.h,
        }
    }

    /// With something moved; kept inside, and vectors from vanishing.
    #[must_use]
    pub fn moved(mut self, what: Movable, place: [f64; 2]) -> Self {
        let inside = place.map(|v| v.clamp(-EXTENT, EXTENT));
        let length = inside[0].hypot(inside[1]);
        let vector = if length >= SHORTEST {
            inside
        } else if length > 0.0 {
            inside.map(|v| v * SHORTEST / length)
        } else {
            [SHORTEST, 0.0]
        };
        match what {
            Movable::Source => self.source = vector,
            Movable::Target => self.target = vector,
            Movable::Activation => self.h = inside,
        }
        self
    }

    /// `dual,0.95,0.2,0.55,0.85,1,0.5,0.7`
    #[must_use]
    pub fn to_address(self) -> String {
        let places = [self.source, self.target, self.h].into_iter().flatten();
        places
            .chain([self.rest])
            .fold(self.way.slug().to_owned(), |text, v| {
                format!("{text},{}", (v * 1e3).round() / 1e3)
            })
    }

    /// The reverse; `None` for text that is not such a state. Places outside the plane are brought inside.
    #[must_use]
    pub fn from_address(text: &str) -> Option<Self> {
        let (slug, numbers) = text.split_once(',')?;
        let (way, _) = Way::ALL.into_iter().find(|(way, _)| way.slug() == slug)?;
        let numbers: Vec<f64> = numbers
            .split(',')
            .map(|part| part.parse().ok().filter(|v: &f64| v.is_finite()))
            .collect::<Option<_>>()?;
        let [a, b, c, d, e, f, rest] = numbers[..] else {
            return None;
        };
        let start = Self {
            way,
            rest: rest.clamp(0.0, REMAINDER),
            ..Self::default()
        };
        let places = [
            (Movable::Source, [a, b]),
            (Movable::Target, [c, d]),
            (Movable::Activation, [e, f]),
        ];
        Some(
            places
                .into_iter()
                .fold(start, |s, (what, place)| s.moved(what, place)),
        )
    }
}

/// Amounts found in one way, and what exchanging them leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    /// The amounts of both words as found.
    pub before: [f64; 2],
    /// The activation after their exchange.
    pub after: Point,
    /// The true amounts (dual coordinates) of the result.
    pub found: [f64; 2],
}

impl Exchange {
    fn of(pair: &Pair, h: Point, before: [f64; 2]) -> Self {
        let after = pair.exchanged(h, before);
        Self {
            before,
            after,
            found: pair.coordinates(after),
        }
    }
}

/// What is shown when the two vectors can be told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// What was chosen.
    pub settings: Settings,
    /// The vectors.
    pub vectors: [Point; 2],
    /// The activation in their plane.
    pub h: Point,
    /// The dual vectors.
    pub duals: [Point; 2],
    /// `<dual_i, v_j>`.
    pub products: [[f64; 2]; 2],
    /// Exchange by dual coordinates.
    pub dual: Exchange,
    /// Exchange by dot products.
    pub dots: Exchange,
}

impl Scene {
    /// Computes it; `None` if the two vectors are (nearly) parallel.
    #[must_use]
    pub fn of(settings: Settings) -> Option<Self> {
        let [source, target, h] = [settings.source, settings.target, settings.h].map(Point::from);
        let pair = Pair::new(source, target)?;
        Some(Self {
            settings,
            vectors: [source, target],
            h,
            duals: pair.duals(),
            products: pair.products(),
            dual: Exchange::of(&pair, h, pair.coordinates(h)),
            dots: Exchange::of(&pair, h, pair.dots(h)),
        })
    }

    /// The exchange that is drawn.
    #[must_use]
    pub fn shown(&self) -> Exchange {
        match self.settings.way {
            Way::Dual => self.dual,
            Way::Dots => self.dots,
        }
    }

    /// Cosine of the two vectors.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        let [a, b] = self.vectors;
        a.dot(&b) / (a.norm() * b.norm())
    }

    /// How far the amounts after the exchange are from those wished for: the ones before, the other way round.
    #[must_use]
    pub fn miss(&self) -> f64 {
        let ([s, t], [s2, t2]) = (self.dual.before, self.shown().found);
        (s2 - t).abs().max((t2 - s).abs())
    }

    /// The activation with its remainder, before and after: third coordinate at right angles to both words. The exchange adds a
    /// multiple of two vectors whose third coordinate is zero.
    #[must_use]
    pub fn whole(&self) -> [[f64; 3]; 2] {
        let rest = self.settings.rest;
        let lift = |p: Point| [p.x, p.y, rest];
        [lift(self.h), lift(self.shown().after)]
    }

    /// What this way of finding the amounts does, in words.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match self.settings.way {
            Way::Dual => {
                "The dual coordinates are how far to go along one vector and then along the other to reach h. Exchanged, they are exactly the amounts of h′."
            }
            Way::Dots if self.overlap().abs() < ROUNDING => {
                "The vectors stand at right angles: here the dot products are the amounts, and both ways agree."
            }
            Way::Dots if self.miss() < ROUNDING => {
                "Nothing is missed, by luck: what the dot products count too much is the same for both words here, and cancels. The vectors do not stand at right angles; from most other places of h the exchange misses."
            }
            Way::Dots => {
                "A dot product is the foot of the perpendicular on one vector, as if the other were not there. What the two share is counted in both, so the exchange ends beside the place where it should."
            }
        }
    }

    /// The exchange in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let [s, t] = self.dual.before.map(|c| number(c, 2));
        let [s2, t2] = self.shown().found.map(|c| number(c, 2));
        let how = match self.settings.way {
            Way::Dual => "Exchanged by the dual basis",
            Way::Dots => "Exchanged by dot products",
        };
        format!(
            "The activation holds {s} of spider and {t} of ant. {how}, it holds {s2} of spider and {t2} of ant. The remainder stays {}.",
            number(self.settings.rest, 2)
        )
    }
}

/// What to say when there is no scene.
pub const ALIKE: &str = "The two vectors point the same way, or nearly. Then nobody can say how much of each an activation holds, and there is nothing to exchange. Turn one of them.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dual_exchange_is_exact_and_the_other_is_not() {
        let scene = Scene::of(Settings::default()).unwrap();
        assert!(scene.miss() < 1e-12 && scene.overlap() > 0.5);
        let naive = Scene::of(Settings {
            way: Way::Dots,
            ..Settings::default()
        })
        .unwrap();
        assert!(naive.miss() > 0.1, "{}", naive.miss());
        assert_eq!(naive.dual, scene.dual);
    }

    #[test]
    fn at_right_angles_there_is_no_difference() {
        let settings = Settings {
            way: Way::Dots,
            ..Settings::default()
        }
        .moved(Movable::Source, [1.0, 0.0])
        .moved(Movable::Target, [0.0, 0.8]);
        let scene = Scene::of(settings).unwrap();
        assert!(scene.miss() < 1e-12 && scene.overlap() == 0.0);
        assert!(scene.verdict().contains("stand at right angles: here"));
    }

    #[test]
    fn an_exchange_that_misses_nothing_is_not_taken_for_right_angles() {
        let dots = Settings {
            way: Way::Dots,
            ..Settings::default()
        };
        let even = Settings {
            source: [1.0, 0.0],
            target: [0.6, 0.8],
            ..dots
        };
        for settings in [
            dots.moved(Movable::Activation, [0.0, 0.0]),
            even.moved(Movable::Activation, [0.8, 0.4]),
        ] {
            let scene = Scene::of(settings).unwrap();
            assert!(scene.miss() < 1e-12 && scene.overlap() > 0.5);
            assert!(scene.verdict().contains("do not stand at right angles"));
        }
    }

    #[test]
    fn duals_see_only_their_own() {
        let [[a, b], [c, d]] = Scene::of(Settings::default()).unwrap().products;
        assert!((a - 1.0).abs() + b.abs() + c.abs() + (d - 1.0).abs() < 1e-12);
    }

    #[test]
    fn alike_vectors_have_no_scene() {
        let settings = Settings::default().moved(Movable::Target, [0.475, 0.1]);
        assert_eq!(Scene::of(settings), None);
    }

    #[test]
    fn the_remainder_is_untouched() {
        let scene = Scene::of(Settings::default()).unwrap();
        let [before, after] = scene.whole();
        assert_eq!(before[2], after[2]);
        assert_ne!(before[..2], after[..2]);
        assert!(scene.summary().contains("remainder stays 0.70"));
    }

    #[test]
    fn the_address_leads_back() {
        let settings = Settings {
            way: Way::Dots,
            rest: 0.3,
            ..Settings::default()
        }
        .moved(Movable::Activation, [-0.5, 0.25]);
        assert_eq!(
            Settings::from_address(&settings.to_address()),
            Some(settings)
        );
        let outside = Settings::from_address("dual,9,0,0,9,9,9,9").unwrap();
        assert_eq!((outside.source, outside.rest), ([EXTENT, 0.0], REMAINDER));
        for nonsense in [
            "",
            "dual",
            "dual,1,2",
            "dual,1,2,3,4,5,6,NaN",
            "third,1,2,3,4,5,6,7",
        ] {
            assert_eq!(Settings::from_address(nonsense), None, "{nonsense}");
        }
    }
}
