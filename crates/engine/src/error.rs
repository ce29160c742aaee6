//! The crate's one error type.

use crate::protocol::Targets;

/// What can go wrong between a page and its worker.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not a message of ours.
    #[error("a message of {got} bytes does not begin like one of this page's; reload the page")]
    Foreign {
        /// Bytes received.
        got: usize,
    },
    /// A message of another build.
    #[error(
        "message version {got}, expected {expected}: page and worker come from different builds; reload the page"
    )]
    Version {
        /// This build's.
        expected: u16,
        /// The message's.
        got: u16,
    },
    /// A message that was cut or padded.
    #[error("message payload: expected {expected} bytes, got {got}; reload the page")]
    Length {
        /// By the header, or by the message's end.
        expected: usize,
        /// Received.
        got: usize,
    },
    /// Bytes that are no message.
    #[error("message cannot be read ({0}); reload the page")]
    Decode(#[source] postcard::Error),
    /// A message that cannot be written.
    #[error("message cannot be written ({0})")]
    Encode(#[source] postcard::Error),
    /// A command before any model.
    #[error("no model is loaded; load one first")]
    NoModel,
    /// A file of the model.
    #[error("{file}: {source}")]
    File {
        /// Which.
        file: String,
        /// Why it was refused.
        source: formats::Error,
    },
    /// A lens file that is not what it was given as.
    #[error(
        "lens for {expected:?}: the file holds one for {got:?}; give each file with its own targets"
    )]
    LensTargets {
        /// Given as.
        expected: Targets,
        /// By its header.
        got: Targets,
    },
    /// A lens that the model came without.
    #[error("the model came without a lens for {0:?}; choose other targets")]
    NoLens(Targets),
    /// A field of a request.
    #[error("{field} {why}")]
    Request {
        /// Name.
        field: &'static str,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// The lens crate refused.
    #[error(transparent)]
    Lens(#[from] lens::Error),
    /// The model refused.
    #[error(transparent)]
    Model(#[from] transformer::Error),
    /// A golden fixture cannot be compared.
    #[error(transparent)]
    Parity(#[from] parity::Error),
}

impl Error {
    /// Whether the device that computes has failed, so that nothing it is asked will work.
    pub fn is_of_the_device(&self) -> bool {
        use transformer::Error::Backend;
        matches!(
            self,
            Self::Model(Backend { .. })
                | Self::Lens(lens::Error::Model(Backend { .. }))
                | Self::Parity(
                    parity::Error::Model(Backend { .. })
                        | parity::Error::Lens(lens::Error::Model(Backend { .. }))
                )
        )
    }

    pub(crate) fn request(field: &'static str, why: impl Into<String>) -> Self {
        Self::Request {
            field,
            why: why.into(),
        }
    }
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
