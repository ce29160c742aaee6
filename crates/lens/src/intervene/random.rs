//! Control directions: random, but with the lengths and angles of the real ones.

use nalgebra::DMatrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use transformer::ops::real::Real;

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

fn generator(seed: u64, layer: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(layer as u64);
    rng
}

/// Random directions `[k, D]` with the Gram matrix of `like` `[k, D]` (k <= D): the same lengths and the same angles between
/// them. Seed and layer determine them.
///
/// With `like = L Q` (L `[k, k]` lower triangular, Q's rows orthonormal), the result is `L R` for random orthonormal rows R.
pub fn matched<S: Real>(like: &[S], d: usize, seed: u64, layer: usize) -> Vec<S> {
    let k = like.len() / d;
    let rows = DMatrix::from_fn(d, k, |i, n| like[n * d + i].wide());
    let lower = rows.qr().r(); // [k, k], upper triangular: like^T = Q R
    let mut rng = generator(seed, layer);
    let random = DMatrix::from_fn(d, k, |_, _| normal(&mut rng));
    let out = random.qr().q() * lower; // [D, k]
    let mut rows = Vec::with_capacity(like.len());
    for n in 0..k {
        rows.extend(out.column(n).iter().map(|&x| S::of(x)));
    }
    rows
}

/// `n` independent random directions `[n, D]` of unit length on average: a dictionary for the pursuit's control.
pub fn directions_like<S: Real>(n: usize, d: usize, seed: u64, layer: usize) -> Vec<S> {
    let (mut rng, scale) = (generator(seed, layer), 1.0 / (d as f64).sqrt());
    (0..n * d)
        .map(|_| S::of(scale * normal(&mut rng)))
        .collect()
}
