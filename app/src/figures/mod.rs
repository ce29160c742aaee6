//! The figures. Each is mounted once into its `<figure data-figure="...">` and never unmounted.
//!
//! * [`hero`] (Figure 1), [`curve`] (2), [`gradient`] (3), [`square`] (4), [`fit`] (9), [`swap`] (17).
//! * Shared: [`place`] mounts, [`history`] undoes, [`parts`], [`text`] and [`numbers`] show, [`chart`] draws axes, [`draw`]
//!   lines and arrows, [`plane`] what drawings of the plane have in common, [`address`] keeps settings in the page's link.

pub mod address;
pub mod chart;
pub mod curve;
pub mod draw;
pub mod fit;
pub mod gradient;
pub mod hero;
pub mod history;
pub mod numbers;
pub mod parts;
pub mod place;
pub mod plane;
pub mod square;
pub mod swap;
pub mod text;
