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
//! | [`chain`] | two maps in a row, and a Jacobian measured without formulas |
//! | [`curve`] | functions of one number, their tangents and gaps |
//! | [`height`], [`contour`] | functions of two numbers, their gradients and level lines |
//! | [`cone`] | few vectors with amounts that are not negative |
//! | [`dual`] | coordinates in a basis whose vectors overlap |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod chain;
pub mod cone;
pub mod contour;
pub mod curve;
pub mod dual;
pub mod error;
pub mod gap;
pub mod grid;
pub mod height;
pub mod map;
pub mod maps;
pub mod matrix;
pub mod secant;
pub mod square;

pub use chain::{Chain, measured_jacobian};
pub use contour::Relief;
pub use curve::Curve;
pub use dual::Pair;
pub use error::GeometryError;
pub use gap::{Gap, Ladder, ladder, log_log_slope};
pub use grid::SampledGrid;
pub use height::Height;
pub use map::{Matrix, Point, SmoothMap, linear_prediction};
pub use maps::{Affine, Fold, PolarLike, TwoShears};
pub use matrix::{Orientation, Shape, shape};
pub use square::Square;
