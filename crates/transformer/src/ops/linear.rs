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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Fast, Kernels};
    use crate::testing::{check_vjp, error, numbers, to};
    use proptest::prelude::*;

    #[test]
    fn vjp_and_grad_match_differences() {
        let (n, i, o) = (3, 5, 4);
        let (x, w, b, g) = (
            numbers(1, n * i),
            numbers(2, o * i),
            numbers(3, o),
            numbers(4, n * o),
        );
        let y = |x: &[f64], w: &[f64], b: &[f64]| {
            let mut y = vec![0.0; n * o];
            forward(x, w, Some(b), i, o, &mut y);
            y
        };
        let mut gx = vec![0.0; n * i];
        vjp(&g, &w, i, o, 0.0, &mut gx);
        check_vjp(|x| y(x, &w, &b), &x, &g, &gx);
        let (mut gw, mut gb) = (vec![0.0; o * i], vec![0.0; o]);
        grad(&x, &g, i, o, &mut gw, Some(&mut gb));
        check_vjp(|w| y(&x, w, &b), &w, &g, &gw);
        check_vjp(|b| y(&x, &w, b), &b, &g, &gb);
    }

    proptest! {
        #[test]
        fn fast_agrees_with_plain(n in 1usize..40, i in 1usize..70, o in 1usize..70, bias: bool, seed: u64) {
            let (x, w, b) = (numbers(seed, n * i), numbers(seed ^ 1, o * i), numbers(seed ^ 2, o));
            let g = numbers(seed ^ 3, n * o);
            let f = (to::<f32>(&x), to::<f32>(&w), to::<f32>(&b), to::<f32>(&g));
            let (mut y, mut yf) = (vec![0.0; n * o], vec![f32::NAN; n * o]);
            forward(&x, &w, bias.then_some(&b[..]), i, o, &mut y);
            Fast::linear(&f.0, &f.1, bias.then_some(&f.2[..]), i, o, &mut yf);
            prop_assert!(error(&yf, &y, 1.0) < 1e-5);
            for beta in [0.0, 1.0] {
                let (mut gx, mut gxf) = (x.clone(), f.0.clone());
                vjp(&g, &w, i, o, beta, &mut gx);
                Fast::linear_vjp(&f.3, &f.1, i, o, beta as f32, &mut gxf);
                prop_assert!(error(&gxf, &gx, 1.0) < 1e-5);
            }
            let (mut gw, mut gwf, mut gb, mut gbf) = (w.clone(), f.1.clone(), b.clone(), f.2.clone());
            grad(&x, &g, i, o, &mut gw, Some(&mut gb));
            Fast::linear_grad(&f.0, &f.3, i, o, &mut gwf, Some(&mut gbf));
            prop_assert!(error(&gwf, &gw, 1.0) < 1e-5 && error(&gbf, &gb, 1.0) < 1e-5);
        }
    }
}
