//! Commands and events between the page and its workers, and the session that answers them.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod error;
pub mod frame;
pub mod protocol;

pub use error::{Error, Result};

/// Identifies a build by the sources that page and worker share; both must have the same.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("SOURCES_HASH"));
