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

/// Numbers that the helpers below take at a time: rows here are short (a head has 24), so a longer unrolled body would leave most
/// of a row to the scalar remainder.
const LANES: usize = 8;

/// `<a, b>`, in eight partial sums so that the compiler can use vector instructions.
#[inline(always)]
pub fn dot<S: Real>(a: &[S], b: &[S]) -> S {
    let mut lanes = [S::default(); LANES];
    let ((ca, ra), (cb, rb)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (x, y) in ca.iter().zip(cb) {
        for i in 0..LANES {
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
#[inline(always)]
pub fn axpy<S: Real>(a: S, x: &[S], y: &mut [S]) {
    let ((cx, rx), (cy, ry)) = (x.as_chunks::<LANES>(), y.as_chunks_mut::<LANES>());
    for (x, y) in cx.iter().zip(cy) {
        let mut sum = *y; // by value: the compiler cannot know that x and y do not overlap
        for (sum, &x) in sum.iter_mut().zip(x) {
            *sum += a * x;
        }
        *y = sum;
    }
    for (&x, y) in rx.iter().zip(ry) {
        *y += a * x;
    }
}
