//! Random models and lenses for the property tests.
#![allow(dead_code)] // each test file uses its part

use formats::lens_file::{Positions as Rule, Reduction};
use formats::{LensFile, ModelFile, Provenance};
use proptest::prelude::*;
use transformer::layout::parameter_count;
use transformer::{Activation, Config, NormKind, NormPlace, Positions, Weights};

/// Every family option at sizes of a few numbers.
pub fn config() -> impl Strategy<Value = Config> {
    let sizes = (
        1usize..6,
        1usize..5,
        1usize..3,
        1usize..3,
        1usize..3,
        1usize..5,
        1usize..6,
    );
    let kinds = (
        prop_oneof![Just(NormKind::Rms), Just(NormKind::Layer)],
        prop_oneof![Just(NormPlace::Pre), Just(NormPlace::Post)],
        prop_oneof![
            Just(Positions::None),
            Just(Positions::Learned),
            Just(Positions::Rope {
                base: 1000.0,
                rotary_dim: 2
            })
        ],
        prop_oneof![
            Just(Activation::Relu),
            Just(Activation::Gelu),
            Just(Activation::GeluTanh),
            Just(Activation::SwiGlu)
        ],
    );
    let rest = (
        proptest::option::of(1usize..9),
        any::<bool>(),
        any::<bool>(),
        1e-6..1e-3f64,
    );
    (sizes, kinds, rest).prop_map(|(sizes, kinds, (window, tied, bias, norm_eps))| {
        let (vocab, d_model, n_layers, n_kv_heads, groups, half_head, d_ff) = sizes;
        let (norm, norm_place, positions, activation) = kinds;
        Config {
            vocab,
            d_model,
            n_layers,
            n_heads: n_kv_heads * groups,
            n_kv_heads,
            head_dim: 2 * half_head,
            d_ff,
            max_context: 7,
            norm,
            norm_eps,
            norm_place,
            window,
            positions,
            activation,
            tied,
            bias,
        }
    })
}

/// A whole model; its numbers stay within f16.
pub fn model() -> impl Strategy<Value = ModelFile> {
    let numbers = proptest::collection::vec(-6e4f32..6e4, 97);
    let about = proptest::collection::btree_map(".{0,9}", ".{0,9}", 0..3);
    (config(), numbers, ".{0,20}", "[0-9a-f]{0,64}", about).prop_map(
        |(config, numbers, name, vocabulary_hash, about)| {
            let flat = numbers
                .iter()
                .copied()
                .cycle()
                .take(parameter_count(&config))
                .collect();
            ModelFile {
                name,
                vocabulary_hash,
                about,
                weights: Weights { config, flat },
            }
        },
    )
}

fn provenance() -> impl Strategy<Value = Provenance> {
    let texts = proptest::array::uniform9(".{0,12}");
    let rule = prop_oneof![Just(Rule::All), Just(Rule::Same), Just(Rule::Future)];
    let reduction = prop_oneof![Just(Reduction::Mean), Just(Reduction::Median)];
    (
        texts,
        rule,
        reduction,
        any::<bool>(),
        any::<(u64, u64, usize, usize)>(),
    )
        .prop_map(
            |(
                texts,
                positions,
                reduction,
                frozen_attention,
                (used, skipped, tokens, skip_first),
            )| {
                let [
                    model,
                    weights_hash,
                    vocabulary_hash,
                    corpus,
                    corpus_hash,
                    engine,
                    precision,
                    software,
                    date,
                ] = texts;
                Provenance {
                    model,
                    weights_hash,
                    vocabulary_hash,
                    corpus,
                    corpus_hash,
                    prompts_used: used,
                    prompts_skipped: skipped,
                    tokens_per_prompt: tokens,
                    skip_first,
                    target_layer: 1,
                    positions,
                    frozen_attention,
                    reduction,
                    engine,
                    precision,
                    software,
                    date,
                }
            },
        )
}

/// A whole lens.
pub fn lens() -> impl Strategy<Value = LensFile> {
    (
        provenance(),
        1usize..5,
        proptest::collection::btree_set(0usize..14, 1..6),
        0usize..3,
    )
        .prop_flat_map(|(mut provenance, d, layers, above)| {
            provenance.target_layer = layers.last().unwrap_or(&0) + 1 + above;
            let numbers = proptest::collection::vec(-100f32..100.0, d * d);
            let all = proptest::collection::vec(numbers, layers.len());
            all.prop_map(move |all| LensFile {
                provenance: provenance.clone(),
                d_model: d,
                jacobians: layers.iter().copied().zip(all).collect(),
            })
        })
}
