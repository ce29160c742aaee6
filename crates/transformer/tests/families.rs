//! Whole models of every family option: VJP and parameter gradients in f64 against central differences, and f32 against f64.

use pollster::block_on;
use rand::{Rng, SeedableRng};
use transformer::ops::real::Real;
use transformer::{
    Activation, Config, Cpu, Keep, Model, NormKind, NormPlace, Ops, Params, Paths, Positions,
    Reference, Weights,
};

fn base() -> Config {
    Config {
        vocab: 11,
        d_model: 8,
        n_layers: 2,
        n_heads: 2,
        n_kv_heads: 2,
        head_dim: 4,
        d_ff: 12,
        max_context: 9,
        norm: NormKind::Rms,
        norm_eps: 1e-5,
        norm_place: NormPlace::Post,
        window: Some(3),
        positions: Positions::Rope {
            base: 1000.0,
            rotary_dim: 4,
        },
        activation: Activation::Relu,
        tied: false,
        bias: false,
    }
}

/// The shipped family and one variation of every option.
fn families() -> Vec<(&'static str, Config)> {
    let b = base();
    vec![
        ("shipped", b.clone()),
        (
            "no window",
            Config {
                window: None,
                ..b.clone()
            },
        ),
        (
            "pre-norm",
            Config {
                norm_place: NormPlace::Pre,
                ..b.clone()
            },
        ),
        (
            "layer norm",
            Config {
                norm: NormKind::Layer,
                ..b.clone()
            },
        ),
        (
            "learned positions",
            Config {
                positions: Positions::Learned,
                ..b.clone()
            },
        ),
        (
            "no positions",
            Config {
                positions: Positions::None,
                ..b.clone()
            },
        ),
        (
            "partial rotary",
            Config {
                positions: Positions::Rope {
                    base: 100.0,
                    rotary_dim: 2,
                },
                ..b.clone()
            },
        ),
        (
            "gelu",
            Config {
                activation: Activation::Gelu,
                ..b.clone()
            },
        ),
        (
            "biases",
            Config {
                bias: true,
                ..b.clone()
            },
        ),
        (
            "odd head width",
            Config {
                head_dim: 6,
                ..b.clone()
            },
        ),
        (
            "gpt-2",
            Config {
                norm: NormKind::Layer,
                norm_place: NormPlace::Pre,
                window: None,
                positions: Positions::Learned,
                activation: Activation::GeluTanh,
                tied: true,
                bias: true,
                ..b.clone()
            },
        ),
        (
            "llama",
            Config {
                norm_place: NormPlace::Pre,
                window: None,
                n_heads: 4,
                n_kv_heads: 2,
                activation: Activation::SwiGlu,
                tied: true,
                ..b
            },
        ),
    ]
}

fn flat(config: &Config, seed: u64) -> Vec<f64> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut draw = |_| rng.random_range(-0.6..0.6);
    (0..transformer::layout::parameter_count(config))
        .map(&mut draw)
        .collect()
}

fn model<O: Ops>(ops: O, config: &Config, flat: &[f64]) -> Model<O> {
    let numbers: Vec<O::S> = flat.iter().map(|&x| O::S::of(x)).collect();
    Model::from_flat(ops, config, &numbers).unwrap()
}

const TOKENS: [u32; 10] = [1, 4, 4, 0, 10, 7, 2, 3, 9, 5];
const SEQ: usize = 5;

#[test]
fn parameter_gradients_match_central_differences() {
    for (name, config) in families() {
        let at = flat(&config, 1);
        let targets: Vec<u32> = TOKENS.iter().map(|t| (t + 3) % 11).collect();
        let loss = |flat: &[f64]| {
            let m = model(Reference::<f64>::new(), &config, flat);
            let mut grads = Params::zeros(&m.ops, &config).unwrap();
            let loss = m
                .loss_and_grad(&TOKENS, &targets, SEQ, 0.1, &mut grads)
                .unwrap();
            (
                0.1 * loss,
                block_on(grads.to_flat(&m.ops, &config)).unwrap(),
            )
        };
        let (_, grads) = loss(&at);
        let largest = grads.iter().fold(0.0f64, |a, g| a.max(g.abs()));
        assert!(largest > 1e-3, "{name}: gradients vanish");
        for i in (0..at.len()).step_by(7) {
            let move_by = |e: f64| {
                let mut x = at.clone();
                x[i] += e;
                loss(&x).0
            };
            let e = 1e-5;
            let numeric = (move_by(e) - move_by(-e)) / (2.0 * e);
            assert!(
                (numeric - grads[i]).abs() < 1e-6 * largest,
                "{name}: parameter {i}: {numeric} vs {}",
                grads[i]
            );
        }
    }
}

