//! Every operation and its VJP, on the device and on the CPU backend, against the definition in f64
//! (`crates/transformer/src/ops/<op>.rs`): one file per operation, shapes drawn at random, odd ones and ones of 1 among them.
//!
//! A test is a [`support::Case`]: the same calls on any backend, and the buffers that must agree.

mod activation;
mod attention;
mod cotangent;
mod edit;
mod embedding;
mod linear;
mod norm;
mod rope;
mod running;
mod support;
mod top;
