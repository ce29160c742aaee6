//! What the fit estimates, against independent computations in f64.

mod common;

use common::*;
use lens::{Estimator, FitOptions};
use nalgebra::DMatrix;
use transformer::layout::layout;
use transformer::model::Keep;
use transformer::{Config, Edit, Model, Ops, Reference, Weights};

/// Sum over valid t' of h_target(t'), `[D]`, after adding `x` to coordinate j of layer l at position t: forward passes only.
fn moved(
    m: &Model<Reference<f64>>,
    tokens: &[u32],
    e: &Estimator,
    at: (usize, usize, usize),
    x: f64,
) -> Vec<f64> {
    let (layer, t, j) = at;
    let (d, n) = (e.d, tokens.len());
    let mut edit = Edit {
        layer,
        v: vec![0.0; d],
        p: vec![0.0; d],
        m: vec![0.0],
        c: vec![x; n],
        on: vec![false; n],
    };
    edit.v[j] = 1.0;
    edit.on[t] = true;
    let trace = m.forward(tokens, n, &[edit], Keep::Residuals).unwrap();
    let h = now(m.ops.read(&trace.residuals[e.target])).unwrap();
    let mut sum = vec![0.0; d];
    for (row, _) in h.chunks_exact(d).zip(e.valid(n)).filter(|(_, v)| *v) {
        sum.iter_mut().zip(row).for_each(|(s, x)| *s += x);
    }
    sum
}

/// J by central differences of the forward pass: mean over valid t of the change of the sum over valid t'.
fn by_differences(
    m: &Model<Reference<f64>>,
    tokens: &[u32],
    e: &Estimator,
    layer: usize,
) -> Vec<f64> {
    let (d, eps) = (e.d, 1e-5);
    let valid: Vec<usize> = (0..tokens.len())
        .filter(|&t| e.valid(tokens.len())[t])
        .collect();
    let mut out = vec![0.0; d * d];
    for &t in &valid {
        for j in 0..d {
            let up = moved(m, tokens, e, (layer, t, j), eps);
            let down = moved(m, tokens, e, (layer, t, j), -eps);
            for i in 0..d {
                out[i * d + j] += (up[i] - down[i]) / (2.0 * eps) / valid.len() as f64;
            }
        }
    }
    out
}

#[test]
fn jacobians_equal_central_differences() {
    for config in [windowed(), llama(), gpt2()] {
        let m = model(Reference::<f64>::new(), &config, 1);
        let tokens = prompt(&config, 7, 1);
        for target in [3, 2] {
            let options = FitOptions {
                target: Some(target),
                ..FitOptions::default()
            };
            let (e, j) = jacobians(&m, &options, &tokens);
            assert_eq!(e.sources, (0..target).collect::<Vec<_>>());
            for (&layer, j) in &j {
                let expected = by_differences(&m, &tokens, &e, layer);
                assert!(
                    far(j, &expected) < 1e-6,
                    "layer {layer} of {config:?}: {}",
                    far(j, &expected)
                );
            }
        }
    }
}

/// A network whose every part is linear: norms with a huge eps undone by their gain, rectifiers that are always on, attention
/// without queries and keys (the uniform pattern).
fn linear_network(config: &Config) -> Weights {
    let mut w = weights(config, 5);
    // what the bias that keeps the rectifiers on adds to the state is taken off again, or states would outgrow it
    let pushed = |w: &Weights, block: &str| -> Vec<f32> {
        let down = matrix(w, &format!("{block}.mlp.down"));
        down.row_iter()
            .map(|row| -(row.sum() * ALWAYS_ON) as f32)
            .collect()
    };
    let mut at = 0;
    for entry in layout(config) {
        let here = at..at + entry.len();
        at = here.end;
        match entry.name.as_str() {
            n if n.ends_with(".gain") => w.flat[here].fill(1e6),
            n if n.contains("attn.q") || n.contains("attn.k") => w.flat[here].fill(0.0),
            n if n.ends_with("mlp.up_bias") => w.flat[here].fill(ALWAYS_ON as f32),
            n if n.ends_with("mlp.down_bias") => {
                let off = pushed(&w, n.trim_end_matches(".mlp.down_bias"));
                w.flat[here].copy_from_slice(&off);
            }
            _ => {}
        }
    }
    w
}

const ALWAYS_ON: f64 = 500.0;

