//! Pulling cotangents back through the blocks: the forward pass read from bottom to top.
//!
//! ```text
//! post-norm block:  g <- norm2' g;  g <- g + up' act' down' g;   g <- norm1' g;  g <- g + qkv' attn' O' g
//! pre-norm block:   g <- g + norm2' up' act' down' g;            g <- g + norm1' qkv' attn' O' g
//! ```
//! where a prime is the VJP of the operation.

use super::forward::Saved;
use super::{Block, Model, Trace};
use crate::config::NormPlace;
use crate::error::{Error, Result};
use crate::ops::Ops;
use crate::ops::attention::{Paths, Shape};

/// What a VJP does at each residual state on its way down: `(layer, cotangent [R, N, D])`.
pub type Visit<'a, B> = &'a mut dyn FnMut(usize, &B);

impl<O: Ops> Model<O> {
    /// Pulls cotangents `g` `[R, N, D]` at state `from` back to state `to`, showing each state's cotangent
    /// (`from - 1` down to `to`) to `visit`, and returns the last. States are those after their edits: an edited pass can be
    /// pulled back to the highest edited layer, not through it.
    ///
    /// # Errors
    /// Layers out of order or out of range, an edit above `to`, or a trace without what the VJP needs.
    pub fn vjp(
        &self,
        trace: &Trace<O::Buf>,
        from: usize,
        to: usize,
        mut g: O::Buf,
        paths: Paths,
        visit: Visit<'_, O::Buf>,
    ) -> Result<O::Buf> {
        self.check_layer("target layer", from)?;
        if to > from {
            return Err(Error::Layer {
                what: "source layer",
                layer: to,
                last: from,
            });
        }
        if trace.blocks.len() != self.config.n_layers {
            return Err(Error::Shape {
                op: "vjp",
                expected: "the trace of a pass with Keep::ForVjp".into(),
                got: "a trace of residual states only".into(),
            });
        }
        if let Some(edited) = trace.edited.filter(|&edited| edited > to) {
            return Err(Error::Shape {
                op: "vjp",
                expected: format!("no edit above the source layer {to}"),
                got: format!("an edit at layer {edited}"),
            });
        }
        let shape = self.attention_shape(trace.seq);
        for layer in (to..from).rev() {
            let (block, saved) = (&self.params.blocks[layer], &trace.blocks[layer]);
            g = self.block_vjp(block, saved, shape, paths, g, &mut Nothing);
            visit(layer, &g);
        }
        Ok(g)
    }

    /// One block backwards; `sink` is shown what parameter gradients are made of (R = 1 then).
    pub(super) fn block_vjp(
        &self,
        b: &Block<O::Buf>,
        saved: &Saved<O::Buf>,
        shape: Shape,
        paths: Paths,
        mut g: O::Buf,
        sink: &mut impl Sink<O::Buf>,
    ) -> O::Buf {
        let post = self.config.norm_place == NormPlace::Post;
        let ops = &self.ops;

        if post {
            sink.norm2(&g);
            ops.norm_vjp(&mut g, &b.norm2, &saved.norm2);
        }
        sink.down(&g);
        let hidden = ops.linear_vjp(&g, &b.down);
        let hidden = ops.activation_vjp(hidden, &saved.slope, self.config.activation, self.d_ff());
        sink.up(&hidden);
        if post {
            ops.linear_vjp_add(&hidden, &b.up, &mut g);
            sink.norm1(&g);
            ops.norm_vjp(&mut g, &b.norm1, &saved.norm1);
        } else {
            let mut branch = ops.linear_vjp(&hidden, &b.up);
            sink.norm2(&branch);
            ops.norm_vjp(&mut branch, &b.norm2, &saved.norm2);
            ops.add(&mut g, &branch);
        }
        drop(hidden);

        sink.o(&g);
        let mixed = ops.linear_vjp(&g, &b.o);
        let mut qkv = ops.attention_vjp(&mixed, &saved.qkv, &saved.pattern, shape, paths);
        if let Some((table, rotary)) = &self.rope {
            ops.rope(&mut qkv, shape, table, *rotary, true);
        }
        sink.qkv(&qkv);
        if post {
            ops.linear_vjp_add(&qkv, &b.qkv, &mut g);
        } else {
            let mut branch = ops.linear_vjp(&qkv, &b.qkv);
            sink.norm1(&branch);
            ops.norm_vjp(&mut branch, &b.norm1, &saved.norm1);
            ops.add(&mut g, &branch);
        }
        g
    }
}

/// Sees the cotangent of each parametrised operation's output on the way back.
pub(super) trait Sink<B> {
    fn norm1(&mut self, _g: &B) {}
    fn norm2(&mut self, _g: &B) {}
    fn qkv(&mut self, _g: &B) {}
    fn o(&mut self, _g: &B) {}
    fn up(&mut self, _g: &B) {}
    fn down(&mut self, _g: &B) {}
}

/// A lens fit wants no parameter gradients.
struct Nothing;

impl<B> Sink<B> for Nothing {}
