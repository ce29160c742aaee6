//! The crate's one error type.

/// What can go wrong; every shape error carries the operation, what it expected and what it got.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum Error {
    /// A configuration whose fields contradict each other.
    #[error("model configuration: `{field}` {why}")]
    Config {
        /// Field of [`crate::Config`].
        field: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A weight is absent.
    #[error("weight `{name}` is missing; expected shape {expected:?}")]
    MissingWeight {
        /// Canonical name, see [`crate::layout`].
        name: String,
        /// `[rows, columns]`.
        expected: Vec<usize>,
    },
    /// A weight has the wrong shape.
    #[error("weight `{name}` has shape {got:?}, expected {expected:?}")]
    WeightShape {
        /// Canonical name.
        name: String,
        /// Expected shape.
        expected: Vec<usize>,
        /// Shape found.
        got: Vec<usize>,
    },
    /// A weight that the configuration does not have.
    #[error("weight `{name}` does not belong to this configuration")]
    UnknownWeight {
        /// Name found.
        name: String,
    },
    /// A buffer of the wrong length.
    #[error("{op}: expected {expected}, got {got}")]
    Shape {
        /// Operation or argument.
        op: &'static str,
        /// What it expected.
        expected: String,
        /// What it got.
        got: String,
    },
    /// A token id beyond the vocabulary.
    #[error("token {id} at position {position} is outside the vocabulary of {vocab} words")]
    Token {
        /// Offending id.
        id: u32,
        /// Where it stands.
        position: usize,
        /// Vocabulary size.
        vocab: usize,
    },
    /// Too few or too many tokens.
    #[error("a prompt must have between 1 and {max} tokens, got {got}; shorten or fill it")]
    Context {
        /// Longest context.
        max: usize,
        /// Tokens given.
        got: usize,
    },
    /// The device that computes failed.
    #[error("the computing device failed: {what}")]
    Backend {
        /// What it said.
        what: String,
    },
    /// A layer that does not exist.
    #[error(
        "{what} {layer} does not exist: residual states run from 0 (embedding) to {last} (after the last block)"
    )]
    Layer {
        /// Which argument.
        what: &'static str,
        /// Its value.
        layer: usize,
        /// Largest valid value.
        last: usize,
    },
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
