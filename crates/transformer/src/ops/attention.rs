//! Causal attention with an optional sliding window and grouped queries.
//!
//! Rows of `qkv` `[N, (H + 2 KV) hd]` hold `[q | k | v]`; query head h uses key-value head `h / (H / KV)`. Position t looks back
//! over `s = t - j` for `j = 0 .. reach - 1`.
//!
//! * forward: `p[t,h,j] = softmax over j of (q_t . k_(t-j) / sqrt(hd))`, `out[t,h] = sum over j of p[t,h,j] v_(t-j)`
//! * VJP: with `dp_j = g . v_(t-j)` and `ds_j = p_j (dp_j - sum over i of p_i dp_i)`:
//!   `g_q = sum_j ds_j k_(t-j) / sqrt(hd)`, `g_k(t-j) += ds_j q_t / sqrt(hd)`, `g_v(t-j) += p_j g`
//!
//! The pattern p `[N, H, reach]` (band-packed: slot j is the key j positions back) is saved by the forward pass and shared by
//! the R rows of cotangents. [`Paths`] closes paths of the gradient for the estimator variants of lens.md.

use super::real::{Real, axpy, dot};
use num_traits::Float;

/// Sizes of one attention layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Tokens per sequence, T.
    pub seq: usize,
    /// Query heads.
    pub heads: usize,
    /// Key-value heads.
    pub kv_heads: usize,
    /// Width of a head.
    pub head_dim: usize,
    /// Positions in view, itself included.
    pub reach: usize,
}

impl Shape {
    /// Width of a `qkv` row.
    pub fn width(&self) -> usize {
        (self.heads + 2 * self.kv_heads) * self.head_dim
    }

    /// Width of an output row.
    pub fn out_width(&self) -> usize {
        self.heads * self.head_dim
    }

    /// Where the key and the value head of query head `h` begin in a row.
    fn kv_offsets(&self, h: usize) -> (usize, usize) {
        let group = h / (self.heads / self.kv_heads);
        let k = (self.heads + group) * self.head_dim;
        (k, k + self.kv_heads * self.head_dim)
    }
}

/// Which paths a cotangent may take back through attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paths {
    /// Through queries and keys (closed: the attention pattern is a constant, "frozen").
    pub pattern: bool,
    /// To keys and values of other positions (closed: only t' = t survives, "same position").
    pub others: bool,
}

impl Paths {
    /// The true gradient.
    pub const ALL: Self = Self {
        pattern: true,
        others: true,
    };
}

/// `out` `[n, H hd]` and the pattern `p` `[n, H, reach]` of `qkv` `[n, width]`.
pub fn forward<S: Real>(s: Shape, qkv: &[S], out: &mut [S], p: &mut [S]) {
    let (hd, w) = (s.head_dim, s.width());
    let scale = S::one() / Float::sqrt(S::of(hd as f64));
    out.fill(S::default());
    p.fill(S::default());
    for row in 0..qkv.len() / w {
        let seen = s.reach.min(row % s.seq + 1);
        for h in 0..s.heads {
            let (ko, vo) = s.kv_offsets(h);
            let q = &qkv[row * w + h * hd..][..hd];
            let p = &mut p[(row * s.heads + h) * s.reach..][..seen];
            for (j, p) in p.iter_mut().enumerate() {
                *p = scale * dot(q, &qkv[(row - j) * w + ko..][..hd]);
            }
            softmax(p);
            let out = &mut out[row * s.out_width() + h * hd..][..hd];
            for (j, &p) in p.iter().enumerate() {
                axpy(p, &qkv[(row - j) * w + vo..][..hd], out);
            }
        }
    }
}

