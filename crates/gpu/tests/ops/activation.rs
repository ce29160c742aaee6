//! `activation`, `activation_vjp`.

use crate::support::{Case, agrees, numbers, random};
use proptest::prelude::*;
use transformer::ops::activation::input_width;
use transformer::ops::real::Real;
use transformer::{Activation, Ops};

struct Call {
    kind: Activation,
    n: usize,
    f: usize,
    rows: usize,
    seed: u64,
}

impl Case for Call {
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        let wide = numbers::<f64>(self.seed, self.n * input_width(self.kind, self.f));
        // from -8 to 8: both tails
        let x: Vec<O::S> = wide.iter().map(|x| O::S::of(8.0 * x)).collect();
        let (y, slope) = ops.activation(&ops.upload(&x), self.kind, self.f);
        let g = random(ops, self.seed ^ 1, self.rows * self.n * self.f);
        let gx = ops.activation_vjp(g, &slope, self.kind, self.f);
        vec![("y", y), ("slope", slope), ("gx", gx)]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn agrees_with_the_definition(
        kind in prop::sample::select(vec![Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::SwiGlu]),
        n in 1usize..20, f in 1usize..70, rows in 1usize..5, seed: u64,
    ) {
        agrees(&Call { kind, n, f, rows, seed }, 5e-6);
    }
}
