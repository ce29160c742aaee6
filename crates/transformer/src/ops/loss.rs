//! Next-token cross-entropy, for training.
//!
//! * forward: `mean over n of (log sum exp(logits[n]) - logits[n, target[n]])`
//! * VJP: `g[n] = (softmax(logits[n]) - onehot(target[n])) / N`

use super::real::Real;
use super::top::log_sum_exp;
use num_traits::Float;

/// Sum of the losses over the rows of `logits` `[n, v]`, which are replaced by `scale` times their gradients.
pub fn cross_entropy<S: Real>(logits: &mut [S], targets: &[u32], v: usize, scale: S) -> f64 {
    let mut total = 0.0;
    for (x, &target) in logits.chunks_exact_mut(v).zip(targets) {
        let lse = log_sum_exp(x);
        total += (lse - x[target as usize]).wide();
        for x in x.iter_mut() {
            *x = scale * Float::exp(*x - lse);
        }
        x[target as usize] -= scale;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_vjp, numbers};

    #[test]
    fn gradient_matches_differences() {
        let (v, targets) = (5, [3, 0]);
        let x = numbers(1, 2 * v);
        let loss = |x: &[f64]| vec![0.5 * cross_entropy(&mut x.to_vec(), &targets, v, 1.0)];
        let mut g = x.clone();
        cross_entropy(&mut g, &targets, v, 0.5);
        check_vjp(loss, &x, &[1.0], &g);
    }
}
