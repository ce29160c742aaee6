//! The crate's one error type.

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
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
