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
use num_traits::Float;

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
#[inline(always)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Fast, Kernels};
    use crate::testing::{check_vjp, error, numbers, to};
    use proptest::prelude::*;

    const D: usize = 6;
    const N: usize = 3;

    fn run(kind: NormKind, x: &[f64], gain: &[f64], bias: &[f64]) -> [Vec<f64>; 3] {
        let (mut y, mut xhat, mut r) = (
            vec![0.0; x.len()],
            vec![0.0; x.len()],
            vec![0.0; x.len() / gain.len()],
        );
        let bias = (kind == NormKind::Layer).then_some(bias);
        forward(kind, 1e-5, x, gain, bias, &mut y, &mut xhat, &mut r);
        [y, xhat, r]
    }

    #[test]
    fn vjp_and_grad_match_differences() {
        for kind in [NormKind::Rms, NormKind::Layer] {
            let (x, gain, bias, g) = (
                numbers(1, N * D),
                numbers(2, D),
                numbers(3, D),
                numbers(4, N * D),
            );
            let [_, xhat, r] = run(kind, &x, &gain, &bias);
            let mut gx = g.clone();
            vjp(kind, &gain, &xhat, &r, &mut gx);
            check_vjp(|x| run(kind, x, &gain, &bias)[0].clone(), &x, &g, &gx);
            let (mut ggain, mut gbias) = (vec![0.0; D], vec![0.0; D]);
            grad(&xhat, &g, &mut ggain, Some(&mut gbias));
            check_vjp(
                |gain| run(kind, &x, gain, &bias)[0].clone(),
                &gain,
                &g,
                &ggain,
            );
            if kind == NormKind::Layer {
                check_vjp(
                    |bias| run(kind, &x, &gain, bias)[0].clone(),
                    &bias,
                    &g,
                    &gbias,
                );
            }
        }
    }

    #[test]
    fn rows_of_cotangents_share_the_activations() {
        let (x, gain, g) = (numbers(1, N * D), numbers(2, D), numbers(4, 2 * N * D));
        let [_, xhat, r] = run(NormKind::Rms, &x, &gain, &[]);
        let mut both = g.clone();
        vjp(NormKind::Rms, &gain, &xhat, &r, &mut both);
        let mut second = g[N * D..].to_vec();
        vjp(NormKind::Rms, &gain, &xhat, &r, &mut second);
        assert_eq!(both[N * D..], second);
    }

    proptest! {
        #[test]
        fn fast_agrees_with_plain(n in 1usize..6, rows in 1usize..4, d in 2usize..70, layer: bool, seed: u64) {
            let kind = if layer { NormKind::Layer } else { NormKind::Rms };
            let (x, gain) = (numbers(seed, n * d), numbers(seed ^ 1, d));
            let [_, xhat, r] = run(kind, &x, &gain, &gain);
            let mut g = numbers(seed ^ 2, rows * n * d);
            let mut gf = to::<f32>(&g);
            vjp(kind, &gain, &xhat, &r, &mut g);
            Fast::norm_vjp(kind, &to(&gain), &to(&xhat), &to(&r), &mut gf);
            // The result is a difference of terms of size r: rounding is relative to them, not to what is left.
            let terms = r.iter().copied().fold(0.0, f64::max);
            prop_assert!(error(&gf, &g, terms) < 1e-5);
        }
    }
}
