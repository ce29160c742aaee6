//! The page: live figures over a client that talks to workers.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod client;
