//! Figure 4: a small square of nudges, pushed through a map, and the parallelogram that the Jacobian predicts for it.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`maps`] | the maps to choose from, their formulas and drawings of their grids |
//! | [`state`] | what is shown at a point: images, matrix, gaps. Plain, tested |
//! | `model` | the slice through the real model: requests, and answers turned into scenes |
//! | [`presets`] | slices to begin with |
//! | `link` | the figure in the page's address. Tested |
//! | `wire` | the figure's requests to the worker |
//! | [`outside`], [`heads`] | names beside an image, and heads of a matrix's columns; Figure 5 uses them too |
//! | `signals` | what its parts share: signals, and what follows from them |
//! | `view` | the figure; `planes`, `panels` and `notes` are its parts, `settings` its controls |

pub mod heads;
mod link;
pub mod maps;
pub mod model;
mod notes;
pub mod outside;
mod panels;
mod planes;
pub mod presets;
mod settings;
mod signals;
pub mod state;
mod view;
mod wire;

pub use view::SquareFigure;
