//! `embed`, `add_positions`, `add`, and the buffers themselves: `zeros`, `copy`.

use crate::support::{Case, agrees, random};
use proptest::prelude::*;
use transformer::Ops;

struct Call {
    vocab: usize,
    d: usize,
    seq: usize,
    sequences: usize,
    seed: u64,
}

impl Case for Call {
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        let n = self.seq * self.sequences;
        let tokens: Vec<u32> = (0..n as u64)
            .map(|i| (i.wrapping_mul(self.seed | 1) % self.vocab as u64) as u32)
            .collect();
        let table = random(ops, self.seed, self.vocab * self.d);
        let gathered = ops.embed(&table, &tokens, self.d);
        let before = ops.copy(&gathered);
        let mut x = ops.copy(&gathered);
        let positions = random(ops, self.seed ^ 1, (self.seq + 3) * self.d); // a longer context
        ops.add_positions(&mut x, &positions, self.seq, self.d);
        let mut sum = ops.zeros(n * self.d);
        ops.add(&mut sum, &x);
        ops.add(&mut sum, &before);
        vec![("gathered", gathered), ("positions", x), ("sum", sum)]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn agrees_with_the_definition(
        vocab in 1usize..50, d in 1usize..70, seq in 1usize..12, sequences in 1usize..4, seed: u64,
    ) {
        agrees(&Call { vocab, d, seq, sequences, seed }, 1e-6);
    }
}
