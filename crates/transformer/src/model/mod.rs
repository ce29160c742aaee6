//! The transformer: [`Model`] runs forward ([`forward`]) and pulls cotangents back ([`vjp`]), each written once over [`Ops`].

mod edit;
mod forward;
mod params;
mod train;
mod vjp;

pub use edit::Edit;
pub use forward::{Keep, Trace};
pub use params::{Block, Params};
pub use vjp::Visit;

use crate::config::{Config, Positions};
use crate::error::{Error, Result};
use crate::layout::Weights;
use crate::ops::attention::Shape;
use crate::ops::real::Real;
use crate::ops::{Linear, Ops, rope};

/// A model on a backend.
pub struct Model<O: Ops> {
    /// The backend.
    pub ops: O,
    /// The model's shape.
    pub config: Config,
    /// Its numbers.
    pub params: Params<O::Buf>,
    /// Cosines and sines, rotary models only: `[context, rotary_dim]`.
    pub(crate) rope: Option<(O::Buf, usize)>,
}

impl<O: Ops> Model<O> {
    /// Uploads a model.
    ///
    /// # Errors
    /// An invalid configuration, or weights of the wrong length.
    pub fn new(ops: O, weights: &Weights) -> Result<Self> {
        let flat: Vec<O::S> = weights
            .flat
            .iter()
            .map(|&x| O::S::of(f64::from(x)))
            .collect();
        Self::from_flat(ops, &weights.config, &flat)
    }

    /// As [`Model::new`], from numbers in the backend's own precision.
    ///
    /// # Errors
    /// As [`Model::new`].
    pub fn from_flat(ops: O, config: &Config, flat: &[O::S]) -> Result<Self> {
        config.validate()?;
        let params = Params::upload(&ops, config, flat)?;
        let rope = match config.positions {
            Positions::Rope { base, rotary_dim } => {
                let table = rope::table(config.max_context, rotary_dim, base);
                let table: Vec<O::S> = table.into_iter().map(O::S::of).collect();
                Some((ops.upload(&table), rotary_dim))
            }
            _ => None,
        };
        Ok(Self {
            ops,
            config: config.clone(),
            params,
            rope,
        })
    }

    /// Checks B sequences of `seq` tokens each.
    ///
    /// # Errors
    /// A token outside the vocabulary, no token, more tokens than the context holds, or a ragged batch.
    pub fn check_tokens(&self, tokens: &[u32], seq: usize) -> Result<()> {
        let max = self.config.max_context;
        if seq == 0 || seq > max || tokens.is_empty() {
            return Err(Error::Context {
                max,
                got: seq.min(tokens.len()),
            });
        }
        if !tokens.len().is_multiple_of(seq) {
            return Err(Error::Shape {
                op: "batch",
                expected: format!("a multiple of {seq} tokens"),
                got: tokens.len().to_string(),
            });
        }
        let vocab = self.config.vocab;
        match tokens.iter().position(|&id| id as usize >= vocab) {
            Some(position) => Err(Error::Token {
                id: tokens[position],
                position,
                vocab,
            }),
            None => Ok(()),
        }
    }

    /// Checks a residual state's index.
    ///
    /// # Errors
    /// [`Error::Layer`].
    pub fn check_layer(&self, what: &'static str, layer: usize) -> Result<()> {
        let last = self.config.n_layers;
        if layer > last {
            return Err(Error::Layer { what, layer, last });
        }
        Ok(())
    }

    /// `W_U norm_f(h)`: logits `[N, V]` of residual states `h` `[N, D]` of the last layer's coordinates.
    pub fn logits(&self, h: &O::Buf) -> O::Buf {
        let (x, _) = self.ops.norm(h, &self.params.final_norm);
        self.ops.linear(&x, &self.params.unembedding)
    }

    /// `J h` for every row of `h` `[N, D]`; `j` `[D, D]`, rows are outputs.
    pub fn transport(&self, h: &O::Buf, j: O::Buf) -> O::Buf {
        let d = self.config.d_model;
        let map = Linear {
            w: j,
            bias: None,
            inp: d,
            out: d,
        };
        self.ops.linear(h, &map)
    }

    /// Attention's sizes in a context of `seq` tokens.
    pub(crate) fn attention_shape(&self, seq: usize) -> Shape {
        Shape {
            seq,
            heads: self.config.n_heads,
            kv_heads: self.config.n_kv_heads,
            head_dim: self.config.head_dim,
            reach: self.config.reach(seq),
        }
    }

    /// Width of the feed-forward hidden layer.
    pub(crate) fn d_ff(&self) -> usize {
        self.config.d_ff
    }
}
