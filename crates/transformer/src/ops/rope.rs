//! Rotary position embedding (Su et al. 2021), in place on the query and key heads.
//!
//! * forward: each pair `(a, b) = (x[i], x[i + rotary/2])` of a head at position t becomes
//!   `(a cos - b sin, a sin + b cos)` with angle `t base^(-2 i / rotary)`
//! * VJP: a rotation is orthogonal, so the cotangent turns back: the same with `-sin`
//!
//! Rows hold `[q heads | k heads | v heads]`; values do not turn.

use super::attention::Shape;
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

/// Turns the query and key heads in every row of `x` `[R B T, width]`, backwards for a VJP.
#[inline(always)]
pub fn rotate<S: Real>(x: &mut [S], s: Shape, table: &[S], rotary: usize, backwards: bool) {
    let half = rotary / 2;
    let sign = if backwards { -S::one() } else { S::one() };
    for (row, x) in x.chunks_exact_mut(s.width()).enumerate() {
        let t = row % s.seq;
        let (cos, sin) = table[t * rotary..(t + 1) * rotary].split_at(half);
        for head in x.chunks_exact_mut(s.head_dim).take(s.heads + s.kv_heads) {
            let (a, b) = head[..rotary].split_at_mut(half);
            for (((a, b), &cos), &sin) in a.iter_mut().zip(b).zip(cos).zip(sin) {
                let sin = sign * sin;
                (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
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
        let s = Shape {
            seq: 3,
            heads: 1,
            kv_heads: 1,
            head_dim: 6,
            reach: 3,
        };
        let (rotary, width) = (4, s.width());
        let table = table(s.seq, rotary, 100.0);
        let turn = |x: &[f64], backwards| {
            let mut x = x.to_vec();
            rotate(&mut x, s, &table, rotary, backwards);
            x
        };
        let (x, g) = (numbers(1, s.seq * width), numbers(2, s.seq * width));
        check_vjp(|x| turn(x, false), &x, &g, &turn(&g, true));
        assert!(error(&turn(&turn(&x, false), true), &x, 1.0) < 1e-12);
        assert_eq!(turn(&x, false)[12..18], x[12..18], "values do not turn");
        assert_eq!(turn(&x, false)[..18], x[..18], "position 0 has angle 0");
    }
}
