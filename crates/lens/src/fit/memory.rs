//! How much memory a fit takes, before it takes it.
//!
//! Counted in numbers of 4 bytes: the parameters on the backend; one forward trace per thread; the working buffers of one
//! backward pass per thread, which grow with the rows per chunk; the prompt's J and the sums. Buffers come from a pool that
//! keeps what it once gave, so the working set of a pass is the sum of all sizes that are alive at its widest point.

use super::{Estimator, FitOptions};
use crate::error::{Error, Result};
use transformer::layout::parameter_count;
use transformer::ops::activation::input_width;
use transformer::{Activation, Config, Positions};

/// Rows per chunk that are enough for the matrix products to run at full speed: more only costs memory and cache.
const ENOUGH_ROWS: usize = 640;

/// A fit's memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Cotangent rows per backward pass.
    pub row_chunk: usize,
    /// Parameters on the backend (a tied unembedding counts twice, as it is held twice).
    pub parameters: usize,
    /// Forward traces of all threads.
    pub traces: usize,
    /// Working buffers of all threads.
    pub working: usize,
    /// Jacobians of prompts in progress, and the sums.
    pub jacobians: usize,
}

impl Plan {
    /// Everything.
    pub fn total(&self) -> usize {
        self.parameters + self.traces + self.working + self.jacobians
    }
}

/// Plans a fit of prompts of at most `t` tokens by `threads` threads within `budget` bytes.
///
/// # Errors
/// [`Error::Memory`] if not even one row at a time fits; bad options.
pub fn plan_memory(
    config: &Config,
    t: usize,
    options: &FitOptions,
    threads: usize,
    budget: usize,
) -> Result<Plan> {
    let e = options.resolve(config)?;
    let (t, threads) = (t.max(1), threads.max(1));
    let with = |rows: usize| Plan {
        row_chunk: rows,
        parameters: 4 * parameters(config),
        traces: 4 * threads * trace(config, t),
        working: 4 * threads * working(config, t, rows),
        jacobians: jacobians(&e, threads),
    };
    let least = with(1);
    let row = 4 * threads * working(config, t, 1);
    let free = budget.checked_sub(least.total() - row);
    let fits = free.map_or(0, |free| free / row).min(config.d_model);
    let wanted = options.row_chunk.unwrap_or_else(|| ENOUGH_ROWS.div_ceil(t));
    match (fits, options.row_chunk) {
        (0, _) => too_much(least.total(), budget),
        (fits, Some(rows)) if rows.min(config.d_model) > fits => {
            too_much(with(rows.min(config.d_model)).total(), budget)
        }
        (fits, _) => Ok(with(even(config.d_model, wanted.min(fits)))),
    }
}

fn too_much(needed: usize, budget: usize) -> Result<Plan> {
    Err(Error::Memory {
        what: "this fit",
        needed,
        budget,
        advice: "shorten the prompts, use fewer threads, rows per chunk or source layers, or allow more",
    })
}

/// At most `rows` per chunk, such that `d` falls into chunks of nearly equal size.
fn even(d: usize, rows: usize) -> usize {
    let rows = rows.clamp(1, d);
    d.div_ceil(d.div_ceil(rows))
}

fn parameters(c: &Config) -> usize {
    let second = if c.tied { c.vocab * c.d_model } else { 0 };
    let rope = match c.positions {
        Positions::Rope { rotary_dim, .. } => c.max_context * rotary_dim,
        _ => 0,
    };
    parameter_count(c) + second + rope
}

fn qkv_width(c: &Config) -> usize {
    c.q_width() + 2 * c.kv_width()
}

/// What a pass kept for a VJP holds: per block the state, two normalised copies, queries to values, pattern and slopes; the
/// forward pass's own transients come on top once.
fn trace(c: &Config, t: usize) -> usize {
    let block = 3 * c.d_model
        + 2
        + qkv_width(c)
        + c.n_heads * c.reach(t)
        + input_width(c.activation, c.d_ff);
    let transient = 3 * c.d_model + c.q_width() + input_width(c.activation, c.d_ff) + c.d_ff;
    t * (c.d_model + c.n_layers * block + transient)
}

/// Buffers alive at once in a backward pass of `rows` cotangents (see `Model::vjp`): the cotangent and a branch, the hidden
/// layer before and after the activation, attention's input and output.
fn working(c: &Config, t: usize, rows: usize) -> usize {
    let hidden = match c.activation {
        Activation::SwiGlu => 3 * c.d_ff,
        _ => c.d_ff,
    };
    rows * t * (2 * c.d_model + hidden + c.q_width() + qkv_width(c))
}

/// Bytes: the sums in f64, each thread's J in f32 on the backend (twice for two passes) and read back, and as many again
/// waiting for their turn.
fn jacobians(e: &Estimator, threads: usize) -> usize {
    let numbers = e.d * e.d * e.sources.len();
    numbers * (8 + 4 * threads * (e.passes().len() + 2))
}
