//! Files: every byte that comes from outside is read here, and nothing else in the project parses.
//!
//! | module | what it reads and writes |
//! | --- | --- |
//! | [`container`] | safetensors with limits: named f32 tensors and one JSON document in the header |
//! | [`model_file`] | a model: configuration, vocabulary hash, weights |
//! | [`lens_file`] | a lens: one Jacobian per layer and where it came from |
//! | [`tuned_file`] | a tuned lens: one affine map per layer |
//! | [`shuffle`] | any of the above as the page fetches it: in an order of bytes that compresses better |
//! | [`vocabulary`] | the word list, and prompts of words |
//! | [`hash`] | SHA-256 names of weights and word lists |
//!
//! All readers are bounds-checked and size-limited, never panic, and say in their errors which tensor, field or offset is
//! wrong and what to do. Files of other programs (PyTorch pickles, GGUF, NumPy) are not read yet.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod container;
mod error;
pub mod hash;
pub mod lens_file;
pub mod model_file;
pub mod shuffle;
mod subject;
pub mod tuned_file;
pub mod vocabulary;

pub use container::{Precision, Tensor};
pub use error::{Error, Result};
pub use lens_file::{LensFile, Provenance};
pub use model_file::ModelFile;
pub use subject::{Subject, Warning};
pub use tuned_file::TunedFile;
pub use vocabulary::Vocabulary;
