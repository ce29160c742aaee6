//! The crate's one error type.

/// Why there is no usable GPU.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The browser or system offers none.
    #[error("no WebGPU adapter: {why}; the CPU backend works everywhere")]
    NoAdapter {
        /// What the system said.
        why: String,
    },
    /// The adapter refused a device with the limits of the WebGPU baseline.
    #[error("the adapter {adapter} gave no device: {why}")]
    NoDevice {
        /// Adapter name.
        adapter: String,
        /// What it said.
        why: String,
    },
    /// A computation failed.
    #[error(transparent)]
    Model(#[from] transformer::Error),
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
