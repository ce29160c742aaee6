//! The engine against an independent implementation: PyTorch autograd, see `tests/goldens/README.md`.
//!
//! The plain backend in f64 must agree to 1e-6, the fast one in f32 to 1e-4, relative to the largest magnitude of each tensor
//! (goldens are f64 results stored as f32). Forward passes and the whole lens are compared in `crates/lens/tests/goldens.rs`.

use parity::{Golden, difference as error};
use pollster::block_on;
use transformer::{Cpu, Keep, Model, Ops, Params, Paths, Reference, TrainOps};

/// Runs a check on every family with both backends.
macro_rules! on_both_backends {
    ($name:ident, $check:ident) => {
        #[test]
        fn $name() {
            for g in Golden::committed().unwrap() {
                $check(
                    &g,
                    &Model::new(Reference::<f64>::new(), &g.weights().unwrap()).unwrap(),
                    1e-6,
                );
                $check(
                    &g,
                    &Model::new(Reference::<f32>::new(), &g.weights().unwrap()).unwrap(),
                    1e-4,
                );
                $check(
                    &g,
                    &Model::new(Cpu::new(), &g.weights().unwrap()).unwrap(),
                    1e-4,
                );
            }
        }
    };
}

on_both_backends!(jacobians_of_every_variant, check_jacobians);
on_both_backends!(parameter_gradients, check_gradients);

#[track_caller]
fn close(g: &Golden, what: &str, e: f64, tolerance: f64) {
    assert!(
        e < tolerance,
        "{}, {what}: relative error {e:e}, allowed {tolerance:e}",
        g.name
    );
}

/// Positions that the fit averages over, in a prompt of `t` tokens.
fn valid(g: &Golden, t: usize) -> Vec<bool> {
    let skip = g.integer("skip_first").unwrap();
    (0..t).map(|i| i >= skip && i + 1 < t).collect()
}

/// Jacobians `[D, D]` of states `0..target` of one prompt, by the engine's estimator.
fn jacobians<O: Ops>(
    model: &Model<O>,
    tokens: &[u32],
    valid: &[bool],
    target: usize,
    paths: Paths,
) -> Vec<Vec<O::S>> {
    let (ops, d) = (&model.ops, model.config.d_model);
    let trace = model
        .forward(tokens, tokens.len(), &[], Keep::ForVjp)
        .unwrap();
    let mut all: Vec<O::Buf> = (0..target).map(|_| ops.zeros(d * d)).collect();
    // rows in uneven chunks, as a fit within a memory budget takes them
    for first in (0..d).step_by(7) {
        let rows = 7.min(d - first);
        let seed = ops.seed(first, rows, d, valid);
        let mut keep = |l: usize, g: &O::Buf| ops.mean_positions(g, first, d, valid, &mut all[l]);
        model
            .vjp(&trace, target, 0, seed, paths, &mut keep)
            .unwrap();
    }
    all.iter().map(|j| block_on(ops.read(j)).unwrap()).collect()
}

fn check_jacobians<O: Ops>(g: &Golden, model: &Model<O>, tolerance: f64) {
    let last = g.config.n_layers;
    let same = Paths {
        pattern: true,
        others: false,
    };
    let frozen = Paths {
        pattern: false,
        others: true,
    };
    let variants = [
        ("all", last, Paths::ALL),
        ("same", last, same),
        ("frozen", last, frozen),
        ("penultimate", last - 1, Paths::ALL),
    ];
    for p in 0..3 {
        let tokens = g.prompt(p).unwrap();
        let valid = valid(g, tokens.len());
        for (name, target, paths) in variants {
            for (l, j) in jacobians(model, &tokens, &valid, target, paths)
                .iter()
                .enumerate()
            {
                let e = error(j, &g.numbers(&format!("J.{name}.prompt{p}.{l}")).unwrap());
                close(g, &format!("J.{name}, prompt {p}, state {l}"), e, tolerance);
            }
        }
    }
}

fn check_gradients<O: TrainOps>(g: &Golden, model: &Model<O>, tolerance: f64) {
    // the last token predicts nothing; causal attention makes it safe to leave it out
    let tokens = g.prompt(0).unwrap();
    let (inputs, targets) = (&tokens[..tokens.len() - 1], &tokens[1..]);
    let scale = 1.0 / inputs.len() as f64;
    let mut grads = Params::zeros(&model.ops, &g.config).unwrap();
    let loss = model
        .loss_and_grad(inputs, targets, inputs.len(), scale, &mut grads)
        .unwrap();
    let golden = g.entry["loss"]["mean_cross_entropy"].as_f64().unwrap();
    close(g, "loss", (loss * scale - golden).abs() / golden, tolerance);
    let flat = block_on(grads.to_flat(&model.ops, &g.config)).unwrap();
    let mut at = 0;
    for entry in transformer::layout::layout(&g.config) {
        let got = &flat[at..at + entry.len()];
        at += entry.len();
        let golden = g.numbers(&format!("gradient.{}", entry.name)).unwrap();
        // A key bias shifts all scores of a query alike, so its true gradient is 0 (up to RoPE): compare on a fixed scale too.
        let largest = golden.iter().fold(0.0f32, |m, x| m.max(x.abs()));
        let e = error(got, &golden) * f64::from(largest) / f64::from(largest.max(1e-3));
        close(g, &format!("gradient of {}", entry.name), e, tolerance);
    }
}
