//! A low-rank affine edit of the residual stream: every intervention of the guide is one of these.
//!
//! For each position n that is switched on: `h += sum_j v_j (sum_i m[j,i] <p_i, h> + c[n,j])`, i.e. `h += V (M P h + c_n)`,
//! with V's columns `v_j` and P's rows `p_i`, both stored `[k, D]`, M `[k, k]`, c `[N, k]`.
//!
//! * steering: k = 1, M = 0, c = strength; ablation: P = V+, M = -I, c = 0
//! * coordinate swap (live): P = V+, M = swap - I; clamped to the clean pass: M = -I, c = swapped clean coordinates

use super::real::{Real, axpy, dot};

/// Edits the rows of `h` `[n, d]` for which `on` is true.
pub fn apply<S: Real>(v: &[S], p: &[S], m: &[S], c: &[S], on: &[bool], d: usize, h: &mut [S]) {
    let k = v.len() / d;
    let mut now = vec![S::default(); k];
    for (n, h) in h.chunks_exact_mut(d).enumerate().filter(|(n, _)| on[*n]) {
        for (now, p) in now.iter_mut().zip(p.chunks_exact(d)) {
            *now = dot(p, h);
        }
        for (j, v) in v.chunks_exact(d).enumerate() {
            axpy(dot(&m[j * k..(j + 1) * k], &now) + c[n * k + j], v, h);
        }
    }
}
