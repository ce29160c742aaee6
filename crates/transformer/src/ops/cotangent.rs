//! The two ends of a lens fit: seeding one-hot cotangents and averaging what comes back (reference estimator, lens.md).
//!
//! * seed: row r of `[R, N, D]` holds the basis vector `e_(first + r)` at every valid position and 0 elsewhere
//! * mean: `J[first + r, :] = mean over valid n of g[r, n, :]`

use super::real::{Real, axpy};

/// Fills `g` `[rows, n, d]`.
pub fn seed<S: Real>(first: usize, d: usize, valid: &[bool], g: &mut [S]) {
    g.fill(S::default());
    for (r, g) in g.chunks_exact_mut(valid.len() * d).enumerate() {
        for (g, _) in g.chunks_exact_mut(d).zip(valid).filter(|(_, v)| **v) {
            g[first + r] = S::one();
        }
    }
}

/// Writes rows `first..first + R` of `j` `[d, d]` from `g` `[R, n, d]`.
pub fn mean<S: Real>(first: usize, d: usize, valid: &[bool], g: &[S], j: &mut [S]) {
    let count = valid.iter().filter(|v| **v).count().max(1);
    let scale = S::one() / S::of(count as f64);
    for (r, g) in g.chunks_exact(valid.len() * d).enumerate() {
        let row = &mut j[(first + r) * d..][..d];
        row.fill(S::default());
        for (g, _) in g.chunks_exact(d).zip(valid).filter(|(_, v)| **v) {
            axpy(S::one(), g, row);
        }
        for x in row {
            *x *= scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_seeded_cotangents_is_the_identity() {
        let (d, valid) = (4, [false, true, true, false, true]);
        let mut j = vec![f64::NAN; d * d];
        for first in [0, 2] {
            let mut g = vec![f64::NAN; 2 * valid.len() * d];
            seed(first, d, &valid, &mut g);
            assert_eq!(g.iter().sum::<f64>(), 2.0 * 3.0);
            mean(first, d, &valid, &g, &mut j);
        }
        let identity = nalgebra::DMatrix::<f64>::identity(d, d);
        assert!(
            j.iter()
                .zip(identity.iter())
                .all(|(a, b)| (a - b).abs() < 1e-15)
        );
    }
}
