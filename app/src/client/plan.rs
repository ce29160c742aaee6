//! What a fit over several workers is asked for, and what it reports.

use engine::protocol::Targets;
use std::rc::Rc;

/// How the prompts' Jacobians are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Mean (the paper's).
    Mean,
    /// Median of each element.
    Median,
}

/// What is to be fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct FitPlan {
    /// Seed of the corpus text; prompt k is its k-th sentence.
    pub seed: u64,
    /// Prompts in all.
    pub prompts: u32,
    /// Which target positions.
    pub targets: Targets,
    /// No gradient through queries and keys.
    pub frozen: bool,
    /// Target layer; `None` is the last.
    pub target_layer: Option<usize>,
    /// Layer whose rows are streamed for the heat map.
    pub show_layer: usize,
    /// Mean or median.
    pub reduction: Reduction,
    /// Workers; `None` is one per processor, at most 8.
    pub workers: Option<usize>,
}

/// What a running fit reports.
#[derive(Clone, Debug)]
pub enum FitUpdate {
    /// Rows `first ..` of one prompt's J at the shown layer, row-major `[rows, D]`, as they are computed.
    Rows {
        /// Index of the prompt.
        prompt: u32,
        /// First row.
        first: u32,
        /// Numbers.
        rows: Vec<f32>,
    },
    /// Prompts `0 .. done + skipped` are merged, in this order whatever order they arrived in.
    Merged(Merged),
    /// A worker stopped and was restarted; its prompt is computed again. For the reader.
    Notice(String),
    /// All prompts are merged; the workers are gone.
    Finished,
    /// The fit has ended without a result; for the reader.
    Failed(String),
}

/// The fit so far.
#[derive(Clone, Debug)]
pub struct Merged {
    /// Prompts that are in.
    pub done: u32,
    /// Prompts without a valid position.
    pub skipped: u32,
    /// Prompts in all.
    pub of: u32,
    /// The lens: `[layer][D * D]` for layers 0 .. target, row-major, rows = outputs. A median of more than 16 prompts is
    /// only made after every eighth and after the last, or when the fit is told to catch up.
    pub jacobians: Rc<Vec<Vec<f32>>>,
}
