//! One comparison's outcome.

use transformer::ops::real::Real;

/// How far one result is from the golden one.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What was compared.
    pub what: String,
    /// Largest difference: relative to the golden tensor's largest magnitude, or of log-probabilities (readouts). NaN and
    /// results of another length count as infinite.
    pub error: f64,
    /// Whether the same words came first, in the same order (readouts; true elsewhere).
    pub same_words: bool,
}

impl Finding {
    /// Of a tensor.
    pub(crate) fn of<S: Real>(what: String, got: &[S], golden: &[f32]) -> Self {
        Self {
            what,
            error: difference(got, golden),
            same_words: true,
        }
    }
}

/// Largest difference relative to the largest magnitude of the golden numbers; infinite for NaN and for unequal lengths.
#[must_use]
pub fn difference<S: Real>(got: &[S], golden: &[f32]) -> f64 {
    if got.len() != golden.len() {
        return f64::INFINITY;
    }
    let scale = golden
        .iter()
        .fold(1e-30f64, |m, g| m.max(f64::from(g.abs())));
    let differences = got
        .iter()
        .zip(golden)
        .map(|(&x, &g)| (x.wide() - f64::from(g)).abs() / scale);
    // f64::max would pass over a NaN
    differences.fold(
        0.0,
        |m, d| if d.is_nan() { f64::INFINITY } else { m.max(d) },
    )
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn differences_are_relative_and_nothing_passes_unseen() {
        assert!((difference(&[1.0f64, -3.0], &[1.0, -4.0]) - 0.25).abs() < 1e-12);
        assert_eq!(difference(&[f64::NAN, 1.0], &[0.0, 1.0]), f64::INFINITY);
        assert_eq!(difference(&[1.0f64], &[1.0, 1.0]), f64::INFINITY);
    }
}
