//! `norm`, `norm_vjp`: both kinds, with and without bias.

use crate::support::{Case, agrees, random};
use proptest::prelude::*;
use transformer::ops::Norm;
use transformer::{NormKind, Ops};

struct Call {
    kind: NormKind,
    bias: bool,
    n: usize,
    d: usize,
    rows: usize,
    seed: u64,
}

impl Case for Call {
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        let part = |i, len| random(ops, self.seed ^ i, len);
        let norm = Norm {
            gain: part(0, self.d),
            bias: self.bias.then(|| part(1, self.d)),
            kind: self.kind,
            eps: 1e-2, // so that one number alone is not normalised to a step
        };
        let (y, saved) = ops.norm(&part(2, self.n * self.d), &norm);
        let mut g = part(3, self.rows * self.n * self.d);
        ops.norm_vjp(&mut g, &norm, &saved);
        vec![("y", y), ("xhat", saved.xhat), ("r", saved.r), ("gx", g)]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn agrees_with_the_definition(
        kind in prop::sample::select(vec![NormKind::Rms, NormKind::Layer]),
        bias: bool, n in 1usize..20, d in 1usize..150, rows in 1usize..4, seed: u64,
    ) {
        agrees(&Call { kind, bias, n, d, rows, seed }, 1e-5);
    }
}
