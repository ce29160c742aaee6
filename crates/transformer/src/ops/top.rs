//! What a readout shows of a row of logits: the best k words, the normaliser, and the ranks of tracked words.
//!
//! For each row of `[N, V]` logits: k word ids (best first; ties by lower id), their k logits, `log sum exp` of the row, and for
//! each tracked word its 0-based rank (how many words beat it; a tie counts for the lower id) and its logit. Packed as
//! `[N, 2k + 1 + 2 tracked]`, so that only what is shown leaves the backend. Ids are exact in f32 up to 2^24 words.

use super::real::Real;
use num_traits::Float;

/// Width of a packed row.
pub fn width(k: usize, tracked: usize) -> usize {
    2 * k + 1 + 2 * tracked
}

/// Packs every row of `logits` `[n, v]` into `out`.
pub fn pack<S: Real>(logits: &[S], v: usize, k: usize, tracked: &[u32], out: &mut [S]) {
    let mut order: Vec<u32> = Vec::with_capacity(v);
    let rows = logits.chunks_exact(v);
    for (x, out) in rows.zip(out.chunks_exact_mut(width(k, tracked.len()))) {
        let before = |a: &u32, b: &u32| {
            let (xa, xb) = (x[*a as usize], x[*b as usize]);
            xb.partial_cmp(&xa)
                .unwrap_or(std::cmp::Ordering::Equal)
                .then(a.cmp(b))
        };
        order.clear();
        order.extend(0..v as u32);
        if k < v {
            order.select_nth_unstable_by(k, before);
        }
        order[..k].sort_unstable_by(before);
        for (i, &id) in order[..k].iter().enumerate() {
            out[i] = S::of(f64::from(id));
            out[k + i] = x[id as usize];
        }
        out[2 * k] = log_sum_exp(x);
        for (i, &w) in tracked.iter().enumerate() {
            let mine = x[w as usize];
            let better = |(j, &y): (usize, &S)| y > mine || (y == mine && j < w as usize);
            let rank = x.iter().enumerate().filter(|&p| better(p)).count();
            out[2 * k + 1 + 2 * i] = S::of(rank as f64);
            out[2 * k + 2 + 2 * i] = mine;
        }
    }
}

/// `log sum exp`, shifted by the maximum so that it cannot overflow.
pub fn log_sum_exp<S: Real>(x: &[S]) -> S {
    let top = x.iter().copied().fold(S::neg_infinity(), Float::max);
    let sum = x.iter().fold(S::default(), |s, &x| s + Float::exp(x - top));
    top + Float::ln(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_words_ties_normaliser_and_ranks() {
        let x = [1.0f64, 3.0, 3.0, -1.0, 2.0];
        let mut out = vec![0.0; width(3, 2)];
        pack(&x, 5, 3, &[2, 3], &mut out);
        assert_eq!(out[..3], [1.0, 2.0, 4.0]);
        assert_eq!(out[3..6], [3.0, 3.0, 2.0]);
        let lse = x.iter().map(|x| x.exp()).sum::<f64>().ln();
        assert!((out[6] - lse).abs() < 1e-12);
        assert_eq!(out[7..], [1.0, 3.0, 4.0, -1.0]);
    }

    #[test]
    fn large_logits_do_not_overflow() {
        assert!((log_sum_exp(&[1000.0f32, 1000.0]) - 1_000.693_1).abs() < 1e-3);
    }
}
