//! Figure 14: concepts exchanged by their J-space part, by the rest and by random directions, counted over the test split.
//!
//! [`state`]: settings, lines and sentences. Plain, tested. `signals`: what its parts share. `view`: the figure; `table` is its part.

mod signals;
pub mod state;
mod table;
mod view;

pub use view::CausalFigure;
