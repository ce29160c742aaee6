//! RMSNorm (Zhang & Sennrich 2019) and LayerNorm (Ba et al. 2016) over the last axis.
//!
//! * forward: `r = 1 / sqrt(mean((x - m)^2) + eps)`, `xhat = (x - m) r`, `y = gain * xhat + bias`;
//!   RMSNorm has m = 0 and no bias, LayerNorm m = mean(x).
//! * VJP in x: with `u = gain * g`: `g_x = r (u - xhat mean(u * xhat) - [LayerNorm] mean(u))`
//! * VJP in the parameters: `g_gain = sum over rows of g * xhat`, `g_bias = sum over rows of g`
//!
//! `xhat` `[N, D]` and `r` `[N]` are saved by the forward pass; R rows of cotangents share them.

use super::real::{Real, dot};
use crate::config::NormKind;

/// Normalises the rows of `x` `[n, d]` into `y`, saving `xhat` `[n, d]` and `r` `[n]`.
#[allow(clippy::too_many_arguments)]
pub fn forward<S: Real>(
    kind: NormKind,
    eps: S,
    x: &[S],
    gain: &[S],
    bias: Option<&[S]>,
    y: &mut [S],
    xhat: &mut [S],
    r: &mut [S],
) {
    let d = gain.len();
    let inv_d = S::one() / S::of(d as f64);
    for (n, x) in x.chunks_exact(d).enumerate() {
        let (y, xhat) = (&mut y[n * d..(n + 1) * d], &mut xhat[n * d..(n + 1) * d]);
        let mean = match kind {
            NormKind::Rms => S::default(),
            NormKind::Layer => x.iter().copied().fold(S::default(), |a, b| a + b) * inv_d,
        };
        for (h, &x) in xhat.iter_mut().zip(x) {
            *h = x - mean;
        }
        r[n] = S::one() / Float::sqrt(dot(xhat, xhat) * inv_d + eps);
        for i in 0..d {
            xhat[i] *= r[n];
            y[i] = xhat[i] * gain[i] + bias.map_or(S::default(), |b| b[i]);
        }
    }
}

/// Replaces the cotangents `g` `[R n, d]` of y by those of x.
pub fn vjp<S: Real>(kind: NormKind, gain: &[S], xhat: &[S], r: &[S], g: &mut [S]) {
    let d = gain.len();
    let inv_d = S::one() / S::of(d as f64);
    for (row, g) in g.chunks_exact_mut(d).enumerate() {
        let n = row % r.len();
        let xhat = &xhat[n * d..(n + 1) * d];
        for (g, &w) in g.iter_mut().zip(gain) {
            *g *= w;
        }
        let along = dot(g, xhat) * inv_d;
        let mean = match kind {
            NormKind::Rms => S::default(),
            NormKind::Layer => g.iter().copied().fold(S::default(), |a, b| a + b) * inv_d,
        };
        let r = r[n];
        for (g, &h) in g.iter_mut().zip(xhat) {
            *g = r * (*g - h * along - mean);
        }
    }
}

/// Adds the gradients of gain and bias for cotangents `g` `[n, d]` of y.
pub fn grad<S: Real>(xhat: &[S], g: &[S], ggain: &mut [S], gbias: Option<&mut [S]>) {
    let d = ggain.len();
    for (g, h) in g.chunks_exact(d).zip(xhat.chunks_exact(d)) {
        for i in 0..d {
            ggain[i] += g[i] * h[i];
        }
    }
    if let Some(gbias) = gbias {
        for g in g.chunks_exact(d) {
            for (b, &g) in gbias.iter_mut().zip(g) {
                *b += g;
            }
        }
    }
}

use num_traits::Float;
