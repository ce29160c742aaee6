//! One prompt's fit through the real code: all source layers, all rows, the sums on the device.

use crate::Outcome;
use gpu::Gpu;
use lens::fit::flops::fit_flops;
use lens::fit::{Device, Running, plan_device};
use lens::{FitOptions, PromptFit};
use pollster::block_on;
use std::time::Instant;
use transformer::{Config, Model, Weights};

/// Device memory that a fit may take.
const BUDGET: usize = 4 << 30;
/// Seconds after which the rest is extrapolated.
const PATIENCE: f64 = 60.0;

/// Speed does not depend on the weights.
pub fn weights(config: &Config) -> Outcome<Weights> {
    let mut weights = Weights::zeros(config)?;
    for (i, w) in weights.flat.iter_mut().enumerate() {
        *w = 0.05 * ((i % 10_007) as f32 * 0.731).sin();
    }
    Ok(weights)
}

/// Prints prompts per second and what they cost.
pub fn report(gpu: &Gpu, name: &str, config: Config, t: usize, peak: f64) -> Outcome {
    let options = FitOptions::default();
    let device = Device {
        budget: BUDGET,
        binding: 128 << 20,
    };
    let plan = plan_device(&config, t, &options, device)?;
    let estimator = options.resolve(&config)?;
    let model = Model::new(gpu.clone(), &weights(&config)?)?;
    let tokens: Vec<u32> = (0..t as u32).map(|i| i * 5 % 700).collect();
    let mut sums = Running::new(&model, &estimator);
    let mut best = f64::INFINITY;
    let mut rows = 0;
    let before = model.ops.counters();
    for run in 0..2 {
        let start = Instant::now();
        let fit = PromptFit::new(&model, &estimator, plan.row_chunk, &tokens)?;
        let mut fit = fit.ok_or("the prompt has no valid position")?;
        rows = 0;
        while let Some(done) = fit.step()? {
            rows = done.end;
            // the first run warms up and finds out whether there is time for all; the second waits once
            if run == 0 {
                block_on(fit.rows(0, 0..1))?;
            }
            if start.elapsed().as_secs_f64() > PATIENCE {
                break;
            }
        }
        block_on(fit.rows(0, 0..1))?;
        best = best.min(start.elapsed().as_secs_f64() * config.d_model as f64 / rows as f64);
        if rows < config.d_model {
            break;
        }
        sums.add(fit)?;
    }
    let extrapolated = if rows < config.d_model {
        format!(", EXTRAPOLATED from {rows} of {} rows", config.d_model)
    } else {
        String::new()
    };
    let after = model.ops.counters();
    let flops = fit_flops(&config, &estimator, t);
    println!(
        "{name}: fit of one prompt of {t} tokens, {} rows at a time{extrapolated}",
        plan.row_chunk
    );
    println!(
        "  {best:.3} s, {:.3} TFLOP/s in linear maps ({:.2} TFLOP), {:.1} % of peak",
        flops / best / 1e12,
        flops / 1e12,
        100.0 * flops / best / peak
    );
    println!(
        "  both runs: {} dispatches, {} submissions, {} readbacks of {} KiB together, {} KiB sent; {} MiB planned, {} MiB held",
        after.dispatches - before.dispatches,
        after.submits - before.submits,
        after.readbacks - before.readbacks,
        (after.bytes_read - before.bytes_read) / 1024,
        (after.bytes_written - before.bytes_written) / 1024,
        plan.total() >> 20,
        model.ops.held_bytes() >> 20
    );
    Ok(())
}
