//! `Ops` on the host, over a set of kernels.

use super::pool::{Buf, Pool};
use crate::config::{Activation, NormKind};
use crate::error::Result;
use crate::ops::attention::{Paths, Shape};
use crate::ops::real::Real;
use crate::ops::{
    EditBufs, Linear, Norm, NormSaved, Ops, TrainOps, activation, attention, cotangent, edit,
    embedding, linear, loss, norm, rope, running, top,
};
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

/// The operations that decide the speed; the defaults are the plain definitions. Arguments as in [`crate::ops`].
#[allow(missing_docs)]
pub trait Kernels {
    type S: Real;
    #[rustfmt::skip]
    fn linear(x: &[Self::S], w: &[Self::S], bias: Option<&[Self::S]>, i: usize, o: usize, y: &mut [Self::S]) {
        linear::forward(x, w, bias, i, o, y);
    }
    #[rustfmt::skip]
    fn linear_vjp(g: &[Self::S], w: &[Self::S], i: usize, o: usize, beta: Self::S, gx: &mut [Self::S]) {
        linear::vjp(g, w, i, o, beta, gx);
    }
    #[rustfmt::skip]
    fn linear_grad(x: &[Self::S], g: &[Self::S], i: usize, o: usize, gw: &mut [Self::S], gb: Option<&mut [Self::S]>) {
        linear::grad(x, g, i, o, gw, gb);
    }
    #[rustfmt::skip]
    fn norm_vjp(kind: NormKind, gain: &[Self::S], xhat: &[Self::S], r: &[Self::S], g: &mut [Self::S]) {
        norm::vjp(kind, gain, xhat, r, g);
    }
    #[rustfmt::skip]
    fn attention_vjp(s: Shape, paths: Paths, qkv: &[Self::S], p: &[Self::S], g: &[Self::S], gqkv: &mut [Self::S]) {
        attention::vjp(s, paths, qkv, p, g, gqkv);
    }
    fn rope(x: &mut [Self::S], s: Shape, table: &[Self::S], rotary: usize, backwards: bool) {
        rope::rotate(x, s, table, rotary, backwards);
    }
    fn activation_vjp(slope: &[Self::S], g: &mut [Self::S]) {
        activation::vjp(slope, g);
    }
}

/// The plain definitions.
#[derive(Debug)]
pub struct Plain<S>(PhantomData<S>);

impl<S: Real> Kernels for Plain<S> {
    type S = S;
}

/// A host backend; cheap to clone (clones share the buffer pool).
#[derive(Debug)]
pub struct Host<K: Kernels>(Arc<Pool<K::S>>);

impl<K: Kernels> Host<K> {
    /// A backend with an empty pool.
    pub fn new() -> Self {
        Self(Arc::default())
    }

    fn filled(&self, data: &[K::S]) -> Buf<K::S> {
        let mut buf = self.0.take(data.len());
        buf.copy_from_slice(data);
        buf
    }
}

impl<K: Kernels> Default for Host<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Kernels> Clone for Host<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Kernels> Ops for Host<K> {
    type S = K::S;
    type Buf = Buf<K::S>;

    fn upload(&self, data: &[K::S]) -> Self::Buf {
        self.filled(data)
    }

    fn zeros(&self, len: usize) -> Self::Buf {
        let mut buf = self.0.take(len);
        buf.fill(K::S::default());
        buf
    }

    fn read(&self, buf: &Self::Buf) -> impl Future<Output = Result<Vec<K::S>>> {
        std::future::ready(Ok(buf.to_vec()))
    }

    fn read_all(&self, bufs: &[&Self::Buf]) -> impl Future<Output = Result<Vec<Vec<K::S>>>> {
        std::future::ready(Ok(bufs.iter().map(|b| b.to_vec()).collect()))
    }

    fn copy(&self, buf: &Self::Buf) -> Self::Buf {
        self.filled(buf)
    }

    fn embed(&self, table: &Self::Buf, tokens: &[u32], d: usize) -> Self::Buf {
        let mut x = self.0.take(tokens.len() * d);
        embedding::forward(table, tokens, d, &mut x);
        x
    }

    fn add_positions(&self, x: &mut Self::Buf, positions: &Self::Buf, seq: usize, d: usize) {
        embedding::add_positions(positions, seq, d, x);
    }

    fn add(&self, a: &mut Self::Buf, b: &Self::Buf) {
        for (a, &b) in a.iter_mut().zip(b.iter()) {
            *a += b;
        }
    }

    fn linear(&self, x: &Self::Buf, map: &Linear<Self::Buf>) -> Self::Buf {
        let mut y = self.0.take(x.len() / map.inp * map.out);
        K::linear(x, &map.w, map.bias.as_deref(), map.inp, map.out, &mut y);
        y
    }

    fn linear_vjp(&self, g: &Self::Buf, map: &Linear<Self::Buf>) -> Self::Buf {
        let mut gx = self.0.take(g.len() / map.out * map.inp);
        K::linear_vjp(g, &map.w, map.inp, map.out, K::S::of(0.0), &mut gx);
        gx
    }

