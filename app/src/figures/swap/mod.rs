//! Figure 17, the swap laboratory: one word's direction exchanged for another's, and what the model then says.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`settings`] | what the reader has chosen, per task. Plain, tested |
//! | [`catalogue`] | the prompts to choose from, and what the right answers would be. Plain, tested |
//! | [`state`], [`said`] | requests, what their answers mean, and what is said about them. Plain, tested |
//! | [`counts`], [`kept`] | the count over the held-out set, and what of it is stored. Plain, tested |
//! | [`sweep`] | one layer at a time: the unspoken word swapped against the answer swapped. Plain, tested |
//! | [`link`] | the settings in the page's address. Plain, tested |
//! | `view`, `wire` | the figure, its signals and its requests |
//! | `tools`, `answers`, `couplets`, `inside`, `tally`, `sweep_panel` | its parts |

mod answers;
pub mod catalogue;
pub mod counts;
mod couplets;
mod inside;
pub mod kept;
pub mod link;
pub mod said;
pub mod settings;
pub mod state;
pub mod sweep;
mod sweep_panel;
mod tally;
mod tools;
mod view;
mod wire;

pub use view::SwapFigure;
