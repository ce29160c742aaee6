//! Figure 11: averaged gradients against regression on the states, word by word; and the template of a phrase.
//!
//! [`state`]: settings, answer and sentences. Plain, tested. `view`: the figure.

pub mod state;
mod view;

pub use view::SteinFigure;
