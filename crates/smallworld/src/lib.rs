//! The small world: a synthetic language with a few hundred words in which a tiny transformer has something to think about.
//!
//! * [`world`]: the facts as tables, the grammar that writes documents, the fixed held-out split, the vocabulary, and the
//!   evaluation prompts. Pure and deterministic: the same seed gives the same bytes on every machine, in the browser too.
//! * [`dice`]: the random numbers behind it, specified down to the bit.
//! * `train` (native): trains a model from nothing, bit for bit reproducible.
//! * `eval` (native): measures a model, and what a lens reads and changes in it.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod dice;
#[cfg(not(target_arch = "wasm32"))]
mod error;
#[cfg(not(target_arch = "wasm32"))]
pub mod eval;
#[cfg(not(target_arch = "wasm32"))]
pub mod train;
pub mod world;

#[cfg(not(target_arch = "wasm32"))]
pub use error::{Error, Result};
pub use world::{Family, Generator, Part, Recipe, Split, Unknown, UnknownWords, Vocabulary};