/// `u^T dh_L / dh_0` for every position, through the embedding rows as free inputs (distinct tokens).
#[test]
fn residual_vjp_matches_central_differences() {
    for (name, config) in families() {
        let at = flat(&config, 2);
        let tokens = [1u32, 4, 0, 10, 7];
        let (n, d, last) = (tokens.len(), config.d_model, config.n_layers);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let u: Vec<f64> = (0..2 * n * d)
            .map(|_| rng.random_range(-1.0..1.0))
            .collect();
        let m = model(Reference::<f64>::new(), &config, &at);
        let trace = m.forward(&tokens, n, &[], Keep::ForVjp).unwrap();
        let mut seen = Vec::new();
        let g = m.ops.upload(&u);
        let g = m
            .vjp(&trace, last, 0, g, Paths::ALL, &mut |l, _| seen.push(l))
            .unwrap();
        assert_eq!(seen, (0..last).rev().collect::<Vec<_>>());
        let g = block_on(m.ops.read(&g)).unwrap();
        let out = |flat: &[f64], row: usize| {
            let m = model(Reference::<f64>::new(), &config, flat);
            let trace = m.forward(&tokens, n, &[], Keep::Residuals).unwrap();
            let h = block_on(m.ops.read(&trace.residuals[last])).unwrap();
            h.iter()
                .zip(&u[row * n * d..])
                .map(|(h, u)| h * u)
                .sum::<f64>()
        };
        let largest = g.iter().fold(0.0f64, |a, g| a.max(g.abs()));
        for i in (0..2 * n * d).step_by(3) {
            let (row, t, k) = (i / (n * d), i / d % n, i % d);
            let move_by = |e: f64| {
                let mut x = at.clone();
                x[tokens[t] as usize * d + k] += e;
                out(&x, row)
            };
            let e = 1e-5;
            let numeric = (move_by(e) - move_by(-e)) / (2.0 * e);
            assert!(
                (numeric - g[i]).abs() < 1e-6 * largest,
                "{name}: {i}: {numeric} vs {}",
                g[i]
            );
        }
    }
}

fn everything<O: Ops>(ops: O, config: &Config, flat: &[f64], paths: Paths) -> Vec<Vec<f64>> {
    let m = model(ops, config, flat);
    let trace = m.forward(&TOKENS, SEQ, &[], Keep::ForVjp).unwrap();
    let valid = vec![true; TOKENS.len()];
    let (d, last) = (config.d_model, config.n_layers);
    let mut out: Vec<Vec<O::S>> = trace
        .residuals
        .iter()
        .map(|h| block_on(m.ops.read(h)).unwrap())
        .collect();
    out.push(block_on(m.ops.read(&m.logits(&trace.residuals[last]))).unwrap());
    let g = m.ops.seed(0, d, d, &valid);
    let mut jacobians = Vec::new();
    m.vjp(&trace, last, 0, g, paths, &mut |_, g| {
        let mut j = m.ops.zeros(d * d);
        m.ops.mean_positions(g, 0, d, &valid, &mut j);
        jacobians.push(j);
    })
    .unwrap();
    out.extend(jacobians.iter().map(|j| block_on(m.ops.read(j)).unwrap()));
    out.into_iter()
        .map(|x| x.into_iter().map(Real::wide).collect())
        .collect()
}

#[test]
fn f32_agrees_with_f64() {
    for (name, config) in families() {
        let at = flat(&config, 4);
        for (pattern, others) in [(true, true), (false, true), (true, false)] {
            let paths = Paths { pattern, others };
            let exact = everything(Reference::<f64>::new(), &config, &at, paths);
            for (which, got) in [
                (
                    "plain",
                    everything(Reference::<f32>::new(), &config, &at, paths),
                ),
                ("fast", everything(Cpu::new(), &config, &at, paths)),
            ] {
                for (k, (x, y)) in got.iter().zip(&exact).enumerate() {
                    let scale = y.iter().fold(1e-3f64, |s, y| s.max(y.abs()));
                    let e = x
                        .iter()
                        .zip(y)
                        .fold(0.0f64, |e, (x, y)| e.max((x - y).abs()))
                        / scale;
                    assert!(
                        e < 1e-4,
                        "{name}, {which}, result {k}: relative error {e:e}"
                    );
                }
            }
        }
    }
}

#[test]
fn no_gradient_to_later_positions() {
    for (name, config) in families() {
        let m = model(Reference::<f64>::new(), &config, &flat(&config, 5));
        let (d, last) = (config.d_model, config.n_layers);
        let trace = m.forward(&TOKENS[..SEQ], SEQ, &[], Keep::ForVjp).unwrap();
        let only_third: Vec<bool> = (0..SEQ).map(|t| t == 2).collect();
        let g = m.ops.seed(0, d, d, &only_third);
        m.vjp(&trace, last, 0, g, Paths::ALL, &mut |layer, g| {
            for (i, &x) in g.iter().enumerate() {
                assert!(
                    i / d % SEQ <= 2 || x == 0.0,
                    "{name}: layer {layer} leaks from the future"
                );
            }
        })
        .unwrap();
    }
}

#[test]
fn bad_input_is_an_error_that_says_what_and_where() {
    let config = base();
    let m = Model::new(Cpu::new(), &Weights::zeros(&config).unwrap()).unwrap();
    let message = |r: transformer::Result<transformer::Trace<_>>| {
        r.err().map(|e| e.to_string()).unwrap_or_default()
    };
    assert!(
        message(m.forward(&[1, 99], 2, &[], Keep::Residuals)).contains("token 99 at position 1")
    );
    assert!(message(m.forward(&[], 0, &[], Keep::Residuals)).contains("between 1 and 9 tokens"));
    assert!(message(m.forward(&[1; 10], 10, &[], Keep::Residuals)).contains("got 10"));
    let bad = Config {
        n_kv_heads: 3,
        n_heads: 4,
        ..config.clone()
    };
    assert!(
        Weights::zeros(&bad)
            .unwrap_err()
            .to_string()
            .contains("must divide n_heads")
    );
    let trace = m.forward(&[1], 1, &[], Keep::Residuals).unwrap();
    let g = m.ops.zeros(config.d_model);
    assert!(m.vjp(&trace, 2, 0, g, Paths::ALL, &mut |_, _| {}).is_err());
    let g = m.ops.zeros(config.d_model);
    assert!(m.vjp(&trace, 7, 0, g, Paths::ALL, &mut |_, _| {}).is_err());
}
