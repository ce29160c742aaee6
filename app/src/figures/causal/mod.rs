//! Figure 14: concepts exchanged by their J-space part, by the rest and by random directions, counted over the test split.
//!
//! [`state`]: settings, lines and sentences. Plain, tested. `view`: the figure.

pub mod state;
mod view;

pub use view::CausalFigure;
