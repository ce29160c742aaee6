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
