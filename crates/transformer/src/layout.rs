//! Names, order and shapes of a model's weights: one list that files, initialisation, training and backends share.
//!
//! Matrices are `[out, in]`, row-major. Within a block, `attn.q`, `attn.k`, `attn.v` (and `mlp.gate`, `mlp.up`) stand next to
//! each other, so that a backend can use them as one matrix without moving a number.

use crate::config::{Activation, Config, NormKind, Positions};
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// One weight of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Canonical name, such as `blocks.3.attn.q`.
    pub name: String,
    /// `[D]` or `[out, in]`.
    pub shape: Vec<usize>,
}

impl Entry {
    /// Numbers in the weight.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Never true for a valid configuration.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// All weights of `config`, in canonical order.
pub fn layout(config: &Config) -> Vec<Entry> {
    let c = config;
    let mut all = Vec::new();
    let mut push = |name: String, shape: &[usize]| {
        all.push(Entry {
            name,
            shape: shape.to_vec(),
        });
    };
    let norm = |push: &mut dyn FnMut(String, &[usize]), name: &str| {
        push(format!("{name}.gain"), &[c.d_model]);
        if c.norm == NormKind::Layer {
            push(format!("{name}.bias"), &[c.d_model]);
        }
    };
    push("embedding".into(), &[c.vocab, c.d_model]);
    if c.positions == Positions::Learned {
        push("positions".into(), &[c.max_context, c.d_model]);
    }
    for i in 0..c.n_layers {
        let b = format!("blocks.{i}");
        norm(&mut push, &format!("{b}.norm1"));
        let (q, kv) = (c.q_width(), c.kv_width());
        let group = |push: &mut dyn FnMut(String, &[usize]), maps: &[(&str, usize, usize)]| {
            for (name, out, inp) in maps {
                push(format!("{b}.{name}"), &[*out, *inp]);
            }
            if c.bias {
                for (name, out, _) in maps {
                    push(format!("{b}.{name}_bias"), &[*out]);
                }
            }
        };
        let d = c.d_model;
        group(
            &mut push,
            &[("attn.q", q, d), ("attn.k", kv, d), ("attn.v", kv, d)],
        );
        group(&mut push, &[("attn.o", d, q)]);
        norm(&mut push, &format!("{b}.norm2"));
        if c.activation == Activation::SwiGlu {
            group(&mut push, &[("mlp.gate", c.d_ff, d), ("mlp.up", c.d_ff, d)]);
        } else {
            group(&mut push, &[("mlp.up", c.d_ff, d)]);
        }
        group(&mut push, &[("mlp.down", d, c.d_ff)]);
    }
    norm(&mut push, "final_norm");
    if !c.tied {
        push("unembedding".into(), &[c.vocab, c.d_model]);
    }
    all
}

/// How many numbers a model of this configuration has.
pub fn parameter_count(config: &Config) -> usize {
    layout(config).iter().map(Entry::len).sum()
}

/// A model's numbers on the host, one flat vector in the order of [`layout`].
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The configuration that gives the numbers their meaning.
    pub config: Config,
    /// All weights one after the other, row-major.
    pub flat: Vec<f32>,
}

impl Weights {
    /// All zeros.
    ///
    /// # Errors
    /// [`Error::Config`] for an invalid configuration.
    pub fn zeros(config: &Config) -> Result<Self> {
        config.validate()?;
        let flat = vec![0.0; parameter_count(config)];
        Ok(Self {
            config: config.clone(),
            flat,
        })
    }

    /// From named tensors `(shape, numbers)`.
    ///
    /// # Errors
    /// A weight that is missing, superfluous or of the wrong shape.
    pub fn from_named(
        config: &Config,
        mut named: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    ) -> Result<Self> {
        config.validate()?;
        let mut flat = Vec::with_capacity(parameter_count(config));
        for entry in layout(config) {
            let Some((shape, numbers)) = named.remove(&entry.name) else {
                return Err(Error::MissingWeight {
                    name: entry.name,
                    expected: entry.shape,
                });
            };
            if shape != entry.shape || numbers.len() != entry.len() {
                return Err(Error::WeightShape {
                    name: entry.name,
                    expected: entry.shape,
                    got: shape,
                });
            }
            flat.extend_from_slice(&numbers);
        }
        match named.into_keys().next() {
            Some(name) => Err(Error::UnknownWeight { name }),
            None => Ok(Self {
                config: config.clone(),
                flat,
            }),
        }
    }

    /// Every weight with its numbers, in canonical order.
    pub fn iter(&self) -> impl Iterator<Item = (Entry, &[f32])> {
        let mut at = 0;
        layout(&self.config).into_iter().map(move |entry| {
            let numbers = &self.flat[at..at + entry.len()];
            at += entry.len();
            (entry, numbers)
        })
    }

    /// One weight by name.
    pub fn get(&self, name: &str) -> Option<&[f32]> {
        self.iter()
            .find_map(|(entry, numbers)| (entry.name == name).then_some(numbers))
    }
}
