//! The crate's one error type.

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The model refused.
    #[error(transparent)]
    Model(#[from] transformer::Error),
    /// A layer that the lens does not have.
    #[error(
        "the lens has no layer {layer}: it has {has:?} and leads to layer {target}; choose one of these or fit it with that layer"
    )]
    NoLayer {
        /// Layer asked for.
        layer: usize,
        /// Layers of the lens.
        has: Vec<usize>,
        /// Its target.
        target: usize,
    },
    /// A lens of another width.
    #[error(
        "the lens has width {lens}, the model has {model}; use the lens that was fitted on this model"
    )]
    Width {
        /// D of the lens.
        lens: usize,
        /// D of the model.
        model: usize,
    },
    /// An option that contradicts the model or another option.
    #[error("{option} {why}")]
    Option {
        /// Name.
        option: &'static str,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// A buffer of the wrong length.
    #[error("{what}: expected {expected}, got {got}")]
    Shape {
        /// Argument.
        what: &'static str,
        /// Expected.
        expected: String,
        /// Got.
        got: String,
    },
    /// A word id beyond the vocabulary.
    #[error("word {word} is outside the vocabulary of {vocab} words")]
    Word {
        /// Offending id.
        word: u32,
        /// Vocabulary size.
        vocab: usize,
    },
    /// Two directions that cannot be told apart.
    #[error(
        "the two directions are too alike at layer {layer}: |cos| = {cosine:.5} > 0.999, so their coordinates are noise; choose words that differ more, another layer, or centred vectors"
    )]
    Parallel {
        /// Where.
        layer: usize,
        /// Their cosine.
        cosine: f64,
    },
    /// A direction of length zero (or not finite).
    #[error("direction {index} at layer {layer} has length {norm}; it cannot be used")]
    NoDirection {
        /// Where.
        layer: usize,
        /// Which.
        index: usize,
        /// Its length.
        norm: f64,
    },
    /// More memory than allowed.
    #[error("{what} needs {needed} bytes, {budget} are allowed; {advice}")]
    Memory {
        /// What.
        what: &'static str,
        /// Bytes.
        needed: usize,
        /// Bytes.
        budget: usize,
        /// What would help.
        advice: &'static str,
    },
    /// A lens of no prompt.
    #[error(
        "no prompt was fitted ({skipped} had no valid position): give longer prompts or a smaller skip_first"
    )]
    Nothing {
        /// Prompts skipped.
        skipped: u64,
    },
    /// Two fits or lenses that do not belong together.
    #[error("cannot combine: {what} is {left} on one side and {right} on the other")]
    Combine {
        /// What differs.
        what: &'static str,
        /// One side.
        left: String,
        /// The other.
        right: String,
    },
    /// A worker thread died.
    #[error(
        "a thread of the fit panicked at prompt {prompt}; this is a bug, please report it with the prompt"
    )]
    Thread {
        /// Index of the prompt.
        prompt: usize,
    },
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

pub(crate) fn shape(what: &'static str, expected: impl ToString, got: impl ToString) -> Error {
    Error::Shape {
        what,
        expected: expected.to_string(),
        got: got.to_string(),
    }
}
