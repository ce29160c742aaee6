//! Figure 16: two words that overlap, how much of each an activation holds, and the exchange of the two amounts.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`state`] | vectors, activation, dual coordinates and dot products, before and after. Plain, tested |
//! | `signals` | what its parts share: settings and what follows from them |
//! | `view` | the figure and its controls; `plane` and `tables` are its parts |

mod plane;
mod signals;
pub mod state;
mod tables;
mod view;

pub use view::DualFigure;
