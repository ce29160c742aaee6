//! Backends that compute on the host: the plain [`Reference`] and the fast [`Cpu`], one `Ops` implementation over two sets of
//! kernels. The WebGPU backend lives in a crate of its own.

mod fast;
mod host;
mod pool;

pub use fast::Fast;
pub use host::{Host, Kernels, Plain};
pub use pool::Buf;

/// The definitions as they stand in [`crate::ops`], in f32 or f64: slow, and the measure of the others.
pub type Reference<S> = Host<Plain<S>>;

/// f32 with matrixmultiply's packed kernels: what natively and in WebAssembly does the work.
pub type Cpu = Host<Fast>;
