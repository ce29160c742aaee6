//! What the figure shows at one point of one curve, with one window of nudges. Plain values, no browser.

use crate::figures::numbers::{number, signed, small};
use geometry::{Curve, Gap, Ladder, Point};

/// The plot shows `-EXTENT ..= EXTENT`; three quarters of it upwards.
pub const EXTENT: f64 = 1.6;
/// Greatest height shown.
pub const TOP: f64 = 0.75 * EXTENT;
/// Smallest and largest window: how far a nudge goes to either side.
pub const WINDOW: [f64; 2] = [0.001, 0.64];
/// Where the window begins.
pub const HOME_WINDOW: f64 = 0.6;
/// Largest window of the chart, halved so many times.
const LADDER_TOP: f64 = 0.5;
const LADDER_STEPS: usize = 14;
/// Gaps below this are rounding.
const ROUNDING: f64 = 1e-14;

/// The curves, in the order shown: value, name on the switch, short name for addresses.
pub const CURVES: [(Curve, &str, &str); 4] = [
    (Curve::Wave, "wave", "wave"),
    (Curve::Bell, "bell", "bell"),
    (Curve::Cubic, "cubic", "cubic"),
    (Curve::Corner, "with a corner", "corner"),
];

/// What the reader has chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The curve.
    pub curve: Curve,
    /// The point.
    pub x: f64,
    /// How far nudges go to either side.
    pub window: f64,
}

/// Where the point begins.
#[must_use]
pub fn home(curve: Curve) -> f64 {
    match curve {
        Curve::Wave => 0.7,
        Curve::Bell => 0.3,
        Curve::Cubic => -0.7,
        Curve::Corner => 0.0,
    }
}

/// What is worth knowing about a curve.
#[must_use]
pub fn about(curve: Curve) -> &'static str {
    match curve {
        Curve::Wave => {
            "f(x) = 0.6 sin 2x. Where it bends most, at the tops, the gap is largest; it falls to a quarter all the same."
        }
        Curve::Bell => {
            "f(x) = 1.2 e^(−x²) − 0.5. On its flanks there are two places where it does not bend: there the gap falls even faster."
        }
        Curve::Cubic => {
            "f(x) = x³/3 − 0.8 x. At x = 0 it has no bend at all, and half the window leaves an eighth of the gap."
        }
        Curve::Corner => {
            "f(x) = max(x, 0) + x²/4 − 0.6, with the corner of a rectifier at 0. In the corner no straight line fits both sides: the gap only halves, and there is no derivative. Move the point away, and make the window so small that it does not reach the corner."
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::of(Curve::Wave)
    }
}

impl Settings {
    /// How a curve begins.
    #[must_use]
    pub fn of(curve: Curve) -> Self {
        Self {
            curve,
            x: home(curve),
            window: HOME_WINDOW,
        }
    }

    /// With another point, kept inside.
    #[must_use]
    pub fn at(self, x: f64) -> Self {
        Self {
            x: x.clamp(-EXTENT, EXTENT),
            ..self
        }
    }

    /// With another window, kept in its range.
    #[must_use]
    pub fn with_window(self, window: f64) -> Self {
        Self {
            window: window.clamp(WINDOW[0], WINDOW[1]),
            ..self
        }
    }

    /// On which side of the point the handle of the window stands: inwards, so that it never leaves the plot.
    fn side(self) -> f64 {
        if self.x > 0.6 * EXTENT { -1.0 } else { 1.0 }
    }

    /// Where the handle of the window stands.
    #[must_use]
    pub fn knob(self) -> f64 {
        self.x + self.side() * self.window
    }

    /// The window that the handle asks for at `x`.
    #[must_use]
    pub fn from_knob(self, x: f64) -> Self {
        self.with_window((x - self.x) * self.side())
    }

    /// `wave,0.5,0.6`
    #[must_use]
    pub fn to_address(self) -> String {
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let slug = CURVES
            .iter()
            .find(|(curve, ..)| *curve == self.curve)
            .map_or("", |(_, _, slug)| slug);
        format!("{slug},{},{}", round(self.x), round(self.window))
    }

