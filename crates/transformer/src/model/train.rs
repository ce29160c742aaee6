//! Next-token loss and the gradients of every parameter: the VJP with R = 1, ending in the embedding.

use super::vjp::norm_back;
use super::{Keep, Model, Params};
use crate::error::{Error, Result};
use crate::ops::Ops;
use crate::ops::attention::Paths;

impl<O: Ops> Model<O> {
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
        norm_back(
            ops,
            &mut g,
            &p.final_norm,
            &saved,
            Some(&mut grads.final_norm),
        );

        let shape = self.attention_shape(seq);
        for i in (0..last).rev() {
            let (x, saved) = (&trace.residuals[i], &trace.blocks[i]);
            let into = Some(&mut grads.blocks[i]);
            g = self.block_vjp(&p.blocks[i], into, saved, x, shape, Paths::ALL, g)?;
        }
        if let Some(gpositions) = &mut grads.positions {
            ops.positions_grad(&g, seq, d, gpositions);
        }
        ops.embed_grad(tokens, &g, d, &mut grads.embedding);
        Ok(loss)
    }
}
