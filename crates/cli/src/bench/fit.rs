//! `jlens bench fit`: prompts per second of a native fit, and how much of the machine it uses.

use super::peak::Peak;
use super::{best, median, random_prompts, random_weights};
use crate::subject::Outcome;
use clap::Args as ClapArgs;
use formats::ModelFile;
use lens::fit::flops::fit_flops;
use lens::fit::plan_memory;
use lens::fit::threads::{Drive, fit_prompts};
use lens::{Accumulator, FitOptions};
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use transformer::{Cpu, Model, Weights};

/// Fit speed of a model, on one and on all threads, beside the machine's own speed at matrix products in the same run.
///
/// What is counted: a multiply and an add for each weight of each linear map that a token passes, forward once and backward
/// once per cotangent row. Norms, activations, attention's own products, seeding and averaging take time but are not counted.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Model file [default: random weights of the shipped model's shape]
    #[arg(long)]
    model: Option<PathBuf>,
    /// Prompts per measurement
    #[arg(long, default_value_t = 32)]
    prompts: usize,
    /// Tokens per prompt
    #[arg(long, default_value_t = 64)]
    length: usize,
    /// First valid position
    #[arg(long, default_value_t = 4)]
    skip_first: usize,
    /// Cotangent rows per backward pass [default: planned]
    #[arg(long)]
    rows: Option<usize>,
    /// Measurements per number of threads
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Numbers of threads [default: 1 and all]
    #[arg(long, value_delimiter = ',')]
    threads: Vec<usize>,
    /// One JSON object per number of threads
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// A model file that cannot be read, a fit that cannot be made.
pub fn run(args: Args) -> Outcome {
    let weights = weights(&args)?;
    let model = Model::new(Cpu::new(), &weights)?;
    let prompts = random_prompts(&model.config, args.prompts, args.length);
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let mut threads = if args.threads.is_empty() {
        vec![1, all]
    } else {
        args.threads.clone()
    };
    threads.dedup();
    for threads in threads {
        measure(&args, &model, &prompts, threads.max(1))?;
    }
    Ok(())
}

fn weights(args: &Args) -> Outcome<Weights> {
    let Some(path) = &args.model else {
        return random_weights(&smallworld::train::settings::shipped_model());
    };
    let bytes = crate::subject::read(path, "--model takes a model file")?;
    Ok(ModelFile::read(&bytes)
        .map_err(|e| format!("{}: {e}", path.display()))?
        .weights)
}

fn measure(args: &Args, model: &Model<Cpu>, prompts: &[Vec<u32>], threads: usize) -> Outcome {
    let options = FitOptions {
        skip_first: args.skip_first,
        row_chunk: args.rows,
        ..FitOptions::default()
    };
    let plan = plan_memory(&model.config, args.length, &options, threads, 4 << 30)?;
    let estimator = options.resolve(&model.config)?;
    let flops = fit_flops(&model.config, &estimator, args.length) * prompts.len() as f64;
    let mut square = Peak::new(threads);
    let (mut peaks, mut rates) = (vec![square.measure()], Vec::new());
    for repeat in 0..=args.repeats {
        let mut sums = Accumulator::mean(estimator.clone());
        let cancel = AtomicBool::new(false);
        let drive = Drive {
            threads,
            row_chunk: plan.row_chunk,
            cancel: &cancel,
            progress: &mut |_| {},
        };
        let began = Instant::now();
        fit_prompts(model, prompts, &mut sums, drive)?;
        let seconds = began.elapsed().as_secs_f64();
        if sums.used() == 0 {
            return Err("no prompt has a valid position: choose a larger --length or a smaller --skip-first".into());
        }
        if repeat > 0 {
            // the first run fills the pool of buffers
            rates.push(prompts.len() as f64 / seconds);
        }
        peaks.push(square.measure());
    }
    let per_prompt = flops / prompts.len() as f64 / 1e9;
    let (fastest, usual, peak) = (best(&rates), median(rates), best(&peaks));
    if args.json {
        let report = json!({
            "threads": threads, "tokens_per_prompt": args.length, "prompts": prompts.len(), "rows_per_pass": plan.row_chunk,
            "prompts_per_second": { "best": fastest, "median": usual },
            "fit_gflops": { "best": fastest * per_prompt, "median": usual * per_prompt },
            "sgemm_gflops": { "best": peak, "median": median(peaks) },
            "gflop_per_prompt": per_prompt, "share_of_peak": fastest * per_prompt / peak,
            "share_of_peak_median": usual * per_prompt / peak,
        });
        println!("{report}");
        return Ok(());
    }
    println!(
        "{threads} thread(s), {} prompts of {} tokens, {} rows per backward pass",
        prompts.len(),
        args.length,
        plan.row_chunk
    );
    println!(
        "  fit    {fastest:8.2} prompts/s best, {usual:8.2} median  ({per_prompt:.2} GFLOP per prompt in linear maps)"
    );
    println!(
        "         {:8.2} GFLOP/s best, {:8.2} median",
        fastest * per_prompt,
        usual * per_prompt
    );
    println!(
        "  sgemm  {peak:8.2} GFLOP/s best of {} in the same run",
        peaks.len()
    );
    println!(
        "  share  {:8.2} best, {:.2} median\n",
        fastest * per_prompt / peak,
        usual * per_prompt / peak
    );
    Ok(())
}
