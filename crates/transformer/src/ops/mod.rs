//! The operations of a transformer, one file each: formula, forward, VJP. The free functions here are the plain definitions,
//! generic over the scalar and readable first; [`Ops`] is what a backend offers, over opaque buffers.
//!
//! Buffers are row-major matrices without a shape of their own; the shape comes with each call. Activations have N = B T rows
//! (B sequences of T tokens), cotangents R N rows: R cotangents share the activations of one forward pass.

pub mod activation;
pub mod attention;
pub mod cotangent;
pub mod edit;
pub mod embedding;
pub mod linear;
pub mod loss;
pub mod norm;
pub mod real;
pub mod rope;
pub mod running;
pub mod top;

use crate::config::{Activation, NormKind};
use crate::error::Result;
use attention::{Paths, Shape};
use real::Real;
use std::future::Future;

/// A linear map's weights on a backend: `w` `[out, inp]`, `bias` `[out]`.
pub struct Linear<B> {
    /// Weights `[out, inp]`.
    pub w: B,
    /// Bias `[out]`.
    pub bias: Option<B>,
    /// Inputs.
    pub inp: usize,
    /// Outputs.
    pub out: usize,
}

/// A norm's parameters on a backend.
pub struct Norm<B> {
    /// Gain `[D]`.
    pub gain: B,
    /// Bias `[D]`, LayerNorm only.
    pub bias: Option<B>,
    /// Kind.
    pub kind: NormKind,
    /// Added under the root.
    pub eps: f64,
}

/// What a norm's VJP needs of its forward pass.
pub struct NormSaved<B> {
    /// Normalised rows `[N, D]`, before gain and bias.
    pub xhat: B,
    /// Reciprocal root mean square (or standard deviation) `[N]`.
    pub r: B,
}

/// A rank-k edit of the residual stream on a backend, see [`edit`].
pub struct EditBufs<B> {
    /// Directions written, `[k, D]`.
    pub v: B,
    /// Directions read, `[k, D]`.
    pub p: B,
    /// Mixing `[k, k]`.
    pub m: B,
    /// Constants `[N, k]`.
    pub c: B,
}

/// What a backend can do. Every method is described by the plain function of the same name in this module's files.
///
/// Methods record work; only [`Ops::read`] waits for it, so that a GPU needs one readback per request.
pub trait Ops {
    /// Host-side scalar.
    type S: Real;
    /// A buffer on the device.
    type Buf;

    /// Copies host numbers to the device.
    fn upload(&self, data: &[Self::S]) -> Self::Buf;
    /// A buffer of zeros.
    fn zeros(&self, len: usize) -> Self::Buf;
    /// Copies a buffer back.
    fn read(&self, buf: &Self::Buf) -> impl Future<Output = Result<Vec<Self::S>>>;
    /// Copies several buffers back: one submission and one wait on a device.
    fn read_all(&self, bufs: &[&Self::Buf]) -> impl Future<Output = Result<Vec<Vec<Self::S>>>>;
    /// A copy on the device.
    fn copy(&self, buf: &Self::Buf) -> Self::Buf;

    /// Gathers rows of `table` `[V, d]`: `[N, d]`.
    fn embed(&self, table: &Self::Buf, tokens: &[u32], d: usize) -> Self::Buf;
    /// Adds learned positions `[context, d]` to `x` `[B seq, d]`.
    fn add_positions(&self, x: &mut Self::Buf, positions: &Self::Buf, seq: usize, d: usize);
    /// `a += b`, same length.
    fn add(&self, a: &mut Self::Buf, b: &Self::Buf);

    /// `x w^T + b`, `[n, inp] -> [n, out]`.
    fn linear(&self, x: &Self::Buf, map: &Linear<Self::Buf>) -> Self::Buf;
    /// `g w`, `[n, out] -> [n, inp]`.
    fn linear_vjp(&self, g: &Self::Buf, map: &Linear<Self::Buf>) -> Self::Buf;
    /// `acc += g w`.
    fn linear_vjp_add(&self, g: &Self::Buf, map: &Linear<Self::Buf>, acc: &mut Self::Buf);

