//! Commands and events between the page and its workers, and the session that answers them.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`protocol`] | what page and worker say to each other |
//! | [`frame`] | messages as bytes |
//! | [`session`] | a loaded model, and the answer to each command |
//! | [`scheduler`] | who works next, so that a long fit does not block a short reading |
//! | [`merge`] | a fit put together from several workers |
//! | `parity` | the golden fixtures, compared where the page runs |
//!
//! Nothing here knows of browsers.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod error;
pub mod frame;
pub mod merge;
mod parity;
pub mod protocol;
pub mod scheduler;
pub mod session;
mod turn;

pub use error::{Error, Result};
pub use transformer::Cpu;
pub use turn::Turn;

/// Identifies a build by the sources that page and worker share; both must have the same.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("SOURCES_HASH"));
