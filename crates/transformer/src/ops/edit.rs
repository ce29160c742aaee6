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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{error, numbers};

    #[test]
    fn an_edit_is_the_matrix_formula_where_it_is_on() {
        let (n, d, k) = (3, 5, 2);
        let (v, p, m, c) = (
            numbers(1, k * d),
            numbers(2, k * d),
            numbers(3, k * k),
            numbers(4, n * k),
        );
        let (h, on) = (numbers(5, n * d), [true, false, true]);
        let mut got = h.clone();
        apply(&v, &p, &m, &c, &on, d, &mut got);
        let rows = |x: &[f64], r| nalgebra::DMatrix::from_row_slice(r, x.len() / r, x);
        let (v, p, m, c, h) = (
            rows(&v, k),
            rows(&p, k),
            rows(&m, k),
            rows(&c, n),
            rows(&h, n),
        );
        for (i, &on) in on.iter().enumerate() {
            let x = h.row(i).transpose();
            let edited = &x + v.transpose() * (&m * (&p * &x) + c.row(i).transpose());
            let want = if on { edited } else { x };
            assert!(error(&got[i * d..(i + 1) * d], want.as_slice(), 1.0) < 1e-12);
        }
    }
}
