//! Shares with their uncertainty.

use serde::Serialize;

/// z of a two-sided 95 % interval.
const Z: f64 = 1.959_963_984_540_054;

/// Successes out of trials that were made on `prompts` different prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Successes.
    pub hits: usize,
    /// Trials.
    pub trials: usize,
    /// Different prompts among the trials. Trials on one prompt are alike, so the interval counts prompts.
    pub prompts: usize,
}

impl Share {
    /// One trial per prompt.
    #[must_use]
    pub fn of(hits: usize, trials: usize) -> Self {
        Self {
            hits,
            trials,
            prompts: trials,
        }
    }

    /// Successes per trial; 0 without trials.
    #[must_use]
    pub fn value(self) -> f64 {
        self.hits as f64 / self.trials.max(1) as f64
    }

    /// Wilson's 95 % interval (Wilson 1927) at this share and as many independent trials as there are prompts.
    #[must_use]
    pub fn interval(self) -> (f64, f64) {
        wilson(self.value(), self.prompts)
    }
}

/// Wilson's 95 % score interval for a share `p` of `n` independent trials.
#[must_use]
pub fn wilson(p: f64, n: usize) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let n = n as f64;
    let centre = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (
        ((centre - half) / scale).max(0.0),
        ((centre + half) / scale).min(1.0),
    )
}

/// Interval of the difference of two independent shares (Newcombe 1998, from the two Wilson intervals).
#[must_use]
pub fn difference(a: Share, b: Share) -> (f64, f64) {
    let ((la, ua), (lb, ub)) = (a.interval(), b.interval());
    let (p, q) = (a.value(), b.value());
    let low = p - q - ((p - la).powi(2) + (ub - q).powi(2)).sqrt();
    let high = p - q + ((ua - p).powi(2) + (q - lb).powi(2)).sqrt();
    (low.max(-1.0), high.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 81 of 263, the worked example of Newcombe (1998): .2553 to .3662.
    #[test]
    fn wilson_matches_the_literature() {
        let (low, high) = Share::of(81, 263).interval();
        assert!(
            (low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5,
            "{low} {high}"
        );
    }

    /// 56 of 70 against 48 of 80, method 10 of Newcombe (1998): .0524 to .3339.
    #[test]
    fn difference_matches_the_literature() {
        let (low, high) = difference(Share::of(56, 70), Share::of(48, 80));
        assert!(
            (low - 0.0524).abs() < 5e-5 && (high - 0.3339).abs() < 5e-5,
            "{low} {high}"
        );
    }

    #[test]
    fn repeated_trials_do_not_narrow_the_interval() {
        let many = Share {
            hits: 300,
            trials: 400,
            prompts: 100,
        };
        assert_eq!(many.interval(), Share::of(75, 100).interval());
        assert_eq!(wilson(0.0, 0), (0.0, 1.0));
    }
}
