//! Figure 7: one nudge in many sentences. Each sentence's effect on the last state is an arrow; their mean settles.
//!
//! [`state`]: settings, answer, means of any choice of sentences. Plain, tested. `signals`: what its parts share. `view`: the
//! figure; `plane`: the arrows; `chart`: the curves.

mod chart;
mod plane;
mod signals;
pub mod state;
mod view;

pub use view::AverageFigure;
