//! A model's parameters on a backend; the same structure holds their gradients.

use crate::config::{Config, NormKind, Positions};
use crate::error::{Error, Result};
use crate::layout::parameter_count;
use crate::ops::activation::input_width;
use crate::ops::real::Real;
use crate::ops::{Linear, Norm, Ops};

/// One block's parameters.
pub struct Block<B> {
    /// First norm.
    pub norm1: Norm<B>,
    /// `[q | k | v]`, `[(H + 2 KV) hd, D]`.
    pub qkv: Linear<B>,
    /// Output of attention, `[D, H hd]`.
    pub o: Linear<B>,
    /// Second norm.
    pub norm2: Norm<B>,
    /// `up`, or `[gate | up]`, `[F or 2F, D]`.
    pub up: Linear<B>,
    /// `[D, F]`.
    pub down: Linear<B>,
}

/// All parameters.
pub struct Params<B> {
    /// `[V, D]`.
    pub embedding: B,
    /// `[context, D]`.
    pub positions: Option<B>,
    /// Blocks in order.
    pub blocks: Vec<Block<B>>,
    /// Norm before the unembedding.
    pub final_norm: Norm<B>,
    /// `[V, D]`; a tied model holds a second copy of the embedding here.
    pub unembedding: Linear<B>,
}

/// Walks over the flat vector in canonical order.
struct Cursor<'a, O: Ops> {
    ops: &'a O,
    rest: &'a [O::S],
}

impl<O: Ops> Cursor<'_, O> {
    fn take(&mut self, len: usize) -> O::Buf {
        let (head, rest) = self.rest.split_at(len);
        self.rest = rest;
        self.ops.upload(head)
    }

    fn norm(&mut self, c: &Config) -> Norm<O::Buf> {
        Norm {
            gain: self.take(c.d_model),
            bias: (c.norm == NormKind::Layer).then(|| self.take(c.d_model)),
            kind: c.norm,
            eps: c.norm_eps,
        }
    }

    fn linear(&mut self, c: &Config, inp: usize, out: usize) -> Linear<O::Buf> {
        Linear {
            w: self.take(inp * out),
            bias: c.bias.then(|| self.take(out)),
            inp,
            out,
        }
    }
}

impl<B> Params<B> {
    /// Uploads numbers in the order of [`crate::layout::layout`].
    ///
    /// # Errors
    /// A vector of the wrong length.
    pub fn upload<O: Ops<Buf = B>>(ops: &O, c: &Config, flat: &[O::S]) -> Result<Self> {
        let expected = parameter_count(c);
        if flat.len() != expected {
            return Err(Error::Shape {
                op: "parameters",
                expected: format!("{expected} numbers"),
                got: format!("{}", flat.len()),
            });
        }
        let mut at = Cursor { ops, rest: flat };
        let (d, q) = (c.d_model, c.q_width());
        let embedding = at.take(c.vocab * d);
        let positions = (c.positions == Positions::Learned).then(|| at.take(c.max_context * d));
        let blocks = (0..c.n_layers).map(|_| Block {
            norm1: at.norm(c),
            qkv: at.linear(c, d, q + 2 * c.kv_width()),
            o: at.linear(c, q, d),
            norm2: at.norm(c),
            up: at.linear(c, d, input_width(c.activation, c.d_ff)),
            down: at.linear(c, c.d_ff, d),
        });
        let blocks = blocks.collect();
        let final_norm = at.norm(c);
        let w = if c.tied {
            ops.copy(&embedding)
        } else {
            at.take(c.vocab * d)
        };
        Ok(Self {
            embedding,
            positions,
            blocks,
            final_norm,
            unembedding: Linear {
                w,
                bias: None,
                inp: d,
                out: c.vocab,
            },
        })
    }

    /// All zeros: a place for gradients.
    ///
    /// # Errors
    /// As [`Params::upload`].
    pub fn zeros<O: Ops<Buf = B>>(ops: &O, c: &Config) -> Result<Self> {
        Self::upload(ops, c, &vec![O::S::of(0.0); parameter_count(c)])
    }

    /// Every buffer in canonical order (a tied unembedding is left out, see [`Params::to_flat`]).
    fn buffers(&self, c: &Config) -> Vec<&B> {
        fn norm<'a, B>(n: &'a Norm<B>, all: &mut Vec<&'a B>) {
            all.push(&n.gain);
            all.extend(n.bias.as_ref());
        }
        fn linear<'a, B>(l: &'a Linear<B>, all: &mut Vec<&'a B>) {
            all.push(&l.w);
            all.extend(l.bias.as_ref());
        }
        let mut all = vec![&self.embedding];
        all.extend(self.positions.as_ref());
        for b in &self.blocks {
            norm(&b.norm1, &mut all);
            linear(&b.qkv, &mut all);
            linear(&b.o, &mut all);
            norm(&b.norm2, &mut all);
            linear(&b.up, &mut all);
            linear(&b.down, &mut all);
        }
        norm(&self.final_norm, &mut all);
        if !c.tied {
            all.push(&self.unembedding.w);
        }
        all
    }

    /// Reads everything back in canonical order; for a tied model the unembedding's share is added to the embedding's
    /// (meaningful for gradients).
    ///
    /// # Errors
    /// Those of the backend.
    pub async fn to_flat<O: Ops<Buf = B>>(&self, ops: &O, c: &Config) -> Result<Vec<O::S>> {
        let mut flat = Vec::with_capacity(parameter_count(c));
        for buf in self.buffers(c) {
            flat.extend(ops.read(buf).await?);
        }
        if c.tied {
            let share = ops.read(&self.unembedding.w).await?;
            for (x, y) in flat.iter_mut().zip(share) {
                *x += y;
            }
        }
        Ok(flat)
    }
}
