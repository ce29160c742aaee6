//! `attention`, `attention_vjp`: windows, grouped queries, batches, closed paths.

use crate::support::{Case, agrees, random};
use proptest::prelude::*;
use transformer::ops::attention::Shape;
use transformer::{Ops, Paths};

struct Call {
    shape: Shape,
    sequences: usize,
    rows: usize,
    paths: Paths,
    seed: u64,
}

impl Case for Call {
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        let (s, n) = (self.shape, self.shape.seq * self.sequences);
        let qkv = random(ops, self.seed, n * s.width());
        let (out, pattern) = ops.attention(&qkv, s);
        let g = random(ops, self.seed ^ 1, self.rows * n * s.out_width());
        let gqkv = ops.attention_vjp(&g, &qkv, &pattern, s, self.paths);
        vec![("out", out), ("pattern", pattern), ("gqkv", gqkv)]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn agrees_with_the_definition(
        seq in 1usize..12, sequences in 1usize..3, rows in 1usize..4, kv_heads in 1usize..4, group in 1usize..4,
        head_dim in 1usize..27, reach in 1usize..12, pattern: bool, others: bool, seed: u64,
    ) {
        let shape = Shape { seq, heads: kv_heads * group, kv_heads, head_dim, reach: reach.min(seq) };
        agrees(&Call { shape, sequences, rows, paths: Paths { pattern, others }, seed }, 1e-5);
    }
}
