//! Linear map with weights `w` `[O, I]` and an optional bias `b` `[O]`.
//!
//! * forward: `y = x w^T + b`, `[N, I] -> [N, O]`
//! * VJP in x: `g_x = g w`, `[N, O] -> [N, I]`
//! * VJP in the weights: `g_w = g^T x`, `g_b = sum over rows of g`
//!
//! Cotangents may have R times as many rows as the activations; in x the map is linear, so nothing of x is needed.

use super::real::{Real, axpy, dot};

/// `y = x w^T + b`; `x` `[n, i]`, `w` `[o, i]`, `y` `[n, o]`.
pub fn forward<S: Real>(x: &[S], w: &[S], bias: Option<&[S]>, i: usize, o: usize, y: &mut [S]) {
    for (x, y) in x.chunks_exact(i).zip(y.chunks_exact_mut(o)) {
        for (k, (y, w)) in y.iter_mut().zip(w.chunks_exact(i)).enumerate() {
            *y = dot(x, w) + bias.map_or(S::default(), |b| b[k]);
        }
    }
}

/// `gx = beta gx + g w`; `g` `[n, o]`, `gx` `[n, i]`. With `beta` = 0 the old content is ignored.
pub fn vjp<S: Real>(g: &[S], w: &[S], i: usize, o: usize, beta: S, gx: &mut [S]) {
    for (g, gx) in g.chunks_exact(o).zip(gx.chunks_exact_mut(i)) {
        if beta == S::default() {
            gx.fill(S::default());
        }
        for (&g, w) in g.iter().zip(w.chunks_exact(i)) {
            axpy(g, w, gx);
        }
    }
}

/// `gw += g^T x`, `gb += sum of g`; `gw` `[o, i]`.
pub fn grad<S: Real>(x: &[S], g: &[S], i: usize, o: usize, gw: &mut [S], gb: Option<&mut [S]>) {
    for (x, g) in x.chunks_exact(i).zip(g.chunks_exact(o)) {
        for (&g, gw) in g.iter().zip(gw.chunks_exact_mut(i)) {
            axpy(g, x, gw);
        }
    }
    if let Some(gb) = gb {
        for g in g.chunks_exact(o) {
            axpy(S::one(), g, gb);
        }
    }
}
