//! Fitting a lens.
//!
//! For one prompt and one output coordinate i, the cotangent `e_i` stands at *every* valid position of the target layer; one
//! backward pass then gives at each source layer l and position t the sum over t' >= t of `d h_target(t')[i] / d h_l(t)`, and
//! row i of the prompt's J_l is its mean over the valid t. All source layers come from the same backward pass. The lens is
//! the mean (or the element-wise median) over prompts. Valid positions are `skip_first .. T - 1`: the last has no next word.
//!
//! * [`options`]: what is estimated. * [`prompt`]: one prompt, a chunk of rows at a time. * [`accumulator`]: over prompts.
//! * [`running`]: over prompts, on the backend.
//! * [`memory`]: how much, before it is taken. * [`flops`]: how much arithmetic. * [`threads`]: natively over prompts.

pub mod accumulator;
pub mod flops;
pub mod memory;
pub mod options;
pub mod prompt;
pub mod running;
#[cfg(not(target_arch = "wasm32"))]
pub mod threads;

pub use accumulator::Accumulator;
pub use memory::{Device, Plan, plan_device, plan_memory};
pub use options::{Estimator, FitOptions};
pub use prompt::{PromptFit, PromptJacobian};
pub use running::Running;