    fn linear_vjp_add(&self, g: &Self::Buf, map: &Linear<Self::Buf>, acc: &mut Self::Buf) {
        K::linear_vjp(g, &map.w, map.inp, map.out, K::S::of(1.0), acc);
    }

    fn norm(&self, x: &Self::Buf, p: &Norm<Self::Buf>) -> (Self::Buf, NormSaved<Self::Buf>) {
        let mut y = self.0.take(x.len());
        let mut xhat = self.0.take(x.len());
        let mut r = self.0.take(x.len() / p.gain.len());
        let (eps, bias) = (K::S::of(p.eps), p.bias.as_deref());
        norm::forward(p.kind, eps, x, &p.gain, bias, &mut y, &mut xhat, &mut r);
        (y, NormSaved { xhat, r })
    }

    fn norm_vjp(&self, g: &mut Self::Buf, p: &Norm<Self::Buf>, saved: &NormSaved<Self::Buf>) {
        K::norm_vjp(p.kind, &p.gain, &saved.xhat, &saved.r, g);
    }

    fn rope(&self, x: &mut Self::Buf, s: Shape, table: &Self::Buf, rotary: usize, backwards: bool) {
        K::rope(x, s, table, rotary, backwards);
    }

    fn attention(&self, qkv: &Self::Buf, s: Shape) -> (Self::Buf, Self::Buf) {
        let n = qkv.len() / s.width();
        let mut out = self.0.take(n * s.out_width());
        let mut p = self.0.take(n * s.heads * s.reach);
        attention::forward(s, qkv, &mut out, &mut p);
        (out, p)
    }

    fn attention_vjp(
        &self,
        g: &Self::Buf,
        qkv: &Self::Buf,
        pattern: &Self::Buf,
        s: Shape,
        paths: Paths,
    ) -> Self::Buf {
        let mut gqkv = self.0.take(g.len() / s.out_width() * s.width());
        K::attention_vjp(s, paths, qkv, pattern, g, &mut gqkv);
        gqkv
    }

    fn activation(&self, x: &Self::Buf, kind: Activation, f: usize) -> (Self::Buf, Self::Buf) {
        let n = x.len() / activation::input_width(kind, f);
        let (mut y, mut slope) = (self.0.take(n * f), self.0.take(x.len()));
        activation::forward(kind, x, f, &mut y, &mut slope);
        (y, slope)
    }

    fn activation_vjp(
        &self,
        mut g: Self::Buf,
        slope: &Self::Buf,
        kind: Activation,
        f: usize,
    ) -> Self::Buf {
        if kind == Activation::SwiGlu {
            let mut gx = self.0.take(2 * g.len());
            activation::vjp_gated(slope, &g, f, &mut gx);
            return gx;
        }
        K::activation_vjp(slope, &mut g);
        g
    }

    fn seed(&self, first: usize, rows: usize, d: usize, valid: &[bool]) -> Self::Buf {
        let mut g = self.0.take(rows * valid.len() * d);
        cotangent::seed(first, d, valid, &mut g);
        g
    }

    fn mean_positions(
        &self,
        g: &Self::Buf,
        first: usize,
        d: usize,
        valid: &[bool],
        j: &mut Self::Buf,
    ) {
        cotangent::mean(first, d, valid, g, j);
    }

    fn accumulate(&self, x: &Self::Buf, scale: f64, sum: &mut Self::Buf, lost: &mut Self::Buf) {
        running::add(x, K::S::of(scale), sum, lost);
    }

    fn edit(&self, h: &mut Self::Buf, e: &EditBufs<Self::Buf>, on: &[bool], d: usize) {
        edit::apply(&e.v, &e.p, &e.m, &e.c, on, d, h);
    }

    fn top(&self, logits: &Self::Buf, v: usize, k: usize, tracked: &[u32]) -> Self::Buf {
        let k = k.min(v);
        let mut out = self.0.take(logits.len() / v * top::width(k, tracked.len()));
        top::pack(logits, v, k, tracked, &mut out);
        out
    }
}

impl<K: Kernels> TrainOps for Host<K> {
    fn cross_entropy(&self, logits: &mut Self::Buf, targets: &[u32], v: usize, scale: f64) -> f64 {
        loss::cross_entropy(logits, targets, v, K::S::of(scale))
    }

    fn linear_grad(&self, x: &Self::Buf, g: &Self::Buf, grad: &mut Linear<Self::Buf>) {
        let gb = grad.bias.as_deref_mut();
        K::linear_grad(x, g, grad.inp, grad.out, &mut grad.w, gb);
    }

    fn norm_grad(&self, g: &Self::Buf, saved: &NormSaved<Self::Buf>, grad: &mut Norm<Self::Buf>) {
        norm::grad(&saved.xhat, g, &mut grad.gain, grad.bias.as_deref_mut());
    }

    fn embed_grad(&self, tokens: &[u32], g: &Self::Buf, d: usize, gtable: &mut Self::Buf) {
        embedding::grad(tokens, g, d, gtable);
    }

    fn positions_grad(&self, g: &Self::Buf, seq: usize, d: usize, gpositions: &mut Self::Buf) {
        embedding::grad_positions(g, seq, d, gpositions);
    }
}
