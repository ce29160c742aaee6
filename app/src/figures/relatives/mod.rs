//! Figure 10: logit lens, tuned lens and Jacobian lens on the same sentence.
//!
//! [`state`]: settings, readings and sentences. Plain, tested. `view`: the figure.

pub mod state;
mod view;

pub use view::RelativesFigure;
