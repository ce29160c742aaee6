//! `top`: best words with ties, none at all, tracked ranks.

use crate::support::{Case, agrees, numbers};
use proptest::prelude::*;
use transformer::Ops;
use transformer::ops::real::Real;

struct Call {
    rows: usize,
    vocab: usize,
    k: usize,
    tracked: usize,
    seed: u64,
}

impl Case for Call {
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        // multiples of 1/4, the same in every precision: many ties
        let logits: Vec<O::S> = numbers::<f64>(self.seed, self.rows * self.vocab)
            .iter()
            .map(|x| O::S::of((40.0 * x).round() / 4.0))
            .collect();
        let tracked: Vec<u32> = (0..self.tracked)
            .map(|i| ((i * 7 + self.seed as usize % 5) % self.vocab) as u32)
            .collect();
        vec![(
            "packed",
            ops.top(&ops.upload(&logits), self.vocab, self.k, &tracked),
        )]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn agrees_with_the_definition(
        rows in 1usize..6, vocab in 1usize..700, k in 0usize..9, tracked in 0usize..4, seed: u64,
    ) {
        // of the largest number of the row, which may be an id: well below one rank
        agrees(&Call { rows, vocab, k, tracked, seed }, 1e-6);
    }
}
