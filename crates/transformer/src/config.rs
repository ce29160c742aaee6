//! The shape of a model: one `Config` describes every family the project runs.
//!
//! A new family is a new configuration, not a fork of the forward pass. Field names are those of the golden fixtures and of the
//! model files' metadata (JSON, snake case).

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Which normalisation a model uses, everywhere the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NormKind {
    /// `x / sqrt(mean(x^2) + eps) * gain` (Zhang & Sennrich 2019).
    Rms,
    /// `(x - mean) / sqrt(var + eps) * gain + bias` (Ba et al. 2016).
    Layer,
}

/// Where a block normalises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NormPlace {
    /// `x + f(norm(x))`: GPT-2, Llama.
    Pre,
    /// `norm(x + f(x))`: GPT-1 and the model that we ship.
    Post,
}

/// How a model knows where a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Positions {
    /// Rotary embedding (Su et al. 2021): pairs `(i, i + rotary_dim/2)` of each head turn by `pos * base^(-2i/rotary_dim)`.
    Rope {
        /// Base of the geometric series of frequencies.
        base: f64,
        /// How many of a head's dimensions turn (all, for Llama).
        rotary_dim: usize,
    },
    /// A learned vector per position is added to the token embedding.
    Learned,
    /// No position information at all.
    None,
}

/// The non-linearity of the feed-forward layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// `max(0, x)`.
    Relu,
    /// `x * Phi(x)` with the exact normal distribution function.
    Gelu,
    /// GELU by the tanh approximation (GPT-2).
    GeluTanh,
    /// `silu(gate) * up`, with a third weight matrix (Shazeer 2020).
    SwiGlu,
}

/// Everything about a model but its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Words in the vocabulary, V.
    pub vocab: usize,
    /// Width of the residual stream, D.
    pub d_model: usize,
    /// Number of blocks, L.
    pub n_layers: usize,
    /// Query heads, H.
    pub n_heads: usize,
    /// Key and value heads, KV; divides H (KV = H is multi-head, KV < H grouped-query attention).
    pub n_kv_heads: usize,
    /// Width of one head.
    pub head_dim: usize,
    /// Width of the feed-forward layer, F.
    pub d_ff: usize,
    /// Longest context, in tokens.
    pub max_context: usize,
    /// Kind of normalisation.
    pub norm: NormKind,
    /// Added under the root.
    pub norm_eps: f64,
    /// Before or after each sublayer.
    pub norm_place: NormPlace,
    /// A position sees itself and the `window - 1` positions before it; `None` sees everything before it.
    pub window: Option<usize>,
    /// Position information.
    pub positions: Positions,
    /// Feed-forward non-linearity.
    pub activation: Activation,
    /// The unembedding is the embedding.
    pub tied: bool,
    /// Linear maps of attention and feed-forward carry biases.
    pub bias: bool,
}

impl Config {
    /// Checks that the numbers fit together.
    ///
    /// # Errors
    /// [`Error::Config`] names the field and the rule that it breaks.
    pub fn validate(&self) -> Result<()> {
        let bad = |field: &'static str, why: String| Err(Error::Config { field, why });
        for (field, n) in [
            ("vocab", self.vocab),
            ("d_model", self.d_model),
            ("n_layers", self.n_layers),
            ("n_heads", self.n_heads),
            ("n_kv_heads", self.n_kv_heads),
            ("head_dim", self.head_dim),
            ("d_ff", self.d_ff),
            ("max_context", self.max_context),
        ] {
            if n == 0 || n > 1 << 24 {
                return bad(field, format!("is {n}, must be between 1 and 2^24"));
            }
        }
        if !self.n_heads.is_multiple_of(self.n_kv_heads) {
            return bad(
                "n_kv_heads",
                format!(
                    "is {}, must divide n_heads = {}",
                    self.n_kv_heads, self.n_heads
                ),
            );
        }
        if self.window == Some(0) {
            return bad("window", "is 0: a position must see itself".into());
        }
        if !(self.norm_eps.is_finite() && self.norm_eps >= 0.0) {
            return bad(
                "norm_eps",
                format!("is {}, must be finite and >= 0", self.norm_eps),
            );
        }
        if let Positions::Rope { base, rotary_dim } = self.positions {
            if !(base.is_finite() && base > 0.0) {
                return bad("positions.base", format!("is {base}, must be positive"));
            }
            if !rotary_dim.is_multiple_of(2) || rotary_dim > self.head_dim {
                return bad(
                    "positions.rotary_dim",
                    format!(
                        "is {rotary_dim}, must be even and at most head_dim = {}",
                        self.head_dim
                    ),
                );
            }
        }
        Ok(())
    }

    /// Width of the concatenated query heads, `H * head_dim`.
    pub fn q_width(&self) -> usize {
        self.n_heads * self.head_dim
    }

    /// Width of the concatenated key (or value) heads, `KV * head_dim`.
    pub fn kv_width(&self) -> usize {
        self.n_kv_heads * self.head_dim
    }

    /// How many positions back attention looks in a context of `t` tokens, itself included.
    pub fn reach(&self, t: usize) -> usize {
        self.window.map_or(t, |w| w.min(t))
    }
}
