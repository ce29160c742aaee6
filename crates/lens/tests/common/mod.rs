//! Toy models with random weights. All of them attend across positions: otherwise a wrong sum over futures would go unseen.
#![allow(dead_code)] // every test file uses a part

use lens::{Estimator, FitOptions, PromptFit};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use std::collections::BTreeMap;
use transformer::layout::layout;
use transformer::{Activation, Config, Model, NormKind, NormPlace, Ops, Positions, Weights};

/// The shipped family at toy size.
pub fn windowed() -> Config {
    Config {
        vocab: 23,
        d_model: 8,
        n_layers: 3,
        n_heads: 2,
        n_kv_heads: 2,
        head_dim: 4,
        d_ff: 12,
        max_context: 16,
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

/// Llama type: grouped queries, gate, tied head, full attention.
pub fn llama() -> Config {
    Config {
        n_kv_heads: 1,
        norm_place: NormPlace::Pre,
        window: None,
        activation: Activation::SwiGlu,
        tied: true,
        ..windowed()
    }
}

/// GPT-2 type: LayerNorm, learned positions, biases.
pub fn gpt2() -> Config {
    Config {
        norm: NormKind::Layer,
        norm_place: NormPlace::Pre,
        window: None,
        positions: Positions::Learned,
        activation: Activation::GeluTanh,
        tied: true,
        bias: true,
        ..windowed()
    }
}

/// Uniform in -1..1.
pub fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    f64::from(rng.next_u32()) / f64::from(u32::MAX) * 2.0 - 1.0
}

/// Random weights: matrices scaled by their fan-in, gains around 1.
pub fn weights(config: &Config, seed: u64) -> Weights {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut w = Weights::zeros(config).unwrap();
    let mut at = 0;
    for entry in layout(config) {
        for x in &mut w.flat[at..at + entry.len()] {
            let z = uniform(&mut rng);
            *x = if entry.name.ends_with("gain") {
                1.0 + 0.3 * z
            } else if entry.shape.len() == 1 {
                0.2 * z
            } else if entry.name.contains("embedding") {
                z
            } else {
                2.0 * z / (entry.shape[1] as f64).sqrt()
            } as f32;
        }
        at += entry.len();
    }
    w
}

pub fn model<O: Ops>(ops: O, config: &Config, seed: u64) -> Model<O> {
    Model::new(ops, &weights(config, seed)).unwrap()
}

/// A prompt of random words.
pub fn prompt(config: &Config, n: usize, seed: u64) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(1000 + seed);
    (0..n)
        .map(|_| rng.next_u32() % config.vocab as u32)
        .collect()
}

/// Runs what waits for a backend.
pub fn now<F: Future>(f: F) -> F::Output {
    pollster::block_on(f)
}

/// Largest difference relative to the largest number.
pub fn far(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let size = b.iter().fold(1e-30f64, |m, x| m.max(x.abs()));
    a.iter()
        .zip(b)
        .fold(0.0f64, |m, (a, b)| m.max((a - b).abs()))
        / size
}

pub fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&x| f64::from(x)).collect()
}

/// The Jacobians of one prompt, three rows at a time unless the options say otherwise.
pub fn jacobians<O: Ops>(
    model: &Model<O>,
    options: &FitOptions,
    tokens: &[u32],
) -> (Estimator, BTreeMap<usize, Vec<O::S>>) {
    let e = options.resolve(&model.config).unwrap();
    let fit = PromptFit::new(model, &e, options.row_chunk.unwrap_or(3), tokens)
        .unwrap()
        .unwrap();
    let j = now(fit.finish()).unwrap().layers;
    (e, j)
}
