//! What the figure shows at one point with one nudge. Plain values, no browser.

use crate::figures::numbers::{number, signed, small};
use geometry::{Height, Point};

/// Half width of the map.
pub const EXTENT: f64 = 1.0;
/// Longest nudge in either coordinate.
pub const REACH: f64 = 0.8;
/// Longest arrow of the gradient on the map.
const LONGEST: f64 = 0.5 * EXTENT;
/// Gaps below this are rounding.
const ROUNDING: f64 = 1e-12;

/// The height maps, in the order shown: value, name on the switch, short name for addresses.
pub const MAPS: [(Height, &str, &str); 4] = [
    (Height::Hills, "two hills", "hills"),
    (Height::Saddle, "saddle", "saddle"),
    (Height::Waves, "waves", "waves"),
    (Height::Plane, "plane", "plane"),
];

/// What the reader has chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The map.
    pub map: Height,
    /// The point.
    pub p: [f64; 2],
    /// The nudge.
    pub nudge: [f64; 2],
}

impl Default for Settings {
    fn default() -> Self {
        Self::of(Height::Hills)
    }
}

impl Settings {
    /// How a map begins.
    #[must_use]
    pub fn of(map: Height) -> Self {
        let (p, nudge) = match map {
            Height::Hills => ([-0.1, -0.6], [0.1, 0.25]),
            Height::Saddle => ([0.35, 0.3], [0.3, 0.25]),
            Height::Waves => ([-0.25, 0.2], [0.35, -0.2]),
            Height::Plane => ([-0.4, 0.1], [0.6, 0.4]),
        };
        Self { map, p, nudge }
    }

    /// With another point; the nudge is carried along.
    #[must_use]
    pub fn at(self, p: [f64; 2]) -> Self {
        Self {
            p: p.map(|v| v.clamp(-EXTENT, EXTENT)),
            ..self
        }
    }

    /// With another nudge, kept in reach.
    #[must_use]
    pub fn nudged(self, nudge: [f64; 2]) -> Self {
        Self {
            nudge: nudge.map(|v| v.clamp(-REACH, REACH)),
            ..self
        }
    }

    /// Where the nudge ends.
    #[must_use]
    pub fn tip(self) -> [f64; 2] {
        [0, 1].map(|i| self.p[i] + self.nudge[i])
    }

    /// With the nudge that ends there.
    #[must_use]
    pub fn nudged_to(self, tip: [f64; 2]) -> Self {
        self.nudged([0, 1].map(|i| tip[i] - self.p[i]))
    }

    /// `hills,-0.1,-0.45,0.2,0.35`
    #[must_use]
    pub fn to_address(self) -> String {
        let slug = MAPS
            .iter()
            .find(|(map, ..)| *map == self.map)
            .map_or("", |(_, _, slug)| slug);
        let numbers = self.p.into_iter().chain(self.nudge);
        numbers.fold(slug.to_owned(), |text, v| {
            format!("{text},{}", (v * 1e4).round() / 1e4)
        })
    }

    /// The reverse; `None` for text that is not such a state. Values outside their ranges are brought inside.
    #[must_use]
    pub fn from_address(text: &str) -> Option<Self> {
        let mut parts = text.split(',');
        let slug = parts.next()?;
        let (map, ..) = *MAPS.iter().find(|(_, _, s)| *s == slug)?;
        let mut number = || parts.next()?.parse().ok().filter(|v: &f64| v.is_finite());
        let p = [number()?, number()?];
        Some(Self::of(map).at(p).nudged([number()?, number()?]))
    }
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// What was chosen.
    pub settings: Settings,
    /// `f(p)`.
    pub value: f64,
    /// The rates: partial derivatives at p.
    pub rates: [f64; 2],
    /// Rate times nudge, per coordinate.
    pub terms: [f64; 2],
    /// Their sum: the linear forecast of the change.
    pub linear: f64,
    /// `f(p + nudge) - f(p)`.
    pub exact: f64,
    /// `|exact - linear|` for half the nudge.
    pub gap_of_half: f64,
}

impl Scene {
    /// Computes it.
    #[must_use]
    pub fn of(settings: Settings) -> Self {
        let Settings { map, p, nudge } = settings;
        let (p, nudge) = (Point::from(p), Point::from(nudge));
        let (value, rates) = (map.value(p), map.gradient(p));
        let change = |nudge: Point| map.value(p + nudge) - value;
        let half = nudge / 2.0;
        Self {
            settings,
            value,
            rates: rates.into(),
            terms: rates.component_mul(&nudge).into(),
            linear: rates.dot(&nudge),
            exact: change(nudge),
            gap_of_half: (change(half) - rates.dot(&half)).abs(),
        }
    }

    /// `|exact - linear|`.
    #[must_use]
    pub fn gap(&self) -> f64 {
        (self.exact - self.linear).abs()
    }

