//! One operation at a time, at the sizes of one chunk of a fit: arithmetic and memory traffic per second, as the formulas have it.

use crate::Outcome;
use gpu::Gpu;
use pollster::block_on;
use std::time::Instant;
use transformer::ops::attention::Shape;
use transformer::ops::{Linear, Norm};
use transformer::{Activation, NormKind, Ops, Paths};

/// Seconds of one call, as the difference of two recordings' shortest times: that leaves out what every request costs. `None` where
/// the difference drowns in the noise of a busy machine.
fn seconds(gpu: &Gpu, mut call: impl FnMut()) -> Outcome<Option<f64>> {
    let mut recording = |times: usize| -> Outcome<f64> {
        let start = Instant::now();
        (0..times).for_each(|_| call());
        block_on(gpu.read(&gpu.zeros(4)))?; // one readback waits for everything recorded
        Ok(start.elapsed().as_secs_f64())
    };
    recording(1)?;
    let (more, repeats) = if gpu.adapter.software {
        (2, 2)
    } else {
        (20, 3)
    };
    let (mut short, mut long) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..repeats {
        short = short.min(recording(1)?);
        long = long.min(recording(1 + more)?);
    }
    let each = (long - short) / more as f64;
    Ok((each > 0.0).then_some(each))
}

fn print(name: &str, each: Option<f64>, flop: f64, bytes: f64, peak: f64) {
    let Some(each) = each else {
        println!("  {name:<52} too short to tell beside the machine's other work");
        return;
    };
    println!(
        "  {name:<52} {:>9.3} ms {:>9.1} GFLOP/s {:>9.1} GB/s {:>6.1} % of peak",
        1e3 * each,
        flop / each / 1e9,
        bytes / each / 1e9,
        100.0 * flop / each / peak
    );
}

/// Prints a line per operation.
pub fn report(gpu: &Gpu, peak: f64) -> Outcome {
    println!("operations, backwards, at the sizes of one chunk of rows:");
    let (shipped, large) = if gpu.adapter.software {
        (512, 128)
    } else {
        (6144, 8192)
    };
    for (name, rows, inp, out) in [
        ("96 <- 288", shipped, 96, 288),
        ("96 <- 256", shipped, 96, 256),
        ("256 <- 96", shipped, 256, 96),
        ("576 <- 3072", large, 576, 3072),
        ("1536 <- 576", large, 1536, 576),
    ] {
        for naive in [false, true] {
            if naive && gpu.adapter.software && inp * out > 100_000 {
                continue; // takes a processor minutes
            }
            product(gpu, name, [rows, inp, out], naive, peak)?;
        }
    }
    let heads = |seq, heads, kv_heads, head_dim, reach| Shape {
        seq,
        heads,
        kv_heads,
        head_dim,
        reach,
    };
    attention(
        gpu,
        "attention, 4 heads of 24, window 5",
        heads(64, 4, 4, 24, 5),
        shipped,
        peak,
    )?;
    attention(
        gpu,
        "attention, 9 heads over 3 of 64, 128 tokens",
        heads(128, 9, 3, 64, 128),
        large,
        peak,
    )?;
    rows(gpu, 96, 256, shipped, peak)?;
    rows(gpu, 576, 1536, large, peak)
}

fn product(gpu: &Gpu, name: &str, sizes: [usize; 3], naive: bool, peak: f64) -> Outcome {
    let ([rows, inp, out], mut gpu) = (sizes, gpu.clone());
    gpu.naive_matmul = naive;
    let map = Linear {
        w: gpu.upload(&vec![0.01; inp * out]),
        bias: None,
        inp,
        out,
    };
    let g = gpu.upload(&vec![0.5; rows * out]);
    let each = seconds(&gpu, || drop(gpu.linear_vjp(&g, &map)))?;
    let kind = if naive { "naive" } else { "tiled" };
    let bytes = 4 * (rows * out + rows * inp + inp * out);
    let flop = 2.0 * (rows * inp * out) as f64;
    print(
        &format!("product {name}, {rows} rows, {kind}"),
        each,
        flop,
        bytes as f64,
        peak,
    );
    Ok(())
}

fn attention(gpu: &Gpu, name: &str, s: Shape, rows: usize, peak: f64) -> Outcome {
    let (n, rows) = (s.seq, rows.max(s.seq) / s.seq * s.seq);
    let qkv = gpu.upload(&vec![0.1; n * s.width()]);
    let (_, pattern) = gpu.attention(&qkv, s);
    let g = gpu.upload(&vec![0.5; rows * s.out_width()]);
    let each = seconds(gpu, || {
        drop(gpu.attention_vjp(&g, &qkv, &pattern, s, Paths::ALL))
    })?;
    // keys in view of each position; scores once, then queries, keys and values
    let seen: usize = (0..s.seq).map(|t| s.reach.min(t + 1)).sum();
    let flop = 2.0 * (4 * seen * (rows / s.seq) * s.out_width()) as f64;
    let bytes = 4 * (rows * s.out_width() + rows * s.width() + 2 * rows * s.heads * s.reach);
    print(
        &format!("{name}, {rows} rows"),
        each,
        flop,
        bytes as f64,
        peak,
    );
    Ok(())
}

/// Operations that are limited by memory.
fn rows(gpu: &Gpu, d: usize, f: usize, rows: usize, peak: f64) -> Outcome {
    let n = 64;
    let filled = |len| gpu.upload(&vec![0.5; len]);
    let norm = Norm {
        gain: filled(d),
        bias: None,
        kind: NormKind::Rms,
        eps: 1e-5,
    };
    let (_, saved) = gpu.norm(&filled(n * d), &norm);
    let mut g = gpu.copy(&filled(rows * d));
    let each = seconds(gpu, || gpu.norm_vjp(&mut g, &norm, &saved))?;
    let moved = |numbers: usize| (4 * numbers) as f64;
    print(
        &format!("norm, width {d}, {rows} rows"),
        each,
        7.0 * (rows * d) as f64,
        moved(2 * rows * d),
        peak,
    );

    let (_, slope) = gpu.activation(&filled(n * 2 * f), Activation::SwiGlu, f);
    let g = filled(rows * f);
    let each = seconds(gpu, || {
        let gx = gpu.activation_vjp(gpu.copy(&g), &slope, Activation::SwiGlu, f);
        drop(gx);
    })?;
    let name = format!("SwiGLU and a copy, width {f}, {rows} rows");
    print(
        &name,
        each,
        2.0 * (rows * f) as f64,
        moved(5 * rows * f),
        peak,
    );

    let mut a = gpu.copy(&filled(rows * d));
    let b = filled(rows * d);
    let each = seconds(gpu, || gpu.add(&mut a, &b))?;
    print(
        &format!("add, width {d}, {rows} rows"),
        each,
        (rows * d) as f64,
        moved(3 * rows * d),
        peak,
    );
    Ok(())
}
