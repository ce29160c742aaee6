//! Figure 1: one sentence under two lenses.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`settings`] | what the reader has chosen: prompt, lens, followed word, cell. Plain, tested |
//! | [`presets`] | prompts worth looking at. Plain, tested |
//! | [`state`] | what the lenses show: ranks, tints, what is said about them. Plain, tested |
//! | [`link`] | the settings in the page's address. Plain, tested |
//! | `signals` | what its parts share: signals, and the request to the worker |
//! | `view` | the figure |
//! | `key`, `map`, `lists` | its parts |

mod key;
pub mod link;
mod lists;
mod map;
pub mod presets;
pub mod settings;
mod signals;
pub mod state;
mod view;

pub use key::RankTints;
pub use view::HeroFigure;
