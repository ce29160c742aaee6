//! Figure 6: one backward pass. A covector is seeded at one token of the last state; what arrives is one row of the Jacobian at
//! every layer and position at once.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`state`] | what the reader has chosen, and the gradient's lengths. Plain, tested |
//! | `view` | the figure; `bars` draws a vector as bars |

mod bars;
pub mod state;
mod view;

pub use view::RowsFigure;
