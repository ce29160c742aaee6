//! Token embedding, and learned positions.
//!
//! * forward: `x[n] = table[token[n]] (+ positions[n mod T])`, `[N, D]`
//! * VJP in the table: row `token[n]` gains `g[n]`; likewise the positions. Tokens are discrete: there is no VJP in them.

use super::real::{Real, axpy};

/// Gathers rows of `table` `[V, d]`.
pub fn forward<S: Real>(table: &[S], tokens: &[u32], d: usize, x: &mut [S]) {
    for (&id, x) in tokens.iter().zip(x.chunks_exact_mut(d)) {
        x.copy_from_slice(&table[id as usize * d..][..d]);
    }
}

/// Adds `positions` `[context, d]` to `x` `[B T, d]`.
pub fn add_positions<S: Real>(positions: &[S], seq: usize, d: usize, x: &mut [S]) {
    for x in x.chunks_exact_mut(seq * d) {
        axpy(S::one(), &positions[..seq * d], x);
    }
}

/// Adds the gradient of the table.
pub fn grad<S: Real>(tokens: &[u32], g: &[S], d: usize, gtable: &mut [S]) {
    for (&id, g) in tokens.iter().zip(g.chunks_exact(d)) {
        axpy(S::one(), g, &mut gtable[id as usize * d..][..d]);
    }
}

/// Adds the gradient of the positions.
pub fn grad_positions<S: Real>(g: &[S], seq: usize, d: usize, gpositions: &mut [S]) {
    for g in g.chunks_exact(seq * d) {
        axpy(S::one(), g, &mut gpositions[..seq * d]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_vjp, numbers};

    #[test]
    fn grads_match_differences() {
        let (v, d, seq) = (5, 3, 2);
        let tokens = [4, 1, 1, 0];
        let (table, positions, g) = (numbers(1, v * d), numbers(2, 3 * d), numbers(3, 4 * d));
        let run = |table: &[f64], positions: &[f64]| {
            let mut x = vec![0.0; 4 * d];
            forward(table, &tokens, d, &mut x);
            add_positions(positions, seq, d, &mut x);
            x
        };
        let (mut gtable, mut gpositions) = (vec![0.0; v * d], vec![0.0; 3 * d]);
        grad(&tokens, &g, d, &mut gtable);
        grad_positions(&g, seq, d, &mut gpositions);
        check_vjp(|t| run(t, &positions), &table, &g, &gtable);
        check_vjp(|p| run(&table, p), &positions, &g, &gpositions);
    }
}
