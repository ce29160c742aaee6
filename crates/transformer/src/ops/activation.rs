//! Feed-forward non-linearities, element by element.
//!
//! * ReLU `max(0, x)`; GELU `x Phi(x)`; GELU-tanh (Hendrycks & Gimpel 2016); SwiGLU `silu(gate) * up` (Shazeer 2020), whose
//!   input rows are `[gate | up]`, `[N, 2F] -> [N, F]`
//! * VJP: the forward pass saves the slope at every input, `[N, F]` (SwiGLU `[N, 2F]`: `up silu'(gate) | silu(gate)`);
//!   `g_x = g * slope`. R rows of cotangents share the slopes.

use super::real::Real;
use crate::config::Activation;
use num_traits::Float;

/// Width of the input for an output of width `f`.
pub fn input_width(kind: Activation, f: usize) -> usize {
    match kind {
        Activation::SwiGlu => 2 * f,
        _ => f,
    }
}

/// Value and slope of a one-input activation.
fn point<S: Real>(kind: Activation, x: S) -> (S, S) {
    let (half, one) = (S::of(0.5), S::one());
    match kind {
        Activation::Relu if x > S::default() => (x, one),
        Activation::Relu => (S::default(), S::default()),
        Activation::Gelu => {
            let cdf = half * (one + (x * S::of(std::f64::consts::FRAC_1_SQRT_2)).erf());
            let pdf = Float::exp(-half * x * x) * S::of(0.398_942_280_401_432_7);
            (x * cdf, cdf + x * pdf)
        }
        Activation::GeluTanh => {
            let (k, c) = (S::of(0.797_884_560_802_865_4), S::of(0.044_715));
            let t = Float::tanh(k * (x + c * x * x * x));
            let inner = k * (one + S::of(3.0) * c * x * x);
            let y = half * x * (one + t);
            (y, half * (one + t) + half * x * (one - t * t) * inner)
        }
        Activation::SwiGlu => {
            let s = one / (one + Float::exp(-x));
            (x * s, s + x * s * (one - s))
        }
    }
}

/// `y` `[n, f]` and `slope` (shape of `x`) of `x` `[n, input_width]`.
pub fn forward<S: Real>(kind: Activation, x: &[S], f: usize, y: &mut [S], slope: &mut [S]) {
    if kind == Activation::SwiGlu {
        let rows = x.chunks_exact(2 * f).zip(slope.chunks_exact_mut(2 * f));
        for ((x, slope), y) in rows.zip(y.chunks_exact_mut(f)) {
            for i in 0..f {
                let (silu, d) = point(kind, x[i]);
                y[i] = silu * x[f + i];
                slope[i] = d * x[f + i];
                slope[f + i] = silu;
            }
        }
    } else {
        for ((&x, y), slope) in x.iter().zip(y).zip(slope) {
            (*y, *slope) = point(kind, x);
        }
    }
}

/// `gx = g * slope` for one-input activations, in place on `g` `[R n, f]`.
#[inline(always)]
pub fn vjp<S: Real>(slope: &[S], g: &mut [S]) {
    for g in g.chunks_exact_mut(slope.len()) {
        for (g, &s) in g.iter_mut().zip(slope) {
            *g *= s;
        }
    }
}

/// The SwiGLU case, which widens: `g` `[R n, f]` to `gx` `[R n, 2 f]`.
pub fn vjp_gated<S: Real>(slope: &[S], g: &[S], f: usize, gx: &mut [S]) {
    let n = slope.len() / (2 * f);
    for (row, (g, gx)) in g
        .chunks_exact(f)
        .zip(gx.chunks_exact_mut(2 * f))
        .enumerate()
    {
        let slope = &slope[(row % n) * 2 * f..][..2 * f];
        for i in 0..f {
            gx[i] = g[i] * slope[i];
            gx[f + i] = g[i] * slope[f + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_vjp, numbers};

    #[test]
    fn vjp_matches_differences() {
        use Activation::{Gelu, GeluTanh, Relu, SwiGlu};
        let (n, f) = (2, 5);
        for kind in [Relu, Gelu, GeluTanh, SwiGlu] {
            let x: Vec<f64> = numbers(7, n * input_width(kind, f))
                .iter()
                .map(|x| 3.0 * x)
                .collect();
            let g = numbers(8, n * f);
            let run = |x: &[f64]| {
                let (mut y, mut slope) = (vec![0.0; n * f], vec![0.0; x.len()]);
                forward(kind, x, f, &mut y, &mut slope);
                (y, slope)
            };
            let slope = run(&x).1;
            let mut gx = g.clone();
            if kind == SwiGlu {
                gx = vec![0.0; x.len()];
                vjp_gated(&slope, &g, f, &mut gx);
            } else {
                vjp(&slope, &mut gx);
            }
            check_vjp(|x| run(x).0, &x, &g, &gx);
        }
    }

    #[test]
    fn the_two_gelus_are_close_but_not_the_same() {
        let at = |kind| point(kind, 1.3f64).0;
        let difference = (at(Activation::Gelu) - at(Activation::GeluTanh)).abs();
        assert!(difference > 1e-6 && difference < 1e-3);
    }
}
