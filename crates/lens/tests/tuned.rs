//! Training a tuned lens: it comes closer to the final distribution than the identity, and its numbers are those of the gradient.

mod common;

use lens::Affine;
use lens::tuned::{Material, Training, divergence, train};
use pollster::block_on;
use transformer::{Cpu, Model};

fn setting() -> (Model<Cpu>, Vec<Vec<u32>>) {
    let config = common::windowed();
    let model = common::model(Cpu::new(), &config, 3);
    let prompts = (0..6).map(|i| common::prompt(&config, 9, i)).collect();
    (model, prompts)
}

fn identity(d: usize) -> Affine {
    Affine {
        matrix: (0..d * d).map(|i| f32::from(i % (d + 1) == 0)).collect(),
        bias: vec![0.0; d],
    }
}

#[test]
fn training_comes_closer_to_the_final_distribution() {
    let (model, prompts) = setting();
    let d = model.config.d_model;
    let material = block_on(Material::collect(&model, &prompts, 2)).unwrap();
    assert_eq!(
        (material.positions(), material.layers()),
        (6 * 7, model.config.n_layers)
    );
    let training = Training {
        steps: 40,
        batch: 16,
        ..Training::default()
    };
    for layer in 0..model.config.n_layers {
        let mut next = 0;
        let pick = |n: usize| {
            next = (next + 5) % n;
            next
        };
        let map = block_on(train(&model, &material, layer, training, pick)).unwrap();
        let kl = |map: &Affine| block_on(divergence(&model, &material, layer, map)).unwrap();
        let (before, after) = (kl(&identity(d)), kl(&map));
        assert!(after < 0.9 * before, "layer {layer}: {before} to {after}");
    }
}

/// One step of plain Adam from the identity goes against the sign of the gradient, so the signs can be held against differences.
#[test]
fn the_gradient_is_that_of_the_divergence() {
    let (model, prompts) = setting();
    let d = model.config.d_model;
    let material = block_on(Material::collect(&model, &prompts, 2)).unwrap();
    let n = material.positions();
    let one = Training {
        steps: 1,
        batch: n,
        ..Training::default()
    };
    let mut next = 0;
    let all = |_| {
        next += 1;
        next - 1
    };
    let map = block_on(train(&model, &material, 1, one, all)).unwrap();
    let kl = |map: &Affine| block_on(divergence(&model, &material, 1, map)).unwrap();
    let mut checked = 0;
    for i in [0, 3, d + 1, 2 * d + 5, d * d - 1] {
        let moved = |e: f32| {
            let mut map = identity(d);
            map.matrix[i] += e;
            kl(&map)
        };
        let slope = (moved(0.02) - moved(-0.02)) / 0.04;
        let step = f64::from(map.matrix[i] - identity(d).matrix[i]);
        if slope.abs() > 1e-3 {
            assert!(slope * step < 0.0, "number {i}: slope {slope}, step {step}");
            checked += 1;
        }
    }
    let moved = |e: f32| {
        let mut map = identity(d);
        map.bias[2] += e;
        kl(&map)
    };
    let slope = (moved(0.02) - moved(-0.02)) / 0.04;
    assert!(slope * f64::from(map.bias[2]) <= 0.0);
    assert!(
        checked >= 3,
        "only {checked} slopes are large enough to tell"
    );
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let (model, prompts) = setting();
    let message = block_on(Material::collect(&model, &prompts, 9))
        .err()
        .unwrap();
    assert!(
        message.to_string().contains("more than 9 tokens"),
        "{message}"
    );
    let material = block_on(Material::collect(&model, &prompts, 2)).unwrap();
    let layer = model.config.n_layers;
    let error = block_on(train(&model, &material, layer, Training::default(), |_| 0)).unwrap_err();
    assert!(error.to_string().contains("layer"), "{error}");
}
