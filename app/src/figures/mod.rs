//! The figures. Each is mounted once into its `<figure data-figure="...">` and never unmounted.
//!
//! * [`hero`] (Figure 1), [`square`] (4), [`fit`] (9), [`swap`] (17).
//! * Shared: [`place`] mounts, [`history`] undoes, [`parts`], [`text`] and [`numbers`] show, [`chart`] draws axes,
//!   [`address`] keeps settings in the page's link.

pub mod address;
pub mod chart;
pub mod fit;
pub mod hero;
pub mod history;
pub mod numbers;
pub mod parts;
pub mod place;
pub mod square;
pub mod swap;
pub mod text;
