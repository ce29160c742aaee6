//! `linear`, `linear_vjp`, `linear_vjp_add`: both kernels, sizes on both sides of a tile.

use crate::support::{Case, agrees, random};
use proptest::prelude::*;
use transformer::Ops;
use transformer::ops::Linear;

pub struct Call {
    pub n: usize,
    pub inp: usize,
    pub out: usize,
    pub bias: bool,
    pub seed: u64,
}

impl Case for Call {
    const PRODUCTS: bool = true;

    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        let part = |i, len| random(ops, self.seed ^ i, len);
        let map = Linear {
            w: part(0, self.out * self.inp),
            bias: self.bias.then(|| part(1, self.out)),
            inp: self.inp,
            out: self.out,
        };
        let y = ops.linear(&part(2, self.n * self.inp), &map);
        let g = part(3, self.n * self.out);
        let gx = ops.linear_vjp(&g, &map);
        let mut sum = part(4, self.n * self.inp);
        ops.linear_vjp_add(&g, &map, &mut sum);
        vec![("y", y), ("gx", gx), ("gx added", sum)]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn agrees_with_the_definition(n in 1usize..300, inp in 1usize..140, out in 1usize..140, bias: bool, seed: u64) {
        agrees(&Call { n, inp, out, bias, seed }, 1e-5);
    }
}
