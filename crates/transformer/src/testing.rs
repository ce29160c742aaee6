//! Shared by the tests of this crate: reproducible numbers and central differences.

use crate::ops::real::Real;
use rand::Rng;
use rand::SeedableRng;

/// `n` numbers in [-1, 1), the same for the same seed.
pub fn numbers(seed: u64, n: usize) -> Vec<f64> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| rng.random_range(-1.0..1.0)).collect()
}

/// Rounds to another precision.
pub fn to<S: Real>(x: &[f64]) -> Vec<S> {
    x.iter().map(|&x| S::of(x)).collect()
}

/// Largest difference, relative to the largest magnitude of `b` (at least `floor`).
pub fn error<A: Real, B: Real>(a: &[A], b: &[B], floor: f64) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = b.iter().fold(floor, |s, &y| s.max(y.wide().abs()));
    a.iter()
        .zip(b)
        .fold(0.0f64, |e, (&x, &y)| e.max((x.wide() - y.wide()).abs()))
        / scale
}

/// Checks `vjp = g^T J` of `f` at `x` coordinate by coordinate against central differences, relative 1e-6.
pub fn check_vjp(f: impl Fn(&[f64]) -> Vec<f64>, x: &[f64], g: &[f64], vjp: &[f64]) {
    let step = 1e-5;
    let along = |i: usize, by: f64| {
        let mut x = x.to_vec();
        x[i] += by;
        f(&x).iter().zip(g).map(|(y, g)| y * g).sum::<f64>()
    };
    let numeric: Vec<f64> = (0..x.len())
        .map(|i| {
            let wide = (along(i, 2.0 * step) - along(i, -2.0 * step)) / (4.0 * step);
            let narrow = (along(i, step) - along(i, -step)) / (2.0 * step);
            (4.0 * narrow - wide) / 3.0 // Richardson: removes the error of second order
        })
        .collect();
    let e = error(vjp, &numeric, 1e-3);
    assert!(
        e < 1e-6,
        "relative error {e:e}\nvjp     {vjp:?}\nnumeric {numeric:?}"
    );
}
