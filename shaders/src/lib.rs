//! The WGSL kernels, one file each beside this crate's manifest, and a table of them.
//!
//! ```
//! let matmul = shaders::Shader::Matmul.kernel();
//! assert!(matmul.source.starts_with("// What:"));
//! ```
//!
//! Only the WGSL baseline is used: f32, no subgroups, at most 8 storage buffers, 256 invocations and 16,352 bytes of workgroup
//! memory. Every entry point is called `main`; binding 0 is a uniform `Params`, the storage buffers follow in order.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// A kernel: its text and how it may be specialised.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// File name without extension.
    pub name: &'static str,
    /// WGSL text.
    pub source: &'static str,
    /// Storage buffers, in binding order from 1; true if written.
    pub writes: &'static [bool],
    /// The sets of override values in use; one empty set if there are none.
    pub overrides: &'static [&'static [(&'static str, f64)]],
}

macro_rules! kernels {
    ($($(#[$doc:meta])* $variant:ident $name:literal $writes:expr, $overrides:expr;)*) => {
        /// Every kernel.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Shader { $($(#[$doc])* $variant),* }

        impl Shader {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The kernel's text and specialisations.
            pub fn kernel(self) -> Kernel {
                match self {
                    $(Self::$variant => Kernel {
                        name: $name,
                        source: include_str!(concat!("../", $name, ".wgsl")),
                        writes: &$writes,
                        overrides: &$overrides,
                    }),*
                }
            }
        }
    };
}

const R: bool = false;
const W: bool = true;

kernels! {
    /// Tiled matrix product.
    Matmul "matmul" [R, R, R, W], [&[("DEPTH", 16.0), ("ACROSS", 16.0)], &[("DEPTH", 8.0), ("ACROSS", 32.0)]];
    /// Readable matrix product.
    MatmulNaive "matmul_naive" [R, R, R, W], [&[]];
    /// Embedding gather.
    Embed "embed" [R, R, W], [&[]];
    /// Residual add.
    Add "add" [W, R], [&[]];
    /// RMSNorm and LayerNorm.
    Norm "norm" [R, R, R, W, W, W], [&[]];
    /// Their VJP.
    NormVjp "norm_vjp" [W, R, R, R], [&[]];
    /// Rotary positions, forwards and backwards.
    Rope "rope" [W, R], [&[]];
    /// Attention.
    Attention "attention" [R, W, W], [&[]];
    /// Cotangents of the attention scores.
    AttentionVjpScores "attention_vjp_scores" [R, R, R, W], [&[]];
    /// Cotangents of queries, keys and values.
    AttentionVjp "attention_vjp" [R, R, R, R, W], [&[]];
    /// Non-linearities and their slopes.
    Activation "activation" [R, W, W], [&[("KIND", 0.0)], &[("KIND", 1.0)], &[("KIND", 2.0)], &[("KIND", 3.0)]];
    /// Their VJP.
    ActivationVjp "activation_vjp" [R, R, W], [&[]];
    /// One-hot cotangents.
    Seed "seed" [R, W], [&[]];
    /// Means over source positions.
    Mean "mean" [R, R, W], [&[]];
    /// Running sums over prompts.
    Running "running" [R, W, W], [&[]];
    /// Interventions.
    Edit "edit" [W, R, R, R, R, R], [&[]];
    /// Top words and ranks.
    Top "top" [R, R, W], [&[]];
}
