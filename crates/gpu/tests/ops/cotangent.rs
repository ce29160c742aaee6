//! `seed`, `mean_positions`: the two ends of a fit.

use crate::support::{Case, agrees, mask, random};
use proptest::prelude::*;
use transformer::Ops;

struct Call {
    n: usize,
    d: usize,
    first: usize,
    rows: usize,
    seed: u64,
}

impl Case for Call {
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        let valid = mask(self.seed, self.n); // sometimes no position at all
        let one_hot = ops.seed(self.first, self.rows, self.d, &valid);
        let g = random(ops, self.seed ^ 1, self.rows * self.n * self.d);
        let mut j = random(ops, self.seed ^ 2, self.d * self.d); // the other rows stay
        ops.mean_positions(&g, self.first, self.d, &valid, &mut j);
        vec![("seed", one_hot), ("mean", j)]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn agrees_with_the_definition(n in 1usize..40, d in 1usize..40, part in 0.0..1.0, count in 0.0..1.0, seed: u64) {
        let first = (part * d as f64) as usize;
        let rows = 1 + (count * (d - first) as f64) as usize;
        agrees(&Call { n, d, first, rows: rows.min(d - first), seed }, 2e-6);
    }
}
