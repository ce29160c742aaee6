//! Figure 8: this sentence's own Jacobian at one place against the average one, as matrices and as lenses.
//!
//! [`state`]: settings, answer and sentences. Plain, tested. `view`: the figure.

pub mod state;
mod view;

pub use view::LocalFigure;
