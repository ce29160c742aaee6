//! Figure 15: steering along a lens vector, and ablation, beside a random control.
//!
//! [`state`]: settings, answers and sentences. Plain, tested. `view`: the figure; `chart` is its
//! lower part.

mod chart;
pub mod state;
mod view;

pub use view::SteerFigure;