fn matrix(w: &Weights, name: &str) -> DMatrix<f64> {
    let entry = layout(&w.config)
        .into_iter()
        .find(|e| e.name == name)
        .unwrap();
    let numbers = wide(w.get(name).unwrap());
    DMatrix::from_row_slice(entry.shape[0], entry.shape[1], &numbers)
}

/// The uniform causal window as a matrix `[T, T]`.
fn averaging(t: usize, window: usize) -> DMatrix<f64> {
    DMatrix::from_fn(t, t, |to, from| {
        let seen = window.min(to + 1);
        if from <= to && to - from < seen {
            1.0 / seen as f64
        } else {
            0.0
        }
    })
}

#[test]
fn jacobian_of_a_linear_network_is_the_product_of_its_matrices() {
    let config = Config {
        norm_eps: 1e12,
        bias: true,
        positions: transformer::Positions::None,
        ..windowed()
    };
    let w = linear_network(&config);
    let m = Model::new(Reference::<f64>::new(), &w).unwrap();
    let (n, d) = (6, config.d_model);
    let (e, j) = jacobians(&m, &FitOptions::default(), &prompt(&config, n, 3));
    let valid: Vec<usize> = (0..n).filter(|&t| e.valid(n)[t]).collect();

    // the map of all positions together, [T D, T D], from the target down
    let whole = |m: &DMatrix<f64>| DMatrix::identity(n, n).kronecker(m);
    let mut product = DMatrix::identity(n * d, n * d);
    for l in (0..config.n_layers).rev() {
        let name = |part: &str| format!("blocks.{l}.{part}");
        let ov = matrix(&w, &name("attn.o")) * matrix(&w, &name("attn.v"));
        let mlp = matrix(&w, &name("mlp.down")) * matrix(&w, &name("mlp.up"));
        let one = DMatrix::identity(n * d, n * d);
        let attention = &one + averaging(n, 3).kronecker(&ov);
        product = product * (&one + whole(&mlp)) * attention;
        let mut expected = DMatrix::zeros(d, d);
        for &t in &valid {
            for &to in &valid {
                expected += product.view((to * d, t * d), (d, d)) / valid.len() as f64;
            }
        }
        let expected: Vec<f64> = expected.transpose().iter().copied().collect();
        assert!(
            far(&j[&l], &expected) < 1e-7,
            "layer {l}: {}",
            far(&j[&l], &expected)
        );
    }
}

#[test]
fn cotangents_never_reach_later_positions() {
    for config in [windowed(), llama()] {
        let m = model(Reference::<f64>::new(), &config, 2);
        let (n, d, at) = (9, config.d_model, 5);
        let trace = m
            .forward(&prompt(&config, n, 2), n, &[], Keep::ForVjp)
            .unwrap();
        let only: Vec<bool> = (0..n).map(|t| t == at).collect();
        let seed = m.ops.seed(0, d, d, &only);
        let mut before = 0.0f64;
        let visit = &mut |layer: usize, g: &_| {
            for row in now(m.ops.read(g)).unwrap().chunks_exact(n * d) {
                let later = &row[(at + 1) * d..];
                assert!(later.iter().all(|&x| x == 0.0), "layer {layer}");
                before = before.max(row[..at * d].iter().fold(0.0, |m, x| m.max(x.abs())));
            }
        };
        m.vjp(
            &trace,
            config.n_layers,
            0,
            seed,
            transformer::Paths::ALL,
            visit,
        )
        .unwrap();
        assert!(before > 1e-3, "the toy model must attend across positions");
    }
}

#[test]
fn freezing_the_pattern_changes_the_jacobian_but_not_of_a_linear_network() {
    let config = windowed();
    let tokens = prompt(&config, 8, 6);
    let of = |m: &Model<Reference<f64>>, frozen| {
        jacobians(
            m,
            &FitOptions {
                frozen,
                ..FitOptions::default()
            },
            &tokens,
        )
        .1
    };
    let m = model(Reference::<f64>::new(), &config, 4);
    assert!(far(&of(&m, true)[&0], &of(&m, false)[&0]) > 1e-3);
    let config = Config {
        norm_eps: 1e12,
        bias: true,
        ..config
    };
    let m = Model::new(Reference::<f64>::new(), &linear_network(&config)).unwrap();
    assert!(far(&of(&m, true)[&0], &of(&m, false)[&0]) < 1e-9);
}
