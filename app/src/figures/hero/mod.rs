//! Figure 1: one sentence under two lenses.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`settings`] | what the reader has chosen: prompt, lens, followed word, cell. Plain, tested |
//! | [`state`] | what the lenses show: ranks, tints, what is said about them. Plain, tested |
//! | `view` | the figure: its signals, its request to the worker |
//! | `prompt`, `map`, `lists` | its parts |

mod lists;
mod map;
mod prompt;
pub mod settings;
pub mod state;
mod view;

pub use view::HeroFigure;
