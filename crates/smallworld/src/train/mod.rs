//! Training from nothing, on the CPU, to the same bits every time.
//!
//! * [`settings`]: every number of a run. * `init`: the first weights. * `batches`: which text a step sees.
//! * `gradient`: one step's gradient, over threads but summed in a fixed order. * `adamw`: the update.
//! * `checkpoint`: stopping and going on. * [`Trainer`]: the loop.

mod adamw;
mod batches;
mod checkpoint;
mod gradient;
mod init;
pub mod settings;
mod trainer;

pub use settings::{Settings, control_model, shipped_model};
pub use trainer::{Progress, Trainer};
