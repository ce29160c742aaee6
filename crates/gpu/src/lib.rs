//! WebGPU backend: the transformer's [`Ops`](transformer::Ops) as compute shaders, natively and in the browser.
//!
//! ```no_run
//! # async fn example(weights: &transformer::Weights) -> Result<(), Box<dyn std::error::Error>> {
//! let gpu = gpu::Gpu::open().await?;
//! let model = transformer::Model::new(gpu, weights)?;
//! let trace = model.forward(&[1, 2, 3], 3, &[], transformer::Keep::Residuals)?;
//! let h = transformer::Ops::read(&model.ops, &trace.residuals[0]).await?; // the only place that waits
//! # Ok(()) }
//! ```
//!
//! Methods record dispatches; reading a buffer submits all of them in one command buffer and waits for one readback.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod buffers;
mod check;
mod device;
mod dispatch;
mod error;
mod gather;
mod matmul;
mod ops;
mod options;
mod pipelines;
mod read;
mod recorder;

pub use buffers::Buf;
pub use check::{Check, Timing, self_check};
pub use device::{Adapter, Gpu};
pub use error::{Error, Result};
pub use options::{Fault, Limits, Options};
pub use recorder::Counters;
