//! The page's live half: figures that come alive inside the static article.
//!
//! * [`client`]: the line to the workers, where the model lives.
//! * [`controls`]: sliders, switches, word fields and draggable handles, shared by all figures.
//! * [`figures`]: one folder per figure; `state.rs` is plain Rust with tests, `view.rs` is thin.
//! * [`panel`]: what computes, whether it is right, how fast.
//! * [`worker`]: what the worker binaries share; the page has none of it.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod client;
pub mod controls;
pub mod figures;
pub mod panel;
pub mod worker;
