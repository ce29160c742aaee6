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

/// Rows times tokens per chunk that keep a large GPU busy.
const BUSY_ROWS: usize = 8192;

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
    choose(
        &with,
        config.d_model,
        options.row_chunk,
        ENOUGH_ROWS.div_ceil(t),
        budget,
    )
}

/// What a device allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// Bytes that the fit may take on it.
    pub budget: usize,
    /// Bytes of one matrix that a kernel can see (WebGPU: 128 MiB).
    pub binding: usize,
}

/// Plans a fit on a device: one prompt at a time, more rows per chunk than on a processor, no buffer of a pass larger than a
/// kernel can see, and the sums over prompts kept there ([`super::Running`]). Where the budget does not allow the row chunk of the
/// options, a smaller one is taken.
///
/// # Errors
/// As [`plan_memory`].
pub fn plan_device(
    config: &Config,
    t: usize,
    options: &FitOptions,
    device: Device,
) -> Result<Plan> {
    let e = options.resolve(config)?;
    let t = t.max(1);
    let matrix = 4 * e.d * e.d * e.sources.len();
    let with = |rows: usize| Plan {
        row_chunk: rows,
        parameters: 4 * parameters(config),
        traces: 4 * trace(config, t),
        working: 4 * (working(config, t, rows) + rows * t * extra(config, t)),
        jacobians: matrix * (e.passes().len() + 2),
    };
    let row = 4 * t * widest(config, t);
    let most = device.binding / row;
    if most == 0 {
        return Err(Error::Memory {
            what: "one row of cotangents",
            needed: row,
            budget: device.binding,
            advice: "the device sees no larger matrix: shorten the prompts, or fit on the CPU",
        });
    }
    let wanted = options.row_chunk.unwrap_or(BUSY_ROWS.div_ceil(t));
    choose(&with, config.d_model, None, wanted.min(most), device.budget)
}

/// As many rows as fit into the budget, at most `wanted`; exactly the `asked` ones, if any.
fn choose(
    with: &dyn Fn(usize) -> Plan,
    d: usize,
    asked: Option<usize>,
    wanted: usize,
    budget: usize,
) -> Result<Plan> {
    let least = with(1);
    let row = with(2).working - least.working;
    let free = budget.checked_sub(least.total() - row);
    let fits = free.map_or(0, |free| free / row).min(d);
    match (fits, asked) {
        (0, _) => too_much(least.total(), budget),
        (fits, Some(rows)) if rows.min(d) > fits => too_much(with(rows.min(d)).total(), budget),
        (fits, rows) => Ok(with(even(d, rows.unwrap_or(wanted).min(fits)))),
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

/// What a device holds beside [`working`], per cotangent row and token: activations are not pulled back in place, and attention's
/// scores have a buffer.
fn extra(c: &Config, t: usize) -> usize {
    c.d_ff + c.n_heads * c.reach(t)
}

/// Numbers in the widest row of a pass.
fn widest(c: &Config, t: usize) -> usize {
    let hidden = input_width(c.activation, c.d_ff);
    let widths = [c.d_model, qkv_width(c), hidden, c.n_heads * c.reach(t)];
    widths.into_iter().fold(1, usize::max)
}

/// Bytes: the sums in f64, each thread's J in f32 on the backend (twice for two passes) and read back, and as many again
/// waiting for their turn.
fn jacobians(e: &Estimator, threads: usize) -> usize {
    let numbers = e.d * e.d * e.sources.len();
    numbers * (8 + 4 * threads * (e.passes().len() + 2))
}
