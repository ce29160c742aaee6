//! Whole models of every family option on the device against the plain f64 reference: residual states, logits, packed readout,
//! edits, and Jacobians for all paths. Shapes are odd on purpose: nothing divides a tile.

use gpu::Gpu;
use pollster::block_on;
use rand::{Rng, SeedableRng};
use transformer::ops::real::Real;
use transformer::{
    Activation, Config, Edit, Keep, Model, NormKind, NormPlace, Ops, Paths, Positions, Reference,
};

fn base() -> Config {
    Config {
        vocab: 37,
        d_model: 20,
        n_layers: 2,
        n_heads: 2,
        n_kv_heads: 2,
        head_dim: 6,
        d_ff: 33,
        max_context: 21,
        norm: NormKind::Rms,
        norm_eps: 1e-5,
        norm_place: NormPlace::Post,
        window: Some(3),
        positions: Positions::Rope {
            base: 1000.0,
            rotary_dim: 6,
        },
        activation: Activation::Relu,
        tied: false,
        bias: false,
    }
}

fn families() -> Vec<(&'static str, Config)> {
    let b = base();
    let layer = Config {
        norm: NormKind::Layer,
        ..b.clone()
    };
    let gpt2 = Config {
        norm_place: NormPlace::Pre,
        window: None,
        positions: Positions::Learned,
        activation: Activation::GeluTanh,
        tied: true,
        bias: true,
        ..layer.clone()
    };
    let llama = Config {
        norm_place: NormPlace::Pre,
        window: None,
        n_heads: 4,
        activation: Activation::SwiGlu,
        tied: true,
        positions: Positions::Rope {
            base: 100.0,
            rotary_dim: 4,
        },
        ..b.clone()
    };
    let one_head = Config {
        n_heads: 1,
        n_kv_heads: 1,
        activation: Activation::Gelu,
        d_model: 70,
        ..b.clone()
    };
    vec![
        ("shipped", b),
        ("layer norm", layer),
        ("gpt-2", gpt2),
        ("llama", llama),
        ("one head, gelu", one_head),
    ]
}

fn flat(config: &Config, seed: u64) -> Vec<f64> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let n = transformer::layout::parameter_count(config);
    (0..n).map(|_| rng.random_range(-0.4..0.4)).collect()
}

fn numbers<S: Real>(seed: u64, n: usize) -> Vec<S> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| S::of(rng.random_range(-1.0..1.0))).collect()
}

/// Everything that the page asks of a backend, as named results.
fn everything<O: Ops>(m: &Model<O>, tokens: &[u32], seq: usize) -> Vec<(String, Vec<f64>)> {
    let (n, d, last) = (tokens.len(), m.config.d_model, m.config.n_layers);
    let mut out = Vec::new();
    let mut keep = |name: String, buf: &O::Buf| {
        let x = block_on(m.ops.read(buf)).unwrap();
        out.push((name, x.into_iter().map(Real::wide).collect()));
    };
    let trace = m.forward(tokens, seq, &[], Keep::ForVjp).unwrap();
    for (l, h) in trace.residuals.iter().enumerate() {
        keep(format!("residual {l}"), h);
    }
    let logits = m.logits(&trace.residuals[last]);
    keep("logits".into(), &logits);
    keep(
        "top".into(),
        &m.ops.top(&logits, m.config.vocab, 5, &[3, 11]),
    );
    let j = m.ops.upload(&numbers(9, d * d));
    keep("transported".into(), &m.transport(&trace.residuals[1], j));
    let edit = Edit {
        layer: 1,
        v: numbers(5, 2 * d),
        p: numbers(6, 2 * d),
        m: numbers(7, 4),
        c: numbers(8, 2 * n),
        on: (0..n).map(|i| i % 3 != 1).collect(),
    };
    let edited = m.forward(tokens, seq, &[edit], Keep::Residuals).unwrap();
    keep("edited".into(), &edited.residuals[last]);
    let valid: Vec<bool> = (0..n).map(|t| t % seq > 0 || seq == 1).collect();
    for (pattern, others) in [(true, true), (false, true), (true, false)] {
        let mut js: Vec<O::Buf> = (0..last).map(|_| m.ops.zeros(d * d)).collect();
        // rows in uneven chunks
        for first in (0..d).step_by(7) {
            let rows = 7.min(d - first);
            let g = m.ops.seed(first, rows, d, &valid);
            m.vjp(
                &trace,
                last,
                0,
                g,
                Paths { pattern, others },
                &mut |l, g| {
                    m.ops.mean_positions(g, first, d, &valid, &mut js[l]);
                },
            )
            .unwrap();
        }
        for (l, j) in js.iter().enumerate() {
            keep(format!("J {l}, pattern {pattern}, others {others}"), j);
        }
    }
    out
}

fn compare(naive: bool) {
    for (name, config) in families() {
        let at = flat(&config, 1);
        let exact = Model::from_flat(Reference::<f64>::new(), &config, &at).unwrap();
        let mut device = block_on(Gpu::open()).unwrap();
        device.naive_matmul = naive;
        let single: Vec<f32> = at.iter().map(|&x| x as f32).collect();
        let model = Model::from_flat(device, &config, &single).unwrap();
        let all: Vec<u32> = (0..20).map(|i| i * 7 % 37).collect();
        for (tokens, seq) in [(&all[..], 10), (&all[..19], 19), (&all[..1], 1)] {
            let (want, got) = (
                everything(&exact, tokens, seq),
                everything(&model, tokens, seq),
            );
            for ((what, y), (_, x)) in want.iter().zip(&got) {
                let scale = y.iter().fold(1e-2f64, |s, y| s.max(y.abs()));
                let e = x
                    .iter()
                    .zip(y)
                    .fold(0.0f64, |e, (x, y)| e.max((x - y).abs()))
                    / scale;
                assert_eq!(x.len(), y.len(), "{name}, {what}");
                assert!(e < 1e-4, "{name}, T = {seq}, {what}: relative error {e:e}");
            }
        }
    }
}

#[test]
fn tiled_products_agree_with_the_reference() {
    compare(false);
}

#[test]
fn plain_products_agree_with_the_reference() {
    compare(true);
}

#[test]
fn one_request_is_one_submit_and_one_readback() {
    let config = base();
    let single: Vec<f32> = flat(&config, 1).iter().map(|&x| x as f32).collect();
    let model = Model::from_flat(block_on(Gpu::open()).unwrap(), &config, &single).unwrap();
    let trace = model.forward(&[1, 2, 3], 3, &[], Keep::ForVjp).unwrap();
    let logits = model.logits(&trace.residuals[2]);
    block_on(model.ops.read(&logits)).unwrap();
    let counters = model.ops.counters();
    assert_eq!((counters.submits, counters.readbacks), (1, 1));
    assert!(counters.dispatches > 10);
}
