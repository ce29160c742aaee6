//! A small decoder-only transformer whose forward pass and vector-Jacobian products (VJPs) are each written once.
//!
//! ```
//! use transformer::{Config, Cpu, Keep, Model, Weights};
//! # use transformer::{Activation, NormKind, NormPlace, Positions};
//! let config = Config {
//!     vocab: 10, d_model: 8, n_layers: 2, n_heads: 2, n_kv_heads: 2, head_dim: 4, d_ff: 16, max_context: 32,
//!     norm: NormKind::Rms, norm_eps: 1e-5, norm_place: NormPlace::Post, window: Some(5),
//!     positions: Positions::Rope { base: 1000.0, rotary_dim: 4 }, activation: Activation::Relu, tied: false, bias: false,
//! };
//! let mut weights = Weights::zeros(&config)?;
//! weights.flat.iter_mut().enumerate().for_each(|(i, x)| *x = (i as f32 * 0.37).sin());
//! let model = Model::new(Cpu::new(), &weights)?;
//! let trace = model.forward(&[1, 2, 3], 3, &[], Keep::Residuals)?;
//! assert_eq!(trace.residuals.len(), 3); // embedding, after block 1, after block 2
//! # Ok::<(), transformer::Error>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod backend;
mod config;
mod error;
pub mod layout;
pub mod model;
pub mod ops;
mod shapes;
#[cfg(test)]
mod testing;

pub use backend::{Cpu, Reference};
pub use config::{Activation, Config, NormKind, NormPlace, Positions};
pub use error::{Error, Result};
pub use layout::Weights;
pub use model::{Edit, Keep, Model, Params, Trace};
pub use ops::attention::Paths;
pub use ops::{Ops, TrainOps};
