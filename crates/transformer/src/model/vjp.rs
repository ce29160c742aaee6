//! Pulling cotangents back through the blocks: the forward pass read from bottom to top.
//!
//! ```text
//! post-norm block:  g <- norm2' g;  g <- g + up' act' down' g;   g <- norm1' g;  g <- g + qkv' attn' O' g
//! pre-norm block:   g <- g + norm2' up' act' down' g;            g <- g + norm1' qkv' attn' O' g
//! ```
//! where a prime is the VJP of the operation.

use super::forward::{Inputs, Saved};
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
            g = self.block_vjp(block, None, saved, &trace.residuals[layer], shape, paths, g)?;
            visit(layer, &g);
        }
        Ok(g)
    }

    /// One block backwards, also adding parameter gradients into `grads` when given (R = 1).
    #[allow(clippy::too_many_arguments)]
    pub(super) fn block_vjp(
        &self,
        b: &Block<O::Buf>,
        mut grads: Option<&mut Block<O::Buf>>,
        saved: &Saved<O::Buf>,
        x: &O::Buf,
        shape: Shape,
        paths: Paths,
        mut g: O::Buf,
    ) -> Result<O::Buf> {
        let post = self.config.norm_place == NormPlace::Post;
        let ops = &self.ops;
        let inputs = match (&grads, &saved.inputs) {
            (Some(_), None) => {
                return Err(Error::Shape {
                    op: "gradient",
                    expected: "a trace kept with Keep::ForGrad".into(),
                    got: "a trace without the linear maps' inputs".into(),
                });
            }
            (_, inputs) => inputs.as_ref(),
        };

        if post {
            norm_back(
                ops,
                &mut g,
                &b.norm2,
                &saved.norm2,
                grads.as_deref_mut().map(|b| &mut b.norm2),
            );
        }
        let hidden = ops.linear_vjp(&g, &b.down);
        let hidden = ops.activation_vjp(hidden, &saved.slope, self.config.activation, self.d_ff());
        if let (Some(grads), Some(inputs)) = (grads.as_deref_mut(), inputs) {
            ops.linear_grad(&inputs.down, &g, &mut grads.down);
            ops.linear_grad(&inputs.up, &hidden, &mut grads.up);
        }
        if post {
            ops.linear_vjp_add(&hidden, &b.up, &mut g);
            norm_back(
                ops,
                &mut g,
                &b.norm1,
                &saved.norm1,
                grads.as_deref_mut().map(|b| &mut b.norm1),
            );
        } else {
            let mut branch = ops.linear_vjp(&hidden, &b.up);
            norm_back(
                ops,
                &mut branch,
                &b.norm2,
                &saved.norm2,
                grads.as_deref_mut().map(|b| &mut b.norm2),
            );
            ops.add(&mut g, &branch);
        }
        drop(hidden);

        let mixed = ops.linear_vjp(&g, &b.o);
        let mut qkv = ops.attention_vjp(&mixed, &saved.qkv, &saved.pattern, shape, paths);
        if let Some((table, rotary)) = &self.rope {
            ops.rope(&mut qkv, shape, table, *rotary, true);
        }
        if let (Some(grads), Some(inputs)) = (grads.as_deref_mut(), inputs) {
            ops.linear_grad(&inputs.o, &g, &mut grads.o);
            ops.linear_grad(qkv_input(inputs, x), &qkv, &mut grads.qkv);
        }
        if post {
            ops.linear_vjp_add(&qkv, &b.qkv, &mut g);
        } else {
            let mut branch = ops.linear_vjp(&qkv, &b.qkv);
            norm_back(
                ops,
                &mut branch,
                &b.norm1,
                &saved.norm1,
                grads.map(|b| &mut b.norm1),
            );
            ops.add(&mut g, &branch);
        }
        Ok(g)
    }
}

/// A norm backwards, parameters first: their gradient needs the cotangent of the output.
pub(super) fn norm_back<O: Ops>(
    ops: &O,
    g: &mut O::Buf,
    norm: &crate::ops::Norm<O::Buf>,
    saved: &crate::ops::NormSaved<O::Buf>,
    grads: Option<&mut crate::ops::Norm<O::Buf>>,
) {
    if let Some(grads) = grads {
        ops.norm_grad(g, saved, grads);
    }
    ops.norm_vjp(g, norm, saved);
}

/// What the query-key-value map read.
fn qkv_input<'a, B>(inputs: &'a Inputs<B>, x: &'a B) -> &'a B {
    inputs.qkv.as_ref().unwrap_or(x)
}
