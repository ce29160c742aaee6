//! How fast the device is: each matrix product of the model, tiled and naive; the fit of one prompt of the shipped model's shape
//! and of a random-weight model at SmolLM2-135M's shape (`--large`), with what was sent and read back.
//!
//! `cargo run -p gpu --profile native --example gpu_speed [--large]`; the binary needs no file and no network.
//! GFLOP/s count two operations per multiply-add of the linear maps only.

use gpu::Gpu;
use pollster::block_on;
use std::time::Instant;
use transformer::ops::Linear;
use transformer::{
    Activation, Config, Keep, Model, NormKind, NormPlace, Ops, Paths, Positions, Weights,
};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn shipped() -> Config {
    Config {
        vocab: 794,
        d_model: 96,
        n_layers: 8,
        n_heads: 4,
        n_kv_heads: 4,
        head_dim: 24,
        d_ff: 256,
        max_context: 64,
        norm: NormKind::Rms,
        norm_eps: 1e-5,
        norm_place: NormPlace::Post,
        window: Some(5),
        positions: Positions::Rope {
            base: 1000.0,
            rotary_dim: 24,
        },
        activation: Activation::Relu,
        tied: false,
        bias: false,
    }
}

/// SmolLM2-135M's shape.
fn large() -> Config {
    Config {
        vocab: 49_152,
        d_model: 576,
        n_layers: 30,
        n_heads: 9,
        n_kv_heads: 3,
        head_dim: 64,
        d_ff: 1536,
        max_context: 128,
        norm_place: NormPlace::Pre,
        window: None,
        positions: Positions::Rope {
            base: 100_000.0,
            rotary_dim: 64,
        },
        activation: Activation::SwiGlu,
        tied: true,
        ..shipped()
    }
}

fn main() -> Outcome {
    let gpu = block_on(Gpu::open())?;
    let about = &gpu.adapter;
    println!(
        "{} ({}), software: {}",
        about.name, about.api, about.software
    );
    let start = Instant::now();
    let (gpu, check) = block_on(gpu::self_check(gpu, || start.elapsed().as_secs_f64()))?;
    println!(
        "self-check: {} ms in all, error {:.1e}, {:?}",
        start.elapsed().as_millis(),
        check.error,
        check.timing
    );
    products(&gpu)?;
    fit(&gpu, "shipped model", shipped(), 64, 96)?;
    if std::env::args().any(|a| a == "--large") {
        fit(&gpu, "SmolLM2-135M's shape", large(), 128, 16)?;
    }
    Ok(())
}

/// Tiled against naive, on the sizes of one chunk of a fit.
fn products(gpu: &Gpu) -> Outcome {
    for (name, rows, inp, out) in [
        ("96 -> 288", 6144, 96, 288),
        ("96 -> 256", 6144, 96, 256),
        ("576 -> 1536", 2048, 576, 1536),
    ] {
        for naive in [false, true] {
            let mut gpu = gpu.clone();
            gpu.naive_matmul = naive;
            let map = Linear {
                w: gpu.upload(&vec![0.01; inp * out]),
                bias: None,
                inp,
                out,
            };
            let g = gpu.upload(&vec![0.5; rows * out]);
            let once = |times: usize| -> Outcome<f64> {
                let start = Instant::now();
                for _ in 0..times {
                    gpu.linear_vjp(&g, &map);
                }
                block_on(gpu.read(&gpu.zeros(4)))?; // one readback waits for everything recorded
                Ok(start.elapsed().as_secs_f64())
            };
            once(1)?;
            // the difference of two lengths leaves out what every request costs
            let (short, long) = (once(1)?, once(5)?);
            let each = ((long - short) / 4.0).max(1e-9);
            let kind = if naive { "naive" } else { "tiled" };
            let gflop = 2e-9 * (rows * inp * out) as f64;
            println!(
                "product {name}, {rows} rows, {kind}: {:.1} GFLOP/s",
                gflop / each
            );
        }
    }
    Ok(())
}

/// One prompt's J, all layers, `rows` cotangents at once.
fn fit(gpu: &Gpu, name: &str, config: Config, t: usize, rows: usize) -> Outcome {
    let mut weights = Weights::zeros(&config)?;
    for (i, w) in weights.flat.iter_mut().enumerate() {
        *w = 0.05 * (i as f32 * 0.731).sin();
    }
    let (d, last) = (config.d_model, config.n_layers);
    let up = if config.activation == Activation::SwiGlu {
        3
    } else {
        2
    };
    let maps = d * (2 * config.q_width() + 2 * config.kv_width()) + up * d * config.d_ff;
    let m = Model::new(gpu.clone(), &weights)?;
    let tokens: Vec<u32> = (0..t as u32).map(|i| i * 5 % 700).collect();
    let valid: Vec<bool> = (0..t).map(|i| i > 3 && i + 1 < t).collect();
    let mut best = f64::INFINITY;
    for _ in 0..2 {
        let (before, start) = (m.ops.counters(), Instant::now());
        let trace = m.forward(&tokens, t, &[], Keep::ForVjp)?;
        let mut js: Vec<_> = (0..last).map(|_| m.ops.zeros(d * d)).collect();
        for first in (0..d).step_by(rows) {
            let n = rows.min(d - first);
            let g = m.ops.seed(first, n, d, &valid);
            m.vjp(&trace, last, 0, g, Paths::ALL, &mut |l, g| {
                m.ops.mean_positions(g, first, d, &valid, &mut js[l]);
            })?;
        }
        block_on(m.ops.read(&js[0]))?;
        best = best.min(start.elapsed().as_secs_f64());
        let now = m.ops.counters();
        println!(
            "{name}: {} dispatches, {} submits, {} readbacks of {} KiB, {} MiB on the device",
            now.dispatches - before.dispatches,
            now.submits - before.submits,
            now.readbacks - before.readbacks,
            (now.bytes_read - before.bytes_read) / 1024,
            m.ops.allocated_bytes() >> 20
        );
    }
    let gflop = 2e-9 * (maps * last * t * d) as f64;
    println!(
        "{name}: fit of one prompt of {t} tokens: {best:.3} s, {:.1} GFLOP/s",
        gflop / best
    );
    Ok(())
}