    /// Normalised rows and what the VJP needs.
    fn norm(&self, x: &Self::Buf, norm: &Norm<Self::Buf>) -> (Self::Buf, NormSaved<Self::Buf>);
    /// Cotangents of the input, in place.
    fn norm_vjp(&self, g: &mut Self::Buf, norm: &Norm<Self::Buf>, saved: &NormSaved<Self::Buf>);

    /// Turns the first `heads` heads of rows of `shape.width()`, in place; backwards for a VJP.
    fn rope(
        &self,
        x: &mut Self::Buf,
        shape: Shape,
        table: &Self::Buf,
        rotary: usize,
        backwards: bool,
    );
    /// Output `[N, H hd]` and pattern `[N, H, reach]`.
    fn attention(&self, qkv: &Self::Buf, shape: Shape) -> (Self::Buf, Self::Buf);
    /// Cotangents of `qkv`, `[R N, width]`.
    fn attention_vjp(
        &self,
        g: &Self::Buf,
        qkv: &Self::Buf,
        pattern: &Self::Buf,
        shape: Shape,
        paths: Paths,
    ) -> Self::Buf;

    /// Value `[N, f]` and slopes.
    fn activation(&self, x: &Self::Buf, kind: Activation, f: usize) -> (Self::Buf, Self::Buf);
    /// Cotangents of the input.
    fn activation_vjp(
        &self,
        g: Self::Buf,
        slope: &Self::Buf,
        kind: Activation,
        f: usize,
    ) -> Self::Buf;

    /// One-hot cotangents `[rows, N, d]` for output coordinates `first..first + rows`.
    fn seed(&self, first: usize, rows: usize, d: usize, valid: &[bool]) -> Self::Buf;
    /// Writes rows `first..` of `j` `[d, d]` with means over valid positions of `g` `[R, N, d]`.
    fn mean_positions(
        &self,
        g: &Self::Buf,
        first: usize,
        d: usize,
        valid: &[bool],
        j: &mut Self::Buf,
    );

    /// Adds `scale x` to a running sum whose rounding errors are kept in `lost`, see [`running`]; all of the same length.
    fn accumulate(&self, x: &Self::Buf, scale: f64, sum: &mut Self::Buf, lost: &mut Self::Buf);

    /// Applies a low-rank affine edit to rows of `h` `[N, d]` where `on`.
    fn edit(&self, h: &mut Self::Buf, edit: &EditBufs<Self::Buf>, on: &[bool], d: usize);
    /// Packed best words, normaliser and tracked ranks of `logits` `[n, v]`, see [`top`].
    fn top(&self, logits: &Self::Buf, v: usize, k: usize, tracked: &[u32]) -> Self::Buf;
}

/// What training needs beyond [`Ops`]: the loss, and gradients of parameters. Host backends only.
pub trait TrainOps: Ops {
    /// Sum of the losses; `logits` become `scale` times their gradients.
    fn cross_entropy(&self, logits: &mut Self::Buf, targets: &[u32], v: usize, scale: f64) -> f64;
    /// Adds the weight gradients into `grad`.
    fn linear_grad(&self, x: &Self::Buf, g: &Self::Buf, grad: &mut Linear<Self::Buf>);
    /// Adds the parameter gradients into `grad`; `g` are cotangents of the norm's output.
    fn norm_grad(&self, g: &Self::Buf, saved: &NormSaved<Self::Buf>, grad: &mut Norm<Self::Buf>);
    /// Adds the gradient of an embedding table.
    fn embed_grad(&self, tokens: &[u32], g: &Self::Buf, d: usize, gtable: &mut Self::Buf);
    /// Adds the gradient of learned positions.
    fn positions_grad(&self, g: &Self::Buf, seq: usize, d: usize, gpositions: &mut Self::Buf);
}
