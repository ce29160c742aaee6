//! Figure 13: a real activation as a sparse sum of lens vectors, word by word.
//!
//! [`state`]: settings, answer and sentences. Plain, tested. `view`: the figure.

pub mod state;
mod view;

pub use view::PursuitFigure;
