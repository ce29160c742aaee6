//! A running sum over the prompts of a fit, in the backend's own precision, that keeps what rounding takes from it.
//!
//! * `t = sum + x`; what `t` lacks of it, `(larger - t) + smaller` of `sum` and `x`, is added to `lost`; `sum = t`. The total is
//!   `sum + lost` (Neumaier 1974: Kahan's summation that also holds when a term is larger than the sum)
//!
//! A plain sum of n numbers in f32 is off by up to `n 2^-24` of their magnitudes, this one by two roundings whatever n: a fit of
//! thousands of prompts need not come back from a device that has no f64.

use super::real::Real;
use num_traits::Float;

/// Adds `scale x` to the sums; all of the same length.
pub fn add<S: Real>(x: &[S], scale: S, sum: &mut [S], lost: &mut [S]) {
    for ((&x, sum), lost) in x.iter().zip(sum).zip(lost) {
        let x = scale * x;
        let t = *sum + x;
        *lost += if Float::abs(*sum) >= Float::abs(x) {
            (*sum - t) + x
        } else {
            (x - t) + *sum
        };
        *sum = t;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::numbers;

    #[test]
    fn a_long_sum_is_right_to_the_last_bits() {
        let (mut plain, mut sum, mut lost, mut exact) = (0.0f32, [0.0f32], [0.0f32], 0.0f64);
        for x in numbers(1, 20_000) {
            let x = (1.0 + x) as f32;
            add(&[x], 1.0, &mut sum, &mut lost);
            plain += x;
            exact += f64::from(x);
        }
        let error = |x: f64| (x - exact).abs() / exact.abs();
        let kept = error(f64::from(sum[0]) + f64::from(lost[0]));
        assert!(kept < 1e-9, "{kept:e}");
        assert!(
            error(f64::from(plain)) > 100.0 * kept,
            "{:e}",
            error(f64::from(plain))
        );
    }

    #[test]
    fn a_term_may_be_larger_than_the_sum_and_scaled() {
        let (mut sum, mut lost) = ([1.0f32], [0.0f32]);
        for x in [1e8, 1.0, -1e8] {
            add(&[x], 2.0, &mut sum, &mut lost);
        }
        assert_eq!(sum[0] + lost[0], 3.0);
    }
}
