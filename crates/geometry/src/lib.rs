//! Two-dimensional smooth maps and what their Jacobians predict: the mathematics behind the page's draggable figures.
//!
//! Nothing here knows of browsers or models. Coordinates are `f64`, points and displacements are `nalgebra` vectors.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`map`] | the trait [`SmoothMap`]: value and exact Jacobian |
//! | [`maps`] | identity, affine, polar-like, two shears, fold |
//! | [`matrix`] | determinant, singular values and orientation of a 2x2 matrix |
//! | [`square`] | a square of nudges, its true curved image and the parallelogram that the Jacobian predicts |
//! | [`gap`] | distance between the two, its ratio when the square is halved, the slope on log-log axes |
//! | [`secant`] | difference quotients that tend to derivatives |
//! | [`grid`] | a map known only by samples: bicubic interpolation |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod error;
pub mod gap;
pub mod grid;
pub mod map;
pub mod maps;
pub mod matrix;
pub mod secant;
pub mod square;

pub use error::GeometryError;
pub use gap::{Gap, Ladder, ladder, log_log_slope};
pub use grid::SampledGrid;
pub use map::{Matrix, Point, SmoothMap, linear_prediction};
pub use maps::{Affine, Fold, PolarLike, TwoShears};
pub use matrix::{Orientation, Shape, shape};
pub use square::Square;
