//! The machine's own speed at the one thing that a fit is made of: products of large square matrices by the same library
//! (matrixmultiply, through nalgebra).

use nalgebra::DMatrix;
use std::time::Instant;

/// Rows and columns: the three matrices exceed the second-level cache, and the product runs at its best speed.
const SIZE: usize = 768;
/// Products per timing.
const PRODUCTS: usize = 4;

/// The matrices of each thread.
pub struct Peak {
    threads: Vec<[DMatrix<f32>; 3]>,
}

impl Peak {
    /// For so many threads at once.
    pub fn new(threads: usize) -> Self {
        let number = |i, j| ((i * 31 + j * 17) % 61) as f32 / 61.0 - 0.5;
        let square = || DMatrix::from_fn(SIZE, SIZE, number);
        let all = (0..threads).map(|_| [square(), square(), square()]);
        Self {
            threads: all.collect(),
        }
    }

    /// GFLOP/s of all threads together, once.
    pub fn measure(&mut self) -> f64 {
        let flops = 2.0 * (SIZE as f64).powi(3) * PRODUCTS as f64 * self.threads.len() as f64;
        let began = Instant::now();
        std::thread::scope(|scope| {
            for [a, b, c] in &mut self.threads {
                scope.spawn(move || {
                    for _ in 0..PRODUCTS {
                        c.gemm(1.0, a, b, 0.0);
                    }
                    std::hint::black_box(&c);
                });
            }
        });
        flops / began.elapsed().as_secs_f64() / 1e9
    }
}
