//! Figure 2: a curve, its tangent at a point that is dragged, and how fast the gap between them shrinks.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`state`] | the choice of curves, and what is shown at a point and a window. Plain, tested |
//! | `signals` | what its parts share: settings and what follows from them |
//! | `view` | the figure and its controls; `panels` are the drawings and the chart |

mod panels;
mod signals;
pub mod state;
mod view;

pub use view::CurveFigure;
