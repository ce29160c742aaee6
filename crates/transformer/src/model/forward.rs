//! The forward pass.
//!
//! ```text
//! pre-norm block:   x <- x + O attn(norm1 x);      x <- x + down act(up norm2 x)
//! post-norm block:  x <- norm1(x + O attn x);      x <- norm2(x + down act(up x))
//! ```

use super::{Block, Edit, Model};
use crate::config::NormPlace;
use crate::error::{Error, Result};
use crate::ops::attention::Shape;
use crate::ops::{NormSaved, Ops};

/// What a forward pass remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The residual states only: reading, swapping.
    Residuals,
    /// Also what the VJP needs: fitting.
    ForVjp,
    /// Also the inputs of every linear map: training.
    ForGrad,
}

/// Residual states of a pass over N = B T tokens, and what its VJP needs.
pub struct Trace<B> {
    /// The tokens.
    pub tokens: Vec<u32>,
    /// Tokens per sequence, T.
    pub seq: usize,
    /// States 0 (embedding) to L (after the last block), each `[N, D]`.
    pub residuals: Vec<B>,
    pub(super) blocks: Vec<Saved<B>>,
    /// Highest layer that was edited.
    pub(super) edited: Option<usize>,
}

/// Of one block; `inputs` only with [`Keep::ForGrad`].
pub(super) struct Saved<B> {
    pub norm1: NormSaved<B>,
    pub qkv: B,
    pub pattern: B,
    pub norm2: NormSaved<B>,
    pub slope: B,
    pub inputs: Option<Inputs<B>>,
}

/// Inputs of a block's linear maps (`None`: the block's own input, a residual state).
pub(super) struct Inputs<B> {
    pub qkv: Option<B>,
    pub o: B,
    pub up: B,
    pub down: B,
}

impl<O: Ops> Model<O> {
    /// Runs B sequences of `seq` tokens each, applying `edits` on the way.
    ///
    /// # Errors
    /// Bad tokens ([`Model::check_tokens`]), edits of the wrong shape, or an edited pass kept for parameter gradients.
    pub fn forward(
        &self,
        tokens: &[u32],
        seq: usize,
        edits: &[Edit<O::S>],
        keep: Keep,
    ) -> Result<Trace<O::Buf>> {
        self.check_tokens(tokens, seq)?;
        self.check_edits(edits, tokens.len())?;
        if !edits.is_empty() && keep == Keep::ForGrad {
            return Err(Error::Shape {
                op: "forward",
                expected: "no edits in a pass that is kept for parameter gradients".into(),
                got: format!("{} edits", edits.len()),
            });
        }
        let mut x = self.embed(tokens, seq);
        self.apply_edits(edits, 0, &mut x);
        let mut trace = Trace {
            tokens: tokens.to_vec(),
            seq,
            residuals: Vec::with_capacity(self.config.n_layers + 1),
            blocks: Vec::new(),
            edited: edits.iter().map(|e| e.layer).max(),
        };
        trace.residuals.push(x);
        for (i, block) in self.params.blocks.iter().enumerate() {
            let (mut y, saved) =
                self.block(block, &trace.residuals[i], self.attention_shape(seq), keep);
            self.apply_edits(edits, i + 1, &mut y);
            trace.residuals.push(y);
            trace.blocks.extend(saved);
        }
        Ok(trace)
    }

    fn embed(&self, tokens: &[u32], seq: usize) -> O::Buf {
        let d = self.config.d_model;
        let mut x = self.ops.embed(&self.params.embedding, tokens, d);
        if let Some(positions) = &self.params.positions {
            self.ops.add_positions(&mut x, positions, seq, d);
        }
        x
    }

    /// One block: `[N, D] -> [N, D]`.
    fn block(
        &self,
        b: &Block<O::Buf>,
        x: &O::Buf,
        shape: Shape,
        keep: Keep,
    ) -> (O::Buf, Option<Saved<O::Buf>>) {
        let pre = self.config.norm_place == NormPlace::Pre;
        let ops = &self.ops;

        let normed1 = pre.then(|| ops.norm(x, &b.norm1));
        let mut qkv = ops.linear(normed1.as_ref().map_or(x, |(y, _)| y), &b.qkv);
        if let Some((table, rotary)) = &self.rope {
            ops.rope(&mut qkv, shape, table, *rotary, false);
        }
        let (mixed, pattern) = ops.attention(&qkv, shape);
        let mut x1 = ops.linear(&mixed, &b.o);
        ops.add(&mut x1, x);
        let (normed1, norm1, x1) = match normed1 {
            Some((y, saved)) => (Some(y), saved, x1),
            None => {
                let (y, saved) = ops.norm(&x1, &b.norm1);
                (None, saved, y)
            }
        };

        let normed2 = pre.then(|| ops.norm(&x1, &b.norm2));
        let hidden = ops.linear(normed2.as_ref().map_or(&x1, |(y, _)| y), &b.up);
        let (active, slope) = ops.activation(&hidden, self.config.activation, self.d_ff());
        let mut x2 = ops.linear(&active, &b.down);
        ops.add(&mut x2, &x1);
        let (up_input, norm2, x2) = match normed2 {
            Some((y, saved)) => (y, saved, x2),
            None => {
                let (y, saved) = ops.norm(&x2, &b.norm2);
                (x1, saved, y)
            }
        };

        let inputs = (keep == Keep::ForGrad).then(|| Inputs {
            qkv: normed1,
            o: mixed,
            up: up_input,
            down: active,
        });
        let saved = (keep != Keep::Residuals).then_some(Saved {
            norm1,
            qkv,
            pattern,
            norm2,
            slope,
            inputs,
        });
        (x2, saved)
    }
}
