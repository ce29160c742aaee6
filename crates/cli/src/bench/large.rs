//! `jlens bench large`: memory and time at the shape of SmolLM2-135M, with random weights.

use super::{random_prompts, random_weights};
use crate::subject::Outcome;
use clap::Args as ClapArgs;
use lens::fit::flops::fit_flops;
use lens::fit::{Plan, plan_memory};
use lens::readout::{self, ReadOptions};
use lens::{Accumulator, Estimator, FitOptions, Lens, Origin, PromptFit};
use serde_json::json;
use std::time::Instant;
use transformer::layout::parameter_count;
use transformer::model::Keep;
use transformer::{Config, Cpu, Model};

/// Memory and time of fitting and reading a model of SmolLM2-135M's shape (random weights): what is planned, what is taken,
/// how long a chunk of rows and a readout take. A whole fit is extrapolated from measured chunks, and says so.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Tokens of the prompt
    #[arg(long, default_value_t = 32)]
    length: usize,
    /// Memory to plan for, in MiB
    #[arg(long, default_value_t = 2048)]
    memory: usize,
    /// Chunks of rows to time
    #[arg(long, default_value_t = 3)]
    chunks: usize,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What was measured.
struct Measured {
    plan: Plan,
    chunk_seconds: Vec<f64>,
    forward_seconds: f64,
    fit_peak: Option<usize>,
    read_seconds: f64,
    read_peak: Option<usize>,
    cells: usize,
}

/// Runs the subcommand.
///
/// # Errors
/// Too little memory for the plan.
pub fn run(args: Args) -> Outcome {
    let config = Config::smollm2_135m(args.length.max(1));
    let options = FitOptions::default();
    let plan = plan_memory(&config, args.length, &options, 1, args.memory << 20)?;
    eprintln!(
        "{} million parameters; {} MiB planned",
        parameter_count(&config) / 1_000_000,
        plan.total() >> 20
    );
    let model = {
        let weights = random_weights(&config)?;
        Model::from_flat(Cpu::new(), &config, &weights.flat)?
    };
    let estimator = options.resolve(&config)?;
    let measured = measure(&args, &model, &estimator, plan)?;
    report(&args, &estimator, &config, &measured);
    Ok(())
}

fn measure(
    args: &Args,
    model: &Model<Cpu>,
    estimator: &Estimator,
    plan: Plan,
) -> Outcome<Measured> {
    let prompt = random_prompts(&model.config, 1, args.length).remove(0);
    reset_peak();
    let began = Instant::now();
    let fit = PromptFit::new(model, estimator, plan.row_chunk, &prompt)?;
    let mut fit = fit.ok_or("the prompt has no valid position; choose a larger --length")?;
    let forward_seconds = began.elapsed().as_secs_f64();
    // the sums are part of the plan
    let sums = Accumulator::mean(estimator.clone());
    let mut chunk_seconds = Vec::new();
    for _ in 0..args.chunks.max(1) {
        let began = Instant::now();
        if fit.step()?.is_none() {
            break;
        }
        chunk_seconds.push(began.elapsed().as_secs_f64());
    }
    let fit_peak = peak_memory();
    drop((sums, fit));

    let lens = random_lens(model, estimator)?;
    let trace = model.forward(&prompt, prompt.len(), &[], Keep::Residuals)?;
    let layers: Vec<usize> = (0..=model.config.n_layers).collect();
    reset_peak();
    let began = Instant::now();
    let mut cells = 0;
    for lens in [None, Some(&lens)] {
        let read = readout::read(model, &trace, lens, &layers, ReadOptions::default());
        cells += pollster::block_on(read)?
            .iter()
            .map(Vec::len)
            .sum::<usize>();
    }
    let (read_seconds, read_peak) = (began.elapsed().as_secs_f64(), peak_memory());
    Ok(Measured {
        plan,
        chunk_seconds,
        forward_seconds,
        fit_peak,
        read_seconds,
        read_peak,
        cells,
    })
}

/// A lens of the right size; its numbers do not matter for time.
fn random_lens(model: &Model<Cpu>, estimator: &Estimator) -> Outcome<Lens> {
    let top = Estimator {
        sources: vec![estimator.target - 1],
        ..estimator.clone()
    };
    let layers = [(
        estimator.target - 1,
        vec![0.001f32; estimator.d * estimator.d],
    )];
    let mut sums = Accumulator::mean(top);
    sums.add(&lens::fit::PromptJacobian {
        tokens: 2,
        layers: layers.into(),
    })?;
    let mut lens = sums.finish(&Origin::default())?;
    for layer in 0..model.config.n_layers {
        let mut j = vec![0.001f32; estimator.d * estimator.d];
        (0..estimator.d).for_each(|i| j[i * estimator.d + i] = 1.0);
        lens.layers.insert(layer, j);
    }
    Ok(lens)
}

fn report(args: &Args, estimator: &Estimator, config: &Config, m: &Measured) {
    let chunk = super::median(m.chunk_seconds.clone());
    let chunks = estimator.d.div_ceil(m.plan.row_chunk);
    let prompt = m.forward_seconds + chunk * chunks as f64;
    let gflops = fit_flops(config, estimator, args.length) / prompt / 1e9;
    let mib = |bytes: usize| bytes >> 20;
    if args.json {
        let report = json!({
            "tokens": args.length, "row_chunk": m.plan.row_chunk, "chunks_per_prompt": chunks,
            "planned_bytes": { "parameters": m.plan.parameters, "traces": m.plan.traces, "working": m.plan.working,
                "jacobians": m.plan.jacobians, "total": m.plan.total() },
            "peak_bytes": { "fit": m.fit_peak, "read": m.read_peak },
            "seconds": { "forward": m.forward_seconds, "chunks": m.chunk_seconds, "prompt_extrapolated": prompt, "read": m.read_seconds },
            "cells_read": m.cells, "fit_gflops": gflops,
        });
        println!("{report}");
        return;
    }
    let peak = |p: Option<usize>| {
        p.map_or("not measured on this system".into(), |p| {
            format!("{} MiB", mib(p))
        })
    };
    let p = m.plan;
    println!(
        "shape of SmolLM2-135M, random weights, {} tokens, 1 thread",
        args.length
    );
    println!(
        "  planned       {} MiB: parameters {}, trace {}, working {}, Jacobians {}",
        mib(p.total()),
        mib(p.parameters),
        mib(p.traces),
        mib(p.working),
        mib(p.jacobians)
    );
    println!(
        "  taken         {} at most in the fit (whole process), {} in the readout",
        peak(m.fit_peak),
        peak(m.read_peak)
    );
    println!("  forward       {:.2} s", m.forward_seconds);
    println!(
        "  a chunk       {chunk:.2} s for {} cotangent rows at all {} layers ({} measured)",
        p.row_chunk,
        config.n_layers,
        m.chunk_seconds.len()
    );
    println!(
        "  a prompt      {prompt:.0} s, extrapolated from the measured chunks to all {chunks}; {gflops:.1} GFLOP/s in linear maps"
    );
    println!(
        "  readout       {:.2} s for {} cells (both lenses, all layers and positions, 10 words each)",
        m.read_seconds, m.cells
    );
}

/// Largest resident size of this process so far, in bytes; Linux only.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib << 10)
}

/// Forgets the peak so far, where the system can.
fn reset_peak() {
    // best effort: without it the peak includes what came before
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
