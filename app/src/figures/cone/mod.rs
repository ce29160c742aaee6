//! Figure 12: four vectors in two dimensions, the cones that few of them span, and the nearest point to an activation.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`state`] | activation, vectors, nearest point, all exact ways. Plain, tested |
//! | `signals` | what its parts share: settings and what follows from them |
//! | `view` | the figure and its controls; `plane` and `ways` are its parts |

mod plane;
mod signals;
pub mod state;
mod view;
mod ways;

pub use view::ConeFigure;
