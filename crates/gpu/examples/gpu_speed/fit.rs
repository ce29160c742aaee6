//! One prompt's fit through the real code: all source layers, all rows, the sums on the device.

use crate::Outcome;
use gpu::{Counters, Gpu};
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
    let before = model.ops.counters();
    let mut prompt = |patient| -> Outcome<Run> {
        let fit = PromptFit::new(&model, &estimator, plan.row_chunk, &tokens)?;
        let (run, fit) = time(fit.ok_or("the prompt has no valid position")?, patient)?;
        if run.rows == config.d_model {
            sums.add(fit)?;
        }
        Ok(run)
    };
    // the first run warms up and finds out whether there is time for all; the second waits once
    let mut run = prompt(false)?;
    if run.rows == config.d_model {
        run = prompt(true)?;
    }
    let seconds = run.seconds * config.d_model as f64 / run.rows as f64;
    let extrapolated = match run.rows == config.d_model {
        true => String::new(),
        false => format!(
            ", EXTRAPOLATED from {} of {} rows",
            run.rows, config.d_model
        ),
    };
    let flops = fit_flops(&config, &estimator, t);
    let chunk = plan.row_chunk;
    println!("{name}: fit of one prompt of {t} tokens, {chunk} rows at a time{extrapolated}");
    println!(
        "  {seconds:.3} s, {:.3} TFLOP/s in linear maps ({:.3} TFLOP), {:.1} % of peak",
        flops / seconds / 1e12,
        flops / 1e12,
        100.0 * flops / seconds / peak
    );
    print_cost(gpu, before, plan.total());
    Ok(())
}

/// What a run took.
struct Run {
    seconds: f64,
    rows: usize,
}

/// Fits all rows; an impatient run waits for each chunk and stops early on a slow device.
fn time(mut fit: PromptFit<'_, Gpu>, patient: bool) -> Outcome<(Run, PromptFit<'_, Gpu>)> {
    let (start, mut rows) = (Instant::now(), 0);
    while let Some(done) = fit.step()? {
        rows = done.end;
        if !patient {
            block_on(fit.rows(0, 0..1))?;
            if start.elapsed().as_secs_f64() > PATIENCE {
                break;
            }
        }
    }
    block_on(fit.rows(0, 0..1))?;
    let seconds = start.elapsed().as_secs_f64();
    Ok((Run { seconds, rows }, fit))
}

fn print_cost(gpu: &Gpu, before: Counters, planned: usize) {
    let after = gpu.counters();
    println!(
        "  all runs: {} dispatches, {} submissions, {} readbacks of {} KiB together, {} KiB sent; {} MiB planned, {} MiB held",
        after.dispatches - before.dispatches,
        after.submits - before.submits,
        after.readbacks - before.readbacks,
        (after.bytes_read - before.bytes_read) / 1024,
        (after.bytes_written - before.bytes_written) / 1024,
        planned >> 20,
        gpu.held_bytes() >> 20
    );
}
