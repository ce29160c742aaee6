//! Where the time of a lens fit goes: the whole VJP and each operation by itself, at the shipped model's shape, one thread.
//!
//! GFLOP/s count two operations per multiply-add of the linear maps only.

use std::time::Instant;
use transformer::ops::attention::Shape;
use transformer::ops::{Linear, Norm};
use transformer::{Activation, Config, Cpu, Keep, Model, Ops, Paths, Weights};

/// Best of several runs, in seconds.
fn best(mut f: impl FnMut()) -> f64 {
    (0..7)
        .map(|_| {
            let start = Instant::now();
            f();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

fn main() -> transformer::Result<()> {
    let config = Config::small_world(794);
    let mut weights = Weights::zeros(&config)?;
    for (i, w) in weights.flat.iter_mut().enumerate() {
        *w = 0.1 * (i as f32 * 0.731).sin();
    }
    let m = Model::new(Cpu::new(), &weights)?;
    let (t, d) = (64, config.d_model);
    let tokens: Vec<u32> = (0..t as u32).collect();
    let valid = vec![true; t];
    let trace = m.forward(&tokens, t, &[], Keep::ForVjp)?;
    let forward = best(|| drop(m.forward(&tokens, t, &[], Keep::ForVjp)));
    println!("forward {:.3} ms", 1e3 * forward);
    let maps = 2 * d * (3 * d + d + 2 * config.d_ff);
    for rows in [4, 8, 16, 32, 96] {
        let mut j = m.ops.zeros(d * d);
        let seconds = best(|| {
            for first in (0..d).step_by(rows) {
                let g = m.ops.seed(first, rows, d, &valid);
                let mean = &mut |_, g: &_| m.ops.mean_positions(g, first, d, &valid, &mut j);
                let _ = m.vjp(&trace, config.n_layers, 0, g, Paths::ALL, mean);
            }
        });
        let gflop = (maps * config.n_layers * t * d) as f64 * 1e-9;
        println!(
            "fit of one prompt, {rows} rows at once: {:.1} ms, {:.1} GFLOP/s",
            1e3 * seconds,
            gflop / seconds
        );
    }
    per_op(&m, t, 16);
    Ok(())
}

/// Each operation of one block on `rows` cotangents.
fn per_op(m: &Model<Cpu>, t: usize, rows: usize) {
    let (o, d) = (&m.ops, m.config.d_model);
    let b = &m.params.blocks[0];
    let x = o.upload(&vec![0.5; t * d]);
    let g = |width: usize| o.upload(&vec![0.01; rows * t * width]);
    let map = |name: &str, map: &Linear<_>| {
        let g = g(map.out);
        let seconds = best(|| drop(o.linear_vjp(&g, map)));
        let gflop = 2e-9 * (rows * t * map.inp * map.out) as f64;
        println!(
            "{name}: {:.0} us, {:.1} GFLOP/s",
            1e6 * seconds,
            gflop / seconds
        );
    };
    map("qkv", &b.qkv);
    map("o", &b.o);
    map("up", &b.up);
    map("down", &b.down);
    let (_, saved) = o.norm(&x, &b.norm1);
    let mut gx = g(d);
    let norm: &Norm<_> = &b.norm1;
    println!(
        "norm: {:.0} us",
        1e6 * best(|| o.norm_vjp(&mut gx, norm, &saved))
    );
    let shape = Shape {
        seq: t,
        heads: 4,
        kv_heads: 4,
        head_dim: 24,
        reach: 5,
    };
    let qkv = o.upload(&vec![0.1; t * shape.width()]);
    let (_, p) = o.attention(&qkv, shape);
    let ga = g(d);
    let seconds = best(|| drop(o.attention_vjp(&ga, &qkv, &p, shape, Paths::ALL)));
    println!("attention: {:.0} us", 1e6 * seconds);
    let mut gq = g(shape.width());
    let table = o.upload(&vec![0.5; t * 24]);
    let seconds = best(|| o.rope(&mut gq, shape, &table, 24, true));
    println!("rope: {:.0} us", 1e6 * seconds);
    let slope = o.upload(&vec![1.0; t * 256]);
    let mut gu = Some(g(256));
    let seconds = best(|| {
        gu = gu
            .take()
            .map(|g| o.activation_vjp(g, &slope, Activation::Relu, 256));
    });
    println!("relu: {:.0} us", 1e6 * seconds);
    let valid = vec![true; t];
    let mut j = o.zeros(d * d);
    let gj = g(d);
    println!(
        "mean: {:.0} us, seed: {:.0} us",
        1e6 * best(|| o.mean_positions(&gj, 0, d, &valid, &mut j)),
        1e6 * best(|| drop(o.seed(0, rows, d, &valid)))
    );
}
