//! Figure 18: the band of our model, layer by layer: agreement of two lenses, entropy of both, and where the bridge is read.
//!
//! [`state`]: settings, layers and sentences. Plain, tested. `view`: the figure.

pub mod state;
mod view;

pub use view::BandFigure;
