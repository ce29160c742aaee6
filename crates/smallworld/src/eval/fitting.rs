//! The lenses that the evaluation uses: fitted on windows of fresh corpus text that no model was trained on.

use crate::Vocabulary;
use crate::error::Result;
use crate::world::experiments::fit_text;
pub use crate::world::experiments::{
    FIT_SEED as TEXT_SEED, FIT_SKIP as SKIP, FIT_WINDOW as WINDOW,
};
use lens::fit::threads::{Drive, fit_prompts};
use lens::fit::{Accumulator, FitOptions, plan_memory};
use lens::{Lens, Origin, Targets};
use std::sync::atomic::AtomicBool;
use transformer::{Cpu, Model};

/// Windows of text.
pub const WINDOWS: usize = 100;

/// Name of the text, for the provenance of a lens.
#[must_use]
pub fn corpus_name() -> String {
    format!("small world, seed {TEXT_SEED}, {WINDOWS} windows of {WINDOW} tokens")
}

/// The windows of text.
#[must_use]
pub fn windows() -> Vec<Vec<u32>> {
    fit_text(&Vocabulary::standard(), WINDOWS)
}

/// Fits the lens of some targets to prompts.
///
/// # Errors
/// Those of the fit.
pub fn fit(
    model: &Model<Cpu>,
    prompts: &[Vec<u32>],
    targets: Targets,
    skip_first: usize,
    threads: usize,
    origin: &Origin,
) -> Result<Lens> {
    let options = FitOptions {
        targets,
        skip_first,
        ..FitOptions::default()
    };
    let longest = prompts.iter().map(Vec::len).max().unwrap_or(1);
    let plan = plan_memory(&model.config, longest, &options, threads, 1 << 30)?;
    let mut sums = Accumulator::mean(options.resolve(&model.config)?);
    let cancel = AtomicBool::new(false);
    let drive = Drive {
        threads,
        row_chunk: plan.row_chunk,
        cancel: &cancel,
        progress: &mut |_| (),
    };
    fit_prompts(model, prompts, &mut sums, drive)?;
    Ok(sums.finish(origin)?)
}
