//! What the figure shows for one activation and four vectors. Plain values, no browser.

use crate::figures::numbers::{number, small_or_zero};
use geometry::Point;
use geometry::cone::{Mix, exact_pairs, nearest, pairs};

/// Half width of the plane, and how far it reaches up.
pub const EXTENT: f64 = 1.25;
/// How far it reaches down: far enough for an activation to get behind all the words.
pub const DEPTH: f64 = 0.85;
/// Shortest vector: one of no length has no direction.
const SHORTEST: f64 = 0.15;
/// The words whose vectors are drawn; names in a cartoon, not the model's vectors.
pub const WORDS: [&str; 4] = ["spider", "web", "ant", "eight"];

/// What can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movable {
    /// The activation.
    Activation,
    /// The vector of a word, by its index.
    Vector(usize),
}

impl Movable {
    /// All, the activation first.
    #[must_use]
    pub fn all() -> Vec<(Self, String)> {
        let vectors = WORDS.iter().enumerate();
        let vectors = vectors.map(|(i, word)| (Self::Vector(i), format!("vector of “{word}”")));
        std::iter::once((Self::Activation, "activation h".to_owned()))
            .chain(vectors)
            .collect()
    }
}

/// What the reader has chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Most words in a combination: 1 or 2.
    pub k: usize,
    /// The activation.
    pub h: [f64; 2],
    /// The vectors of [`WORDS`].
    pub vectors: [[f64; 2]; 4],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            k: 1,
            h: [0.2, 0.85],
            vectors: [[0.95, 0.25], [0.6, 0.65], [-0.2, 0.95], [-0.8, 0.4]],
        }
    }
}

impl Settings {
    /// Where something stands.
    #[must_use]
    pub fn place(&self, what: Movable) -> [f64; 2] {
        match what {
            Movable::Activation => self.h,
            Movable::Vector(i) => self.vectors[i % 4],
        }
    }

    /// With something moved; kept inside, and vectors from vanishing.
    #[must_use]
    pub fn moved(mut self, what: Movable, place: [f64; 2]) -> Self {
        let [x, y] = place;
        let inside = [x.clamp(-EXTENT, EXTENT), y.clamp(-DEPTH, EXTENT)];
        match what {
            Movable::Activation => self.h = inside,
            Movable::Vector(i) => {
                let length = inside[0].hypot(inside[1]);
                self.vectors[i % 4] = if length >= SHORTEST {
                    inside
                } else if length > 0.0 {
                    inside.map(|v| v * SHORTEST / length)
                } else {
                    [SHORTEST, 0.0]
                };
            }
        }
        self
    }

    /// `2,0.2,0.85` and the eight coordinates of the vectors.
    #[must_use]
    pub fn to_address(self) -> String {
        let numbers = self.h.into_iter().chain(self.vectors.into_iter().flatten());
        numbers.fold(self.k.to_string(), |text, v| {
            format!("{text},{}", (v * 1e3).round() / 1e3)
        })
    }

    /// The reverse; `None` for text that is not such a state. Places outside the plane are brought inside.
    #[must_use]
    pub fn from_address(text: &str) -> Option<Self> {
        let (k, places) = text.split_once(',')?;
        let k = k.parse().ok().filter(|k| (1..=2).contains(k))?;
        let numbers: Vec<f64> = places
            .split(',')
            .map(|part| part.parse().ok().filter(|v: &f64| v.is_finite()))
            .collect::<Option<_>>()?;
        let whats = std::iter::once(Movable::Activation).chain((0..4).map(Movable::Vector));
        let start = Self {
            k,
            ..Self::default()
        };
        (numbers.len() == 10).then(|| {
            whats
                .zip(numbers.chunks_exact(2))
                .fold(start, |s, (what, xy)| s.moved(what, [xy[0], xy[1]]))
        })
    }
}

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// What was chosen.
    pub settings: Settings,
    /// The activation.
    pub h: Point,
    /// The vectors.
    pub vectors: Vec<Point>,
    /// The nearest point of the union of cones.
    pub nearest: Mix,
    /// All pairs of words that give h exactly.
    pub ways: Vec<Mix>,
}

impl Scene {
    /// Computes it.
    #[must_use]
    pub fn of(settings: Settings) -> Self {
        let (h, vectors) = (
            Point::from(settings.h),
            settings.vectors.map(Point::from).to_vec(),
        );
        let nothing = Mix {
            of: Vec::new(),
            amounts: Vec::new(),
            point: Point::zeros(),
            residual: h.norm(),
        };
        Self {
            settings,
            nearest: nearest(h, &vectors, settings.k).unwrap_or(nothing),
            ways: exact_pairs(h, &vectors),
            h,
            vectors,
        }
    }