    /// The reverse; `None` for text that is not such a state. Values outside their ranges are brought inside.
    #[must_use]
    pub fn from_address(text: &str) -> Option<Self> {
        let mut parts = text.split(',');
        let slug = parts.next()?;
        let (curve, ..) = *CURVES.iter().find(|(_, _, s)| *s == slug)?;
        let mut number = || parts.next()?.parse().ok().filter(|v: &f64| v.is_finite());
        let (x, window) = (number()?, number()?);
        Some(Self::of(curve).at(x).with_window(window))
    }
}

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// What was chosen.
    pub settings: Settings,
    /// `f(x)`.
    pub value: f64,
    /// `f'(x)`.
    pub slope: f64,
    /// Gap of the window, and of half of it.
    pub gaps: [f64; 2],
    /// Gaps over many windows.
    pub ladder: Ladder,
}

impl Scene {
    /// Computes it.
    #[must_use]
    pub fn of(settings: Settings) -> Self {
        let Settings { curve, x, window } = settings;
        Self {
            settings,
            value: curve.value(x),
            slope: curve.slope(x),
            gaps: [window, window / 2.0].map(|step| curve.gap(x, step).gap),
            ladder: curve.ladder(x, LADDER_TOP, LADDER_STEPS),
        }
    }

    /// Gap over gap at half the window; `None` where it is nothing but rounding.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let [whole, half] = self.gaps;
        (half > ROUNDING).then(|| whole / half)
    }

    /// Slope of the chart's dots below a tenth; `None` with fewer than three above rounding.
    #[must_use]
    pub fn chart_slope(&self) -> Option<f64> {
        let usable = |g: &Gap| g.half < 0.1 && g.gap > ROUNDING;
        let dots: Vec<Gap> = self.ladder.gaps.iter().copied().filter(usable).collect();
        (dots.len() > 2)
            .then(|| geometry::log_log_slope(&dots))
            .flatten()
    }

    /// Whether the window reaches over the corner of a curve that has one.
    #[must_use]
    pub fn has_corner(&self) -> bool {
        let Settings { curve, x, window } = self.settings;
        curve == Curve::Corner && x.abs() < window
    }

    /// What halving does here, in words.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match self.ratio() {
            None => "There is no gap: the curve is straight here.",
            Some(ratio) if self.has_corner() && ratio < 2.5 => {
                "About a half: a corner lies in the window, and no straight line fits both of its sides."
            }
            // Whatever the ratio happens to be.
            Some(_) if self.has_corner() => {
                "The corner lies in the window, and no straight line fits both of its sides: a ratio near four would be an accident here."
            }
            Some(ratio) if ratio > 6.0 => "Less than a quarter: the curve hardly bends here.",
            Some(_) => "About a quarter, as the square of the step promises.",
        }
    }

    /// Points of the curve from `from` to `to`.
    #[must_use]
    pub fn curve(&self, from: f64, to: f64) -> Vec<Point> {
        // An odd number of points, so that a corner in the middle is one of them.
        const POINTS: usize = 161;
        (0..POINTS)
            .map(|i| from + (to - from) * i as f64 / (POINTS - 1) as f64)
            .map(|x| Point::new(x, self.settings.curve.value(x)))
            .collect()
    }

    /// The tangent from `from` to `to`.
    #[must_use]
    pub fn tangent(&self, from: f64, to: f64) -> [Point; 2] {
        let Settings { curve, x, .. } = self.settings;
        [from, to].map(|end| Point::new(end, curve.tangent(x, end - x)))
    }

    /// From the tangent to the curve, at both ends of the window.
    #[must_use]
    pub fn gap_marks(&self) -> Vec<Vec<Point>> {
        let Settings { curve, x, window } = self.settings;
        let mark = |step: f64| {
            let end = x + step;
            vec![
                Point::new(end, curve.tangent(x, step)),
                Point::new(end, curve.value(end)),
            ]
        };
        vec![mark(-window), mark(window)]
    }

    /// The scene in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let ratio = self.ratio().map_or_else(String::new, |r| {
            format!(", {} times as much as for half of it", number(r, 2))
        });
        format!(
            "At x = {} the slope is {}. For nudges of {} the tangent is off by at most {}{ratio}. {}",
            number(self.settings.x, 2),
            signed(self.slope),
            number(self.settings.window, 3),
            small(self.gaps[0]),
            self.verdict()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_window_leaves_a_quarter_of_the_gap() {
        for (curve, x) in [
            (Curve::Wave, 0.5),
            (Curve::Bell, 0.1),
            (Curve::Cubic, -1.2),
            (Curve::Corner, 0.7),
        ] {
            let scene = Scene::of(Settings::of(curve).at(x).with_window(0.05));
            assert!(
                (scene.ratio().unwrap() - 4.0).abs() < 0.3,
                "{curve:?} {:?}",
                scene.ratio()
            );
            assert!(
                (scene.chart_slope().unwrap() - 2.0).abs() < 0.1,
                "{curve:?}"
            );
            assert!(scene.verdict().contains("quarter"));
        }
    }

    #[test]
    fn corners_and_straight_places_are_called_so() {
        let corner = Scene::of(Settings::of(Curve::Corner));
        assert!(
            corner.verdict().contains("corner")
                && (corner.chart_slope().unwrap() - 1.0).abs() < 0.05
        );
        let flat = Scene::of(Settings::of(Curve::Cubic).at(0.0));
        assert!(flat.verdict().contains("hardly") && (flat.ratio().unwrap() - 8.0).abs() < 1e-6);
    }

    #[test]
    fn a_corner_in_the_window_is_named_whatever_the_ratio() {
        for (x, window, ratio) in [(0.2, 0.64, 3.7), (-0.2, 0.64, 3.7), (0.3, 0.4, 14.0)] {
            let scene = Scene::of(Settings::of(Curve::Corner).at(x).with_window(window));
            assert!((scene.ratio().unwrap() - ratio).abs() < 0.1, "{x}");
            let said = scene.verdict();
            assert!(said.contains("corner lies in the window"), "{x}: {said}");
        }
        let beside = Scene::of(Settings::of(Curve::Corner).at(0.3).with_window(0.3));
        assert!(beside.verdict().contains("quarter"));
    }

    #[test]
    fn marks_are_as_long_as_the_gap() {
        let scene = Scene::of(Settings::default());
        let longest = scene
            .gap_marks()
            .iter()
            .map(|m| (m[0] - m[1]).norm())
            .fold(0.0, f64::max);
        assert!((longest - scene.gaps[0]).abs() < 1e-12);
    }

    #[test]
    fn the_knob_stays_inside_and_says_its_window() {
        for x in [-EXTENT, 0.0, 0.79, 0.97, EXTENT] {
            let settings = Settings::of(Curve::Bell).at(x).with_window(0.6);
            assert!(settings.knob().abs() <= EXTENT + 1e-12, "{settings:?}");
            assert!((settings.from_knob(settings.knob()).window - 0.6).abs() < 1e-12);
        }
        assert_eq!(Settings::default().from_knob(-9.0).window, WINDOW[0]);
    }

    #[test]
    fn the_address_leads_back() {
        let settings = Settings::of(Curve::Corner).at(-0.25).with_window(0.125);
        assert_eq!(settings.to_address(), "corner,-0.25,0.125");
        assert_eq!(Settings::from_address("corner,-0.25,0.125"), Some(settings));
        assert_eq!(
            Settings::from_address("wave,9,9").map(|s| (s.x, s.window)),
            Some((EXTENT, WINDOW[1]))
        );
        for nonsense in ["", "wave", "wave,1", "wave,NaN,1", "line,0,1"] {
            assert_eq!(Settings::from_address(nonsense), None, "{nonsense}");
        }
    }
}