    /// Gap over gap of half the nudge; `None` where it is nothing but rounding.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        (self.gap_of_half > ROUNDING).then(|| self.gap() / self.gap_of_half)
    }

    /// Tip of the gradient arrow on the map: the gradient shortened to a third, at most half the map's half width, so that it
    /// stays in sight.
    #[must_use]
    pub fn arrow_tip(&self) -> [f64; 2] {
        let gradient = Point::from(self.rates);
        let drawn = (gradient / 3.0).cap_magnitude(LONGEST);
        (Point::from(self.settings.p) + drawn).into()
    }

    /// What that arrow is, for the legend.
    #[must_use]
    pub fn arrow_name(&self) -> &'static str {
        if Point::from(self.rates).norm() / 3.0 > LONGEST {
            "gradient, shortened to fit"
        } else {
            "gradient, a third of its length"
        }
    }

    /// Angle between nudge and gradient in degrees; `None` if one of them is zero.
    #[must_use]
    pub fn angle(&self) -> Option<f64> {
        let (nudge, gradient) = (Point::from(self.settings.nudge), Point::from(self.rates));
        let lengths = nudge.norm() * gradient.norm();
        (lengths > 1e-9).then(|| (self.linear / lengths).clamp(-1.0, 1.0).acos().to_degrees())
    }

    /// What the nudge does, in words.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match self.angle() {
            None => "Nothing is nudged, or the ground is level.",
            Some(angle) if angle < 20.0 => {
                "The nudge goes nearly straight uphill: hardly another of its length is forecast to climb more."
            }
            Some(angle) if angle > 160.0 => "The nudge goes nearly straight downhill.",
            Some(angle) if (75.0..105.0).contains(&angle) => {
                "The nudge goes along the level line: the two terms nearly cancel."
            }
            Some(angle) if angle < 90.0 => "The nudge goes uphill, at an angle to the gradient.",
            Some(_) => "The nudge goes downhill, at an angle to the gradient.",
        }
    }

    /// The scene in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let [a, b] = self.terms.map(signed);
        format!(
            "At ({}, {}) the rates are {} and {}. The nudge is forecast to change the height by {a} plus {b}, together {}; exactly it changes by {}, a gap of {}. {}",
            number(self.settings.p[0], 2),
            number(self.settings.p[1], 2),
            number(self.rates[0], 2),
            number(self.rates[1], 2),
            signed(self.linear),
            signed(self.exact),
            small(self.gap()),
            self.verdict(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_add_up_to_the_forecast() {
        for (map, ..) in MAPS {
            let scene = Scene::of(Settings::of(map));
            assert!((scene.terms[0] + scene.terms[1] - scene.linear).abs() < 1e-15);
        }
    }

    #[test]
    fn half_the_nudge_leaves_a_quarter_of_the_gap_and_a_plane_has_none() {
        for (map, ..) in MAPS.into_iter().take(3) {
            let scene = Scene::of(Settings::of(map).nudged([0.02, 0.015]));
            assert!(
                (scene.ratio().unwrap() - 4.0).abs() < 0.2,
                "{map:?} {:?}",
                scene.ratio()
            );
        }
        let plane = Scene::of(Settings::of(Height::Plane));
        assert!(plane.gap() < 1e-15 && plane.ratio().is_none());
    }

    #[test]
    fn a_nudge_across_the_gradient_changes_little() {
        let start = Scene::of(Settings::of(Height::Saddle));
        let [a, b] = start.rates;
        let across = Scene::of(start.settings.nudged([-b * 0.1, a * 0.1]));
        assert!(across.linear.abs() < 1e-15 && (across.angle().unwrap() - 90.0).abs() < 1e-9);
        assert!(across.verdict().contains("level line"));
        let up = Scene::of(start.settings.nudged([a * 0.1, b * 0.1]));
        assert!(up.verdict().contains("uphill"));
        assert!(
            Scene::of(start.settings.nudged([0.0, 0.0]))
                .angle()
                .is_none()
        );
    }

    #[test]
    fn the_gradient_arrow_stays_in_sight() {
        for (map, ..) in MAPS {
            let scene = Scene::of(Settings::of(map));
            let drawn = Point::from(scene.arrow_tip()) - Point::from(scene.settings.p);
            assert!(
                drawn.norm() <= 0.5 + 1e-12 && drawn.norm() > 0.05,
                "{map:?} {drawn}"
            );
            assert!(drawn.perp(&Point::from(scene.rates)).abs() < 1e-12);
        }
    }

    #[test]
    fn an_arrow_that_was_cut_is_not_called_a_third() {
        let (mut cut, mut whole) = (0, 0);
        let places =
            (-10..=10).flat_map(|i| (-10..=10).map(move |j| [i, j].map(|v| f64::from(v) / 10.0)));
        for (p, (map, ..)) in places.flat_map(|p| MAPS.map(|map| (p, map))) {
            let scene = Scene::of(Settings::of(map).at(p));
            let drawn = Point::from(scene.arrow_tip()) - Point::from(scene.settings.p);
            let third = (drawn.norm() * 3.0 - Point::from(scene.rates).norm()).abs() < 1e-9;
            assert_eq!(
                scene.arrow_name().contains("a third"),
                third,
                "{map:?} {p:?}"
            );
            *(if third { &mut whole } else { &mut cut }) += 1;
        }
        assert!(cut > 0 && whole > 0, "{cut} {whole}");
    }

    #[test]
    fn nearly_uphill_is_not_the_steepest() {
        let start = Scene::of(Settings::of(Height::Saddle));
        let [a, b] = start.rates;
        let turned = Scene::of(
            start
                .settings
                .nudged([a * 0.1 - b * 0.03, b * 0.1 + a * 0.03]),
        );
        assert!((10.0..20.0).contains(&turned.angle().unwrap()));
        assert!(
            !turned.verdict().contains("no other"),
            "{}",
            turned.verdict()
        );
    }

    #[test]
    fn the_address_leads_back() {
        let settings = Settings::of(Height::Waves)
            .at([0.1, -0.2])
            .nudged([0.25, 0.0]);
        assert_eq!(settings.to_address(), "waves,0.1,-0.2,0.25,0");
        assert_eq!(
            Settings::from_address(&settings.to_address()),
            Some(settings)
        );
        let outside = Settings::from_address("hills,9,-9,9,-9").unwrap();
        assert_eq!((outside.p, outside.nudge), ([1.0, -1.0], [REACH, -REACH]));
        for nonsense in ["", "hills", "hills,1,2,3", "hills,1,2,3,NaN", "sea,0,0,0,0"] {
            assert_eq!(Settings::from_address(nonsense), None, "{nonsense}");
        }
    }
}