/// Cotangents `gqkv` `[R n, width]` of `qkv` for cotangents `g` `[R n, H hd]` of the output.
#[inline(always)]
pub fn vjp<S: Real>(s: Shape, paths: Paths, qkv: &[S], p: &[S], g: &[S], gqkv: &mut [S]) {
    // Two common head widths as constants, so that a head's numbers stay in registers.
    match s.head_dim {
        24 => vjp_of_width(24, s, paths, qkv, p, g, gqkv),
        64 => vjp_of_width(64, s, paths, qkv, p, g, gqkv),
        hd => vjp_of_width(hd, s, paths, qkv, p, g, gqkv),
    }
}

#[inline(always)]
fn vjp_of_width<S: Real>(
    hd: usize,
    s: Shape,
    paths: Paths,
    qkv: &[S],
    p: &[S],
    g: &[S],
    gqkv: &mut [S],
) {
    let (w, ow) = (s.width(), s.out_width());
    let n = qkv.len() / w;
    let scale = S::one() / Float::sqrt(S::of(hd as f64));
    let mut ds = vec![S::default(); s.reach];
    gqkv.fill(S::default());
    for (g, gqkv) in g.chunks_exact(n * ow).zip(gqkv.chunks_exact_mut(n * w)) {
        for row in 0..n {
            let seen = s.reach.min(row % s.seq + 1);
            let reached = if paths.others { seen } else { 1 };
            for h in 0..s.heads {
                let (ko, vo) = s.kv_offsets(h);
                let p = &p[(row * s.heads + h) * s.reach..][..seen];
                let g = &g[row * ow + h * hd..][..hd];
                for (j, &p) in p[..reached].iter().enumerate() {
                    axpy(p, g, &mut gqkv[(row - j) * w + vo..][..hd]);
                }
                if !paths.pattern {
                    continue;
                }
                let ds = &mut ds[..seen];
                for (j, ds) in ds.iter_mut().enumerate() {
                    *ds = dot(g, &qkv[(row - j) * w + vo..][..hd]);
                }
                let mean = dot(ds, p);
                for (ds, &p) in ds.iter_mut().zip(p) {
                    *ds = scale * p * (*ds - mean);
                }
                let gq = &mut gqkv[row * w + h * hd..][..hd];
                for (j, &ds) in ds.iter().enumerate() {
                    axpy(ds, &qkv[(row - j) * w + ko..][..hd], gq);
                }
                let q = &qkv[row * w + h * hd..][..hd];
                for (j, &ds) in ds[..reached].iter().enumerate() {
                    axpy(ds, q, &mut gqkv[(row - j) * w + ko..][..hd]);
                }
            }
        }
    }
}

