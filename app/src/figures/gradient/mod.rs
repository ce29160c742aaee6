//! Figure 3: a height map, a point, and a nudge whose effect is a sum of rate times nudge.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`state`] | the choice of maps, and what is shown at a point with a nudge. Plain, tested |
//! | [`relief`] | level areas and lines as paths. Plain, tested |
//! | `signals` | what its parts share: settings and what follows from them |
//! | `view` | the figure and its controls; `map` and `terms` are its parts |

mod map;
pub mod relief;
mod signals;
pub mod state;
mod terms;
mod view;

pub use view::GradientFigure;
