//! Commands and events between the page and its workers, and the session that answers them.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod protocol;
