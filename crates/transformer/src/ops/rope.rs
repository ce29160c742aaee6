//! Rotary position embedding (Su et al. 2021), in place on the query and key heads.
//!
//! * forward: each pair `(a, b) = (x[i], x[i + rotary/2])` of a head at position t becomes
//!   `(a cos - b sin, a sin + b cos)` with angle `t base^(-2 i / rotary)`
//! * VJP: a rotation is orthogonal, so the cotangent turns back: the same with `-sin`
//!
//! Rows hold `[q heads | k heads | v heads]`; the first `heads` heads turn, the rest is left alone.

use super::real::Real;

/// `[context, rotary]`: for each position the cosines of its `rotary/2` angles, then their sines.
pub fn table(context: usize, rotary: usize, base: f64) -> Vec<f64> {
    let half = rotary / 2;
    let mut out = Vec::with_capacity(context * rotary);
    for t in 0..context {
        let angle = |i: usize| t as f64 * base.powf(-2.0 * i as f64 / rotary as f64);
        out.extend((0..half).map(|i| angle(i).cos()));
        out.extend((0..half).map(|i| angle(i).sin()));
    }
    out
}

/// Turns `heads` heads of width `head_dim` in every row of `x` `[R B T, width]`, backwards for a VJP.
#[allow(clippy::too_many_arguments)]
pub fn rotate<S: Real>(
    x: &mut [S],
    width: usize,
    seq: usize,
    heads: usize,
    head_dim: usize,
    table: &[S],
    rotary: usize,
    backwards: bool,
) {
    let half = rotary / 2;
    for (row, x) in x.chunks_exact_mut(width).enumerate() {
        let t = row % seq;
        let (cos, sin) = table[t * rotary..(t + 1) * rotary].split_at(half);
        for head in x.chunks_exact_mut(head_dim).take(heads) {
            let (a, b) = head[..rotary].split_at_mut(half);
            for i in 0..half {
                let (c, s) = (cos[i], if backwards { -sin[i] } else { sin[i] });
                (a[i], b[i]) = (a[i] * c - b[i] * s, a[i] * s + b[i] * c);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_vjp, error, numbers};

    #[test]
    fn vjp_matches_differences_and_undoes_the_turn() {
        let (seq, heads, hd, rotary, width) = (3, 2, 6, 4, 18);
        let table = table(seq, rotary, 100.0);
        let turn = |x: &[f64], backwards| {
            let mut x = x.to_vec();
            rotate(&mut x, width, seq, heads, hd, &table, rotary, backwards);
            x
        };
        let (x, g) = (numbers(1, seq * width), numbers(2, seq * width));
        check_vjp(|x| turn(x, false), &x, &g, &turn(&g, true));
        assert!(error(&turn(&turn(&x, false), true), &x, 1.0) < 1e-12);
        assert_eq!(
            turn(&x, false)[12..18],
            x[12..18],
            "the last head does not turn"
        );
        assert_eq!(turn(&x, false)[..18], x[..18], "position 0 has angle 0");
    }
}
