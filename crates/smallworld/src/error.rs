//! The crate's one error type.

use std::path::PathBuf;

/// What can go wrong in training and evaluation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The transformer refused.
    #[error(transparent)]
    Transformer(#[from] transformer::Error),
    /// The lens refused.
    #[error(transparent)]
    Lens(#[from] lens::Error),
    /// A text with words that the vocabulary lacks.
    #[error(transparent)]
    Words(#[from] crate::UnknownWords),
    /// A file could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// "read", "write", "replace".
        action: &'static str,
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A checkpoint that cannot be continued.
    #[error("checkpoint {}: {why}", path.display())]
    Checkpoint {
        /// Which file.
        path: PathBuf,
        /// What is wrong and what to do.
        why: String,
    },
    /// Settings that contradict each other.
    #[error("training settings: {0}")]
    Settings(String),
}

/// Result with this crate's [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;
