//! The scalars that the host backends compute with.

use nalgebra::RealField;
use num_traits::Float;

/// `f32` for work, `f64` for tests and goldens.
pub trait Real: Float + RealField + Default + Send + Sync + 'static {
    /// Rounds from f64.
    fn of(x: f64) -> Self;
    /// Widens to f64.
    fn wide(self) -> f64;
    /// The error function.
    fn erf(self) -> Self;
}

impl Real for f32 {
    fn of(x: f64) -> Self {
        x as f32
    }
    fn wide(self) -> f64 {
        f64::from(self)
    }
    fn erf(self) -> Self {
        libm::erff(self)
    }
}

impl Real for f64 {
    fn of(x: f64) -> Self {
        x
    }
    fn wide(self) -> f64 {
        self
    }
    fn erf(self) -> Self {
        libm::erf(self)
    }
}

/// `<a, b>`, in eight partial sums so that the compiler can use vector instructions.
#[inline]
pub fn dot<S: Real>(a: &[S], b: &[S]) -> S {
    let mut lanes = [S::default(); 8];
    let (ca, cb) = (a.chunks_exact(8), b.chunks_exact(8));
    let (ra, rb) = (ca.remainder(), cb.remainder());
    for (x, y) in ca.zip(cb) {
        for i in 0..8 {
            lanes[i] += x[i] * y[i];
        }
    }
    let mut tail = S::default();
    for (&x, &y) in ra.iter().zip(rb) {
        tail += x * y;
    }
    ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5]))
        + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]))
        + tail
}

/// `y += a x`.
#[inline]
pub fn axpy<S: Real>(a: S, x: &[S], y: &mut [S]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}
