//! Intervals and similarities.

/// 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// 95 % Wilson score interval of `hits` successes in `n` trials (Wilson 1927): honest near 0 and 1, where the usual interval
/// has width zero. Everything, `(0, 1)`, without a trial.
pub fn wilson(hits: u64, n: u64) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (n as f64, hits as f64 / n as f64);
    let z2 = Z * Z / n;
    let middle = p + z2 / 2.0;
    let half = (z2 * p * (1.0 - p) + z2 * z2 / 4.0).sqrt();
    let bound = |x: f64| (x / (1.0 + z2)).clamp(0.0, 1.0);
    (bound(middle - half), bound(middle + half))
}

/// Cosine of the angle between two vectors (or matrices read as vectors); 0 if one of them is zero.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (&a, &b) in a.iter().zip(b) {
        let (a, b) = (f64::from(a), f64::from(b));
        ab += a * b;
        aa += a * a;
        bb += b * b;
    }
    if aa == 0.0 || bb == 0.0 {
        return 0.0;
    }
    ab / (aa * bb).sqrt()
}

/// `|a - b| / |b|`; infinite if only b is zero.
pub fn relative_change(a: &[f32], b: &[f32]) -> f64 {
    let (mut diff, mut base) = (0.0, 0.0);
    for (&a, &b) in a.iter().zip(b) {
        let (a, b) = (f64::from(a), f64::from(b));
        diff += (a - b) * (a - b);
        base += b * b;
    }
    if diff == 0.0 {
        0.0
    } else {
        (diff / base).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_known_values() {
        // computed from the formula by hand: n = 10, p = 0.5 and p = 1
        let (low, high) = wilson(5, 10);
        assert!((low - 0.236_593).abs() < 1e-6 && (high - 0.763_407).abs() < 1e-6);
        let (low, high) = wilson(10, 10);
        assert!((low - 0.722_467).abs() < 1e-6 && (high - 1.0).abs() < 1e-12);
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(wilson(0, 10).0, 0.0);
    }

    #[test]
    fn similarities() {
        assert!((cosine(&[1.0, 0.0], &[1.0, 1.0]) - 0.5f64.sqrt()).abs() < 1e-12);
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 1.0]), 0.0);
        assert!((relative_change(&[1.0, 3.0], &[1.0, 1.0]) - 2f64.sqrt()).abs() < 1e-12);
        assert_eq!(relative_change(&[0.0], &[0.0]), 0.0);
    }
}
