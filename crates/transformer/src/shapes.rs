//! The two shapes that the project computes with: its own small model, and the first foreign one.

use crate::config::{Activation, Config, NormKind, NormPlace, Positions};

impl Config {
    /// The small world's kind: 8 post-norm blocks of width 96 that look four words back, for so many words. Train-time context
    /// is 64 tokens, the longest 128.
    #[must_use]
    pub fn small_world(vocab: usize) -> Self {
        Self {
            vocab,
            d_model: 96,
            n_layers: 8,
            n_heads: 4,
            n_kv_heads: 4,
            head_dim: 24,
            d_ff: 256,
            max_context: 128,
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

    /// SmolLM2-135M's shape (Llama type): 30 layers, width 576, 9 query heads over 3 key-value heads of 64, feed-forward 1536
    /// with a gate, 49,152 tokens, tied head; for contexts of at most `context` tokens.
    #[must_use]
    pub fn smollm2_135m(context: usize) -> Self {
        Self {
            vocab: 49_152,
            d_model: 576,
            n_layers: 30,
            n_heads: 9,
            n_kv_heads: 3,
            head_dim: 64,
            d_ff: 1536,
            max_context: context,
            norm: NormKind::Rms,
            norm_eps: 1e-5,
            norm_place: NormPlace::Pre,
            window: None,
            positions: Positions::Rope {
                base: 100_000.0,
                rotary_dim: 64,
            },
            activation: Activation::SwiGlu,
            tied: true,
            bias: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::parameter_count;

    #[test]
    fn both_are_as_large_as_they_should_be() {
        for config in [Config::small_world(794), Config::smollm2_135m(128)] {
            config.validate().unwrap();
        }
        assert_eq!(parameter_count(&Config::small_world(794)), 842_208);
        // 134.5 million, as the model's name says
        assert_eq!(parameter_count(&Config::smollm2_135m(128)), 134_515_008);
    }
}
