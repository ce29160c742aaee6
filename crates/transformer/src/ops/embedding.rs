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
