//! Figure 15: steering along a lens vector, and ablation, beside a random control.
//!
//! [`state`]: settings, answers and sentences. Plain, tested. `signals`: what its parts share.
//! `view`: the figure; `chart` is its lower part.

mod chart;
mod signals;
pub mod state;
mod view;

pub use view::SteerFigure;
