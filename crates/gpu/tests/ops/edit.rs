//! `edit`: ranks from one to the whole width (a replaced state).

use crate::support::{Case, agrees, mask, random};
use proptest::prelude::*;
use transformer::Ops;
use transformer::ops::EditBufs;

struct Call {
    n: usize,
    d: usize,
    k: usize,
    seed: u64,
}

impl Case for Call {
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        let (n, d, k) = (self.n, self.d, self.k);
        let part = |i, len| random(ops, self.seed ^ i, len);
        let edit = EditBufs {
            v: part(1, k * d),
            p: part(2, k * d),
            m: part(3, k * k),
            c: part(4, n * k),
        };
        let mut h = part(5, n * d);
        ops.edit(&mut h, &edit, &mask(self.seed, n), d);
        vec![("h", h)]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn agrees_with_the_definition(n in 1usize..20, d in 1usize..110, k in 1usize..110, seed: u64) {
        agrees(&Call { n, d, k: k.min(d), seed }, 1e-5);
    }
}
