//! Figure 5: two maps in a row, their matrices and the product; then the same with the blocks of the real model.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`state`] | two maps, a point and a square: images, matrices, product, check. Plain, tested |
//! | [`blocks`] | which token of which prompt, and what its blocks' matrices amount to. Plain, tested |
//! | `signals` | what its parts share: signals, and the requests to the worker |
//! | `view` | the figure; `planes` and `matrices` are its first half, `model` its second |

pub mod blocks;
mod matrices;
mod model;
mod planes;
mod signals;
pub mod state;
mod view;

pub use view::ChainFigure;