/// In place, shifted by the maximum.
fn softmax<S: Real>(x: &mut [S]) {
    let top = x.iter().copied().fold(S::neg_infinity(), Float::max);
    let mut sum = S::default();
    for x in x.iter_mut() {
        *x = Float::exp(*x - top);
        sum += *x;
    }
    for x in x {
        *x /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Fast, Kernels};
    use crate::testing::{check_vjp, error, numbers, to};
    use proptest::prelude::*;

    fn run(s: Shape, qkv: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = qkv.len() / s.width();
        let (mut out, mut p) = (
            vec![0.0; n * s.out_width()],
            vec![0.0; n * s.heads * s.reach],
        );
        forward(s, qkv, &mut out, &mut p);
        (out, p)
    }

    fn shape(seq: usize, heads: usize, kv_heads: usize, head_dim: usize, reach: usize) -> Shape {
        Shape {
            seq,
            heads,
            kv_heads,
            head_dim,
            reach,
        }
    }

    #[test]
    fn vjp_matches_differences() {
        // full, windowed, grouped queries, one token; two sequences each
        for s in [
            shape(4, 2, 2, 3, 4),
            shape(5, 2, 2, 3, 2),
            shape(4, 4, 2, 3, 3),
            shape(1, 2, 1, 3, 1),
        ] {
            let n = 2 * s.seq;
            let (qkv, g) = (numbers(1, n * s.width()), numbers(2, n * s.out_width()));
            let p = run(s, &qkv).1;
            let mut gqkv = vec![0.0; qkv.len()];
            vjp(s, Paths::ALL, &qkv, &p, &g, &mut gqkv);
            check_vjp(|x| run(s, x).0, &qkv, &g, &gqkv);
        }
    }

    #[test]
    fn closed_paths_hold_parts_of_the_input_constant() {
        let s = shape(4, 2, 1, 3, 3);
        let (qkv, g) = (
            numbers(1, s.seq * s.width()),
            numbers(2, s.seq * s.out_width()),
        );
        let p = run(s, &qkv).1;
        let q_and_k = s.out_width() + s.head_dim;
        let mut frozen = vec![0.0; qkv.len()];
        vjp(
            s,
            Paths {
                pattern: false,
                others: true,
            },
            &qkv,
            &p,
            &g,
            &mut frozen,
        );
        // frozen: the output is linear in v with the pattern as constant coefficients
        let with_pattern = |x: &[f64]| {
            let mut mixed = qkv.clone();
            for (m, x) in mixed
                .chunks_exact_mut(s.width())
                .zip(x.chunks_exact(s.width()))
            {
                m[q_and_k..].copy_from_slice(&x[q_and_k..]);
            }
            run(s, &mixed).0
        };
        check_vjp(with_pattern, &qkv, &g, &frozen);
        // same position: position t's output moves, every other position's keys and values stay
        let mut same = vec![0.0; qkv.len()];
        vjp(
            s,
            Paths {
                pattern: true,
                others: false,
            },
            &qkv,
            &p,
            &g,
            &mut same,
        );
        let alone = |x: &[f64]| {
            let (w, ow) = (s.width(), s.out_width());
            let one = |t: usize| {
                let mut mixed = qkv.clone();
                mixed[t * w..(t + 1) * w].copy_from_slice(&x[t * w..(t + 1) * w]);
                run(s, &mixed).0[t * ow..(t + 1) * ow].to_vec()
            };
            (0..s.seq).flat_map(one).collect()
        };
        check_vjp(alone, &qkv, &g, &same);
    }

    #[test]
    fn nothing_comes_from_the_future_or_from_beyond_the_window() {
        let s = shape(6, 1, 1, 2, 3);
        let qkv = numbers(3, s.seq * s.width());
        let p = run(s, &qkv).1;
        let mut g = vec![0.0; s.seq * s.out_width()];
        g[4 * s.out_width()] = 1.0;
        let mut gqkv = vec![0.0; qkv.len()];
        vjp(s, Paths::ALL, &qkv, &p, &g, &mut gqkv);
        let touched = |t: usize| {
            gqkv[t * s.width()..(t + 1) * s.width()]
                .iter()
                .any(|&x| x != 0.0)
        };
        let rows: Vec<bool> = (0..s.seq).map(touched).collect();
        assert_eq!(rows, [false, false, true, true, true, false]);
    }

    proptest! {
        #[test]
        fn fast_agrees_with_plain(
            seq in 1usize..9, sequences in 1usize..3, rows in 1usize..3, kv in 1usize..3, group in 1usize..3,
            hd in 1usize..20, reach in 1usize..9, pattern: bool, others: bool, seed: u64,
        ) {
            let s = shape(seq, kv * group, kv, hd, reach.min(seq));
            let n = seq * sequences;
            let (qkv, g) = (numbers(seed, n * s.width()), numbers(seed ^ 1, rows * n * s.out_width()));
            let p = run(s, &qkv).1;
            let paths = Paths { pattern, others };
            let (mut a, mut b) = (vec![0.0; rows * qkv.len()], vec![f32::NAN; rows * qkv.len()]);
            vjp(s, paths, &qkv, &p, &g, &mut a);
            Fast::attention_vjp(s, paths, &to(&qkv), &to(&p), &to(&g), &mut b);
            prop_assert!(error(&b, &a, 1e-3) < 1e-4);
        }
    }
}
