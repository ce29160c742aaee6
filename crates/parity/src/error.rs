//! The crate's one error type.

/// Why a comparison could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file that cannot be read.
    #[error("golden fixture {file}: {why}")]
    File {
        /// Which.
        file: String,
        /// What the system said.
        why: String,
    },
    /// The manifest is not as expected.
    #[error("golden manifest, `{field}`: {why}; `make_goldens.py` writes it")]
    Manifest {
        /// Path of the field.
        field: String,
        /// What is wrong.
        why: String,
    },
    /// A tensor is missing or of another kind.
    #[error("golden fixture {name}, tensor `{tensor}`: {why}; `make_goldens.py` writes it")]
    Tensor {
        /// Family.
        name: String,
        /// Name of the tensor.
        tensor: String,
        /// What is wrong.
        why: String,
    },
    /// The lens crate refused.
    #[error(transparent)]
    Lens(#[from] lens::Error),
    /// The model refused, or its device failed.
    #[error(transparent)]
    Model(#[from] transformer::Error),
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
