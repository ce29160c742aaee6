//! `rope`, forwards, and backwards as its own VJP.

use crate::support::{Case, agrees, random};
use proptest::prelude::*;
use transformer::Ops;
use transformer::ops::attention::Shape;
use transformer::ops::real::Real;
use transformer::ops::rope::table;

struct Call {
    shape: Shape,
    rotary: usize,
    rows: usize,
    seed: u64,
}

impl Case for Call {
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        let s = self.shape;
        let table: Vec<O::S> = table(s.seq + 2, self.rotary, 100.0)
            .into_iter()
            .map(O::S::of)
            .collect();
        let table = ops.upload(&table);
        let turned = |i, backwards| {
            let mut x = random(ops, self.seed ^ i, self.rows * s.seq * s.width());
            ops.rope(&mut x, s, &table, self.rotary, backwards);
            x
        };
        vec![("turned", turned(0, false)), ("gx", turned(1, true))]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn agrees_with_the_definition(
        seq in 1usize..12, kv_heads in 1usize..4, group in 1usize..4, head_dim in 2usize..20, half in 1usize..10,
        rows in 1usize..4, seed: u64,
    ) {
        let shape = Shape { seq, heads: kv_heads * group, kv_heads, head_dim, reach: seq };
        agrees(&Call { shape, rotary: 2 * half.min(head_dim / 2), rows, seed }, 2e-6);
    }
}
