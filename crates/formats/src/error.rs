//! The crate's one error type.

/// Why a file was refused; each message names the place and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The safetensors header is broken.
    #[error(
        "file header, byte {offset}: {why}; the file is damaged or not a safetensors file: fetch or write it again"
    )]
    Header {
        /// Byte at which the problem lies.
        offset: usize,
        /// What is wrong there.
        why: String,
    },
    /// A file beyond a size limit.
    #[error(
        "{what} is {got}, more than the {limit} that is accepted; if the file is genuine, split it"
    )]
    TooLarge {
        /// What was counted, with its unit.
        what: &'static str,
        /// How much there is.
        got: usize,
        /// How much there may be.
        limit: usize,
    },
    /// A tensor that cannot be used.
    #[error("tensor `{name}`: {why}")]
    Tensor {
        /// Its name in the file.
        name: String,
        /// What is wrong and what to do.
        why: String,
    },
    /// A JSON document that does not parse, or lacks a field.
    #[error("{what}, line {line} column {column}: {why}")]
    Json {
        /// Which document.
        what: &'static str,
        /// 1-based line.
        line: usize,
        /// 1-based column.
        column: usize,
        /// The parser's words; they name the field.
        why: String,
    },
    /// A field whose value is not acceptable.
    #[error("{what}: field `{field}` {why}")]
    Field {
        /// Which document.
        what: &'static str,
        /// Field name.
        field: &'static str,
        /// What is wrong and what to do.
        why: String,
    },
    /// The file is of another kind.
    #[error(
        "this is not a {wanted}: the header has no `{key}` entry; choose a file written by this project"
    )]
    WrongKind {
        /// Kind of file expected.
        wanted: &'static str,
        /// Metadata key that marks it.
        key: &'static str,
    },
    /// A lens that was fitted to a model of another shape.
    #[error(
        "the lens does not fit the model: {what} is {lens} in the lens and {model} in the model; fit a lens for this model"
    )]
    LensMismatch {
        /// What differs.
        what: &'static str,
        /// Value in the lens file.
        lens: String,
        /// Value in the model.
        model: String,
    },
    /// The model crate refused a configuration or its weights.
    #[error("model file: {0}")]
    Model(#[from] transformer::Error),
}

impl Error {
    /// Wraps a JSON error of the document `what`.
    pub(crate) fn json(what: &'static str, e: &serde_json::Error) -> Self {
        Self::Json {
            what,
            line: e.line(),
            column: e.column(),
            why: e.to_string(),
        }
    }

    /// A complaint about one tensor.
    pub(crate) fn tensor(name: &str, why: impl Into<String>) -> Self {
        Self::Tensor {
            name: name.to_owned(),
            why: why.into(),
        }
    }
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
