//! Curves `y = f(x)` with exact slopes, and how far a tangent is from them.

use crate::gap::{Gap, Ladder, halvings};

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// `0.6 sin 2x`
    Wave,
    /// `1.2 exp(-x^2) - 0.5`
    Bell,
    /// `x^3/3 - 0.8 x`
    Cubic,
    /// `max(x, 0) + x^2/4 - 0.6`: smooth but for a corner at 0, where no straight line fits both sides.
    Corner,
}

impl Curve {
    /// `f(x)`.
    #[must_use]
    pub fn value(self, x: f64) -> f64 {
        match self {
            Self::Wave => 0.6 * (2.0 * x).sin(),
            Self::Bell => 1.2 * (-x * x).exp() - 0.5,
            Self::Cubic => x * x * x / 3.0 - 0.8 * x,
            Self::Corner => x.max(0.0) + x * x / 4.0 - 0.6,
        }
    }

    /// `f'(x)`; at the corner the slope of its left side, which is what rectifiers take for their derivative at 0.
    #[must_use]
    pub fn slope(self, x: f64) -> f64 {
        match self {
            Self::Wave => 1.2 * (2.0 * x).cos(),
            Self::Bell => -2.4 * x * (-x * x).exp(),
            Self::Cubic => x * x - 0.8,
            Self::Corner => f64::from(u8::from(x > 0.0)) + x / 2.0,
        }
    }

    /// The tangent at `x`, a step further: `f(x) + f'(x) step`.
    #[must_use]
    pub fn tangent(self, x: f64, step: f64) -> f64 {
        self.value(x) + self.slope(x) * step
    }

    /// `|f(x + step) - f(x) - f'(x) step|`, the larger of the two for steps to the right and to the left.
    #[must_use]
    pub fn gap(self, x: f64, step: f64) -> Gap {
        let off = |step: f64| (self.value(x + step) - self.tangent(x, step)).abs();
        Gap {
            half: step,
            gap: off(step).max(off(-step)),
        }
    }

    /// Gaps at `largest, largest/2, ...`, `steps` of them.
    #[must_use]
    pub fn ladder(self, x: f64, largest: f64, steps: usize) -> Ladder {
        Ladder {
            gaps: halvings(largest, steps)
                .map(|step| self.gap(x, step))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Curve; 4] = [Curve::Wave, Curve::Bell, Curve::Cubic, Curve::Corner];

    proptest! {
        #[test]
        fn slopes_are_limits_of_differences(x in -1.6..1.6f64) {
            prop_assume!(x.abs() > 1e-3);
            for curve in ALL {
                let step = 1e-5;
                let quotient = (curve.value(x + step) - curve.value(x - step)) / (2.0 * step);
                prop_assert!((quotient - curve.slope(x)).abs() < 1e-8, "{curve:?} at {x}");
            }
        }
    }

    #[test]
    fn halving_the_step_leaves_a_quarter_where_the_curve_bends() {
        for curve in ALL {
            let ladder = curve.ladder(0.6, 0.05, 8);
            let slope = ladder.slope_above(0.0).unwrap();
            let ratio = ladder.ratios().last().copied().flatten().unwrap();
            assert!((slope - 2.0).abs() < 0.05, "{curve:?}: slope {slope}");
            assert!((ratio - 4.0).abs() < 0.05, "{curve:?}: ratio {ratio}");
        }
    }

    #[test]
    fn at_a_corner_it_leaves_a_half() {
        let ladder = Curve::Corner.ladder(0.0, 0.01, 6);
        let ratio = ladder.ratios().last().copied().flatten().unwrap();
        assert!((ratio - 2.0).abs() < 0.01, "ratio {ratio}");
    }

    #[test]
    fn without_a_bend_it_leaves_an_eighth() {
        let ladder = Curve::Cubic.ladder(0.0, 0.5, 6);
        assert!(
            ladder
                .ratios()
                .iter()
                .all(|r| (r.unwrap() - 8.0).abs() < 1e-6)
        );
    }
}