    /// Whether the nearest point is the activation itself.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.nearest.residual <= 1e-9
    }

    /// The sum that is drawn: one of the exact ways, or that of the nearest point.
    #[must_use]
    pub fn drawn(&self, way: Option<usize>) -> &Mix {
        way.and_then(|i| self.ways.get(i)).unwrap_or(&self.nearest)
    }

    /// `0.72 · web + 0.31 · ant`; "nothing" for an empty sum.
    #[must_use]
    pub fn formula(mix: &Mix) -> String {
        let term = |(i, amount): (&usize, &f64)| format!("{} · {}", number(*amount, 2), WORDS[*i]);
        let terms: Vec<String> = mix.of.iter().zip(&mix.amounts).map(term).collect();
        if terms.is_empty() {
            "nothing".to_owned()
        } else {
            terms.join(" + ")
        }
    }

    /// `cone of web and ant`.
    #[must_use]
    pub fn cone(&self) -> String {
        match self.nearest.of[..] {
            [] => "none: every word points away".to_owned(),
            [one] => format!("ray of {}", WORDS[one]),
            [one, two, ..] => format!("cone of {} and {}", WORDS[one], WORDS[two]),
        }
    }

    /// Share of h's squared length that is explained, in percent.
    #[must_use]
    pub fn explained(&self) -> String {
        let share = self.nearest.share(self.h);
        share.map_or_else(
            || "h is zero".to_owned(),
            |s| format!("{} %", number(100.0 * s, 1)),
        )
    }

    /// The wedges (k = 2) that the words span, as far-reaching polygons from the origin; `of` says whose.
    #[must_use]
    pub fn wedges(&self) -> Vec<([usize; 2], [Point; 4])> {
        let far = |v: Point| v.normalize() * (4.0 * EXTENT);
        let wedge = |[i, j]: [usize; 2]| {
            let (a, b) = (far(self.vectors[i]), far(self.vectors[j]));
            ([i, j], [Point::zeros(), a, a + b, b])
        };
        pairs(self.vectors.len()).map(wedge).collect()
    }

    /// The parallelogram by which a pair adds up to its sum: two corners beside the sum.
    #[must_use]
    pub fn parts(&self, mix: &Mix) -> Vec<Point> {
        mix.of
            .iter()
            .zip(&mix.amounts)
            .map(|(i, a)| self.vectors[*i] * *a)
            .collect()
    }

    /// The scene in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let ways = match self.ways.len() {
            0 => "No pair of words gives h exactly.".to_owned(),
            1 => "One pair of words gives h exactly.".to_owned(),
            n => format!("{n} pairs of words give h exactly."),
        };
        format!(
            "With at most {} of the words the nearest point is {}, in the {}; {} of the squared length is explained, the residual has length {}. {ways}",
            self.settings.k,
            Self::formula(&self.nearest),
            self.cone(),
            self.explained(),
            small_or_zero(self.nearest.residual),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_leaves_a_residual_and_two_leave_none() {
        let one = Scene::of(Settings::default());
        assert_eq!(one.nearest.of.len(), 1);
        assert!(one.nearest.residual > 0.1 && one.cone().starts_with("ray"));
        let two = Scene::of(Settings {
            k: 2,
            ..Settings::default()
        });
        assert!(two.nearest.residual < 1e-12 && two.cone().starts_with("cone"));
        assert!(two.is_exact() && !one.is_exact());
        assert_eq!(
            (one.drawn(None).of.len(), one.drawn(Some(0)).of.len()),
            (1, 2)
        );
        assert_eq!(one.drawn(Some(99)), &one.nearest);
        assert_eq!(two.explained(), "100.0 %");
    }

    #[test]
    fn there_is_more_than_one_way() {
        let scene = Scene::of(Settings::default());
        assert!(scene.ways.len() >= 3, "{:?}", scene.ways);
        for way in &scene.ways {
            let parts = scene.parts(way);
            assert!((parts[0] + parts[1] - scene.h).norm() < 1e-12);
            assert!(Scene::formula(way).contains(" + "));
        }
    }

    #[test]
    fn behind_all_words_nothing_is_nearest() {
        let scene = Scene::of(
            Settings {
                k: 2,
                ..Settings::default()
            }
            .moved(Movable::Activation, [0.1, -1.0]),
        );
        assert_eq!(Scene::formula(&scene.nearest), "nothing");
        assert!(scene.ways.is_empty() && scene.summary().contains("No pair"));
        assert_eq!(scene.explained(), "0.0 %");
    }

    #[test]
    fn wedges_hold_what_they_span() {
        let scene = Scene::of(Settings::default());
        assert_eq!(scene.wedges().len(), 6);
        for ([i, j], corners) in scene.wedges() {
            let middle = scene.vectors[i].normalize() + scene.vectors[j].normalize();
            assert!(corners[2].perp(&middle).abs() < 1e-9, "{i} {j}");
        }
    }

    #[test]
    fn vectors_do_not_vanish() {
        let settings = Settings::default().moved(Movable::Vector(1), [0.0, 0.0]);
        assert_eq!(settings.vectors[1], [SHORTEST, 0.0]);
        let [x, y] = Settings::default()
            .moved(Movable::Vector(1), [0.01, -0.01])
            .vectors[1];
        assert!((x.hypot(y) - SHORTEST).abs() < 1e-12 && y < 0.0);
    }

    #[test]
    fn the_address_leads_back() {
        let settings = Settings {
            k: 2,
            ..Settings::default()
        }
        .moved(Movable::Vector(3), [0.5, -0.5]);
        assert_eq!(
            Settings::from_address(&settings.to_address()),
            Some(settings)
        );
        for nonsense in [
            "",
            "2",
            "3,0,0,1,1,1,1,1,1,1,1",
            "1,0,0",
            "1,0,0,1,1,1,1,1,1,1,NaN",
        ] {
            assert_eq!(Settings::from_address(nonsense), None, "{nonsense}");
        }
    }
}
