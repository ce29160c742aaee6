//! `accumulate`: the running sums of a fit of many prompts.

use crate::support::{Case, agrees, numbers, random};
use gpu::Gpu;
use pollster::block_on;
use proptest::prelude::*;
use transformer::Ops;
use transformer::ops::real::Real;

struct Call {
    len: usize,
    terms: usize,
    scale: f64,
    seed: u64,
}

impl Case for Call {
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)> {
        let (mut sum, mut lost) = (ops.zeros(self.len), ops.zeros(self.len));
        for i in 0..self.terms as u64 {
            let x = random(ops, self.seed ^ i, self.len);
            let scale = if i % 3 == 2 { -1.0 } else { self.scale };
            ops.accumulate(&x, scale, &mut sum, &mut lost);
        }
        ops.add(&mut sum, &lost);
        vec![("total", sum)]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    #[test]
    fn agrees_with_the_definition(len in 1usize..300, terms in 1usize..12, scale in -2.0..2.0, seed: u64) {
        agrees(&Call { len, terms, scale, seed }, 1e-6);
    }
}

#[test]
fn the_device_keeps_what_rounding_takes() {
    let gpu = block_on(Gpu::open()).unwrap();
    let (terms, len) = (2000, 64);
    let (mut sum, mut lost) = (gpu.zeros(len), gpu.zeros(len));
    let (mut exact, mut plain) = (vec![0.0f64; len], vec![0.0f32; len]);
    for i in 0..terms {
        let x: Vec<f32> = numbers::<f32>(i, len).iter().map(|x| 1.0 + x).collect();
        gpu.accumulate(&gpu.upload(&x), 1.0, &mut sum, &mut lost);
        for (x, (e, p)) in x.iter().zip(exact.iter_mut().zip(&mut plain)) {
            *e += x.wide();
            *p += x;
        }
    }
    let got = block_on(gpu.read_all(&[&sum, &lost])).unwrap();
    let worst = |x: &dyn Fn(usize) -> f64| {
        (0..len).fold(0.0f64, |w, i| w.max((x(i) - exact[i]).abs() / exact[i]))
    };
    let compensated = worst(&|i| got[0][i].wide() + got[1][i].wide());
    let uncompensated = worst(&|i| plain[i].wide());
    assert!(compensated < 1e-9, "{compensated:e}");
    assert!(uncompensated > 100.0 * compensated, "{uncompensated:e}");
}
