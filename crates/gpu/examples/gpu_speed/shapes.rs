//! The two models that are measured.

use transformer::{Activation, Config, NormKind, NormPlace, Positions};

/// The shipped model.
pub fn shipped() -> Config {
    Config {
        vocab: 794,
        d_model: 96,
        n_layers: 8,
        n_heads: 4,
        n_kv_heads: 4,
        head_dim: 24,
        d_ff: 256,
        max_context: 64,
        norm: NormKind::Rms,
        norm_eps: 1e-5,
        norm_place: NormPlace::Post,
        window: Some(5),
        positions: Positions::Rope {
            base: 1000.0,
            rotary_dim: 24,
        },
        activation: Activation::Relu,
        tied: false,
        bias: false,
    }
}

/// SmolLM2-135M's shape.
pub fn smol() -> Config {
    Config {
        vocab: 49_152,
        d_model: 576,
        n_layers: 30,
        n_heads: 9,
        n_kv_heads: 3,
        head_dim: 64,
        d_ff: 1536,
        max_context: 128,
        norm_place: NormPlace::Pre,
        window: None,
        positions: Positions::Rope {
            base: 100_000.0,
            rotary_dim: 64,
        },
        activation: Activation::SwiGlu,
        tied: true,
        ..shipped()
    }
}
