//! Next-token loss and the gradients of every parameter: the VJP with R = 1, ending in the embedding.

use super::forward::{Inputs, Saved};
use super::vjp::Sink;
use super::{Block, Keep, Model, Params};
use crate::error::{Error, Result};
use crate::ops::TrainOps;
use crate::ops::attention::Paths;

/// Adds one block's parameter gradients on the way back.
struct Gather<'a, O: TrainOps> {
    ops: &'a O,
    into: &'a mut Block<O::Buf>,
    saved: &'a Saved<O::Buf>,
    inputs: &'a Inputs<O::Buf>,
    /// The block's own input, which a post-norm block's query-key-value map reads.
    x: &'a O::Buf,
}

impl<O: TrainOps> Sink<O::Buf> for Gather<'_, O> {
    fn norm1(&mut self, g: &O::Buf) {
        self.ops
            .norm_grad(g, &self.saved.norm1, &mut self.into.norm1);
    }
    fn norm2(&mut self, g: &O::Buf) {
        self.ops
            .norm_grad(g, &self.saved.norm2, &mut self.into.norm2);
    }
    fn qkv(&mut self, g: &O::Buf) {
        let x = self.inputs.qkv.as_ref().unwrap_or(self.x);
        self.ops.linear_grad(x, g, &mut self.into.qkv);
    }
    fn o(&mut self, g: &O::Buf) {
        self.ops.linear_grad(&self.inputs.o, g, &mut self.into.o);
    }
    fn up(&mut self, g: &O::Buf) {
        self.ops.linear_grad(&self.inputs.up, g, &mut self.into.up);
    }
    fn down(&mut self, g: &O::Buf) {
        self.ops
            .linear_grad(&self.inputs.down, g, &mut self.into.down);
    }
}

impl<O: TrainOps> Model<O> {
    /// Adds to `grads` the gradients of `scale * sum over tokens of cross-entropy(logits, target)` over B sequences of `seq`
    /// tokens, and returns the sum of the losses, in nats.
    ///
    /// # Errors
    /// Bad tokens, or as many targets as tokens are not given.
    pub fn loss_and_grad(
        &self,
        tokens: &[u32],
        targets: &[u32],
        seq: usize,
        scale: f64,
        grads: &mut Params<O::Buf>,
    ) -> Result<f64> {
        if targets.len() != tokens.len() {
            return Err(Error::Shape {
                op: "targets",
                expected: format!("{} targets", tokens.len()),
                got: targets.len().to_string(),
            });
        }
        self.check_tokens(targets, seq)?;
        let trace = self.forward(tokens, seq, &[], Keep::ForGrad)?;
        let (ops, d, last) = (&self.ops, self.config.d_model, self.config.n_layers);
        let p = &self.params;

        let (x, saved) = ops.norm(&trace.residuals[last], &p.final_norm);
        let mut logits = ops.linear(&x, &p.unembedding);
        let loss = ops.cross_entropy(&mut logits, targets, self.config.vocab, scale);
        ops.linear_grad(&x, &logits, &mut grads.unembedding);
        let mut g = ops.linear_vjp(&logits, &p.unembedding);
        ops.norm_grad(&g, &saved, &mut grads.final_norm);
        ops.norm_vjp(&mut g, &p.final_norm, &saved);

        let shape = self.attention_shape(seq);
        for (i, saved) in trace.blocks.iter().enumerate().rev() {
            let Some(inputs) = &saved.inputs else {
                continue; // always kept with Keep::ForGrad
            };
            let mut sink = Gather {
                ops,
                into: &mut grads.blocks[i],
                saved,
                inputs,
                x: &trace.residuals[i],
            };
            g = self.block_vjp(&p.blocks[i], saved, shape, Paths::ALL, g, &mut sink);
        }
        if let Some(gpositions) = &mut grads.positions {
            ops.positions_grad(&g, seq, d, gpositions);
        }
        ops.embed_grad(tokens, &g, d, &mut grads.embedding);
        Ok(loss)
    }
}
