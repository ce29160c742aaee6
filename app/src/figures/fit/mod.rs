//! Figure 9: fit a lens in this tab. Sentence after sentence, the workers compute one Jacobian per layer; the page adds them up and
//! shows how close the mean has come to the lens that we ship.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`settings`] | what is fitted: prompts, targets, frozen attention, target layer, mean or median, workers. Plain, tested |
//! | [`state`] | how the fit stands: phases, clock, rows, quality after each sentence. Plain, tested |
//! | [`measure`] | clock, change, averages. Plain, tested |
//! | `wire` | from buttons to the pool, and from its reports to the state |
//! | `signals` | what its parts share: signals, and how they begin |
//! | `view` | the figure; `controls`, `matrices`, `charts` are its parts |

mod charts;
mod controls;
mod link;
mod matrices;
pub mod measure;
pub mod settings;
mod signals;
pub mod state;
mod view;
mod wire;

pub use view::FitFigure;
