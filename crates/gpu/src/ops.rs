//! `Ops` on the device: each method sets the parameters of one kernel and records it.

use crate::buffers::Buf;
use crate::device::Gpu;
use crate::matmul::Product;
use crate::recorder::fold;
use shaders::Shader;
use transformer::ops::attention::{Paths, Shape};
use transformer::ops::{EditBufs, Linear, Norm, NormSaved, Ops, activation};
use transformer::{Activation, Error, NormKind, Result};

/// Coordinates that edit.wgsl keeps in workgroup memory.
const MOST_DIRECTIONS: usize = 1024;

impl Ops for Gpu {
    type S = f32;
    type Buf = Buf;

    fn upload(&self, data: &[f32]) -> Buf {
        self.filled(bytemuck::cast_slice(data))
    }

    fn zeros(&self, len: usize) -> Buf {
        let buf = self.take(len);
        self.recorder.borrow_mut().clear(&buf);
        buf
    }

    async fn read(&self, buf: &Buf) -> Result<Vec<f32>> {
        let all = self.read_back(&[buf]).await?;
        Ok(all.into_iter().next().unwrap_or_default())
    }

    async fn read_all(&self, bufs: &[&Buf]) -> Result<Vec<Vec<f32>>> {
        self.read_back(bufs).await
    }

    fn copy(&self, buf: &Buf) -> Buf {
        let to = self.take(buf.len);
        self.recorder.borrow_mut().copy(buf, &to);
        to
    }

    fn embed(&self, table: &Buf, tokens: &[u32], d: usize) -> Buf {
        self.gather(table, tokens, d)
    }

    fn add_positions(&self, x: &mut Buf, positions: &Buf, seq: usize, d: usize) {
        let params = [x.len as u32, (seq * d) as u32];
        self.each(Shader::Add, &params, &[x, positions], x.len, 256);
    }

    fn add(&self, a: &mut Buf, b: &Buf) {
        let params = [a.len as u32, b.len as u32];
        self.each(Shader::Add, &params, &[a, b], a.len, 256);
    }

    fn linear(&self, x: &Buf, map: &Linear<Buf>) -> Buf {
        let n = x.len / map.inp;
        let c = self.take(n * map.out);
        self.product(&Product {
            a: x,
            b: &map.w,
            bias: map.bias.as_ref(),
            c: &c,
            sizes: [n, map.out, map.inp],
            strides: [1, map.inp],
            beta: 0.0,
        });
        c
    }

    fn linear_vjp(&self, g: &Buf, map: &Linear<Buf>) -> Buf {
        let c = self.take(g.len / map.out * map.inp);
        self.product(&backwards(g, map, &c, 0.0));
        c
    }

    fn linear_vjp_add(&self, g: &Buf, map: &Linear<Buf>, acc: &mut Buf) {
        self.product(&backwards(g, map, acc, 1.0));
    }

    fn norm(&self, x: &Buf, p: &Norm<Buf>) -> (Buf, NormSaved<Buf>) {
        let d = p.gain.len;
        let rows = x.len / d;
        let (y, xhat, r) = (self.take(x.len), self.take(x.len), self.take(rows));
        let layer = u32::from(p.kind == NormKind::Layer);
        let has_bias = u32::from(p.bias.is_some());
        let params = [
            rows as u32,
            d as u32,
            layer,
            has_bias,
            (p.eps as f32).to_bits(),
        ];
        let bias = p.bias.as_ref().unwrap_or(&p.gain);
        let buffers = [x, &p.gain, bias, &y, &xhat, &r];
        self.run_whole(
            (Shader::Norm, 0),
            &params,
            &buffers,
            fold(rows),
            x.len as u64,
        );
        (y, NormSaved { xhat, r })
    }

    fn norm_vjp(&self, g: &mut Buf, p: &Norm<Buf>, saved: &NormSaved<Buf>) {
        let d = p.gain.len;
        let rows = g.len / d;
        let layer = u32::from(p.kind == NormKind::Layer);
        let params = [rows as u32, d as u32, layer, saved.r.len as u32];
        let buffers = [g, &p.gain, &saved.xhat, &saved.r];
        self.run_whole(
            (Shader::NormVjp, 0),
            &params,
            &buffers,
            fold(rows),
            g.len as u64,
        );
    }

    fn rope(&self, x: &mut Buf, s: Shape, table: &Buf, rotary: usize, backwards: bool) {
        let rows = x.len / s.width();
        let heads = s.heads + s.kv_heads;
        let sign: f32 = if backwards { -1.0 } else { 1.0 };
        let params = [
            rows as u32,
            s.width() as u32,
            s.seq as u32,
            heads as u32,
            s.head_dim as u32,
            rotary as u32,
            sign.to_bits(),
        ];
        self.each(
            Shader::Rope,
            &params,
            &[x, table],
            rows * heads * rotary / 2,
            64,
        );
    }

    fn attention(&self, qkv: &Buf, s: Shape) -> (Buf, Buf) {
        let n = qkv.len / s.width();
        let (out, pattern) = (
            self.take(n * s.out_width()),
            self.take(n * s.heads * s.reach),
        );
        let [seq, heads, kv, hd, reach] = sizes(s);
        let params = [n as u32, seq, heads, kv, hd, reach];
        let count = fold((n * s.heads).div_ceil(64));
        let work = 2 * n * s.out_width() * s.reach;
        self.run_whole(
            (Shader::Attention, 0),
            &params,
            &[qkv, &out, &pattern],
            count,
            work as u64,
        );
        (out, pattern)
    }

    fn attention_vjp(&self, g: &Buf, qkv: &Buf, pattern: &Buf, s: Shape, paths: Paths) -> Buf {
        let n = qkv.len / s.width();
        let rows = g.len / s.out_width();
        let ds = self.take(rows * s.heads * s.reach);
        let gqkv = self.take(rows * s.width());
        let [seq, heads, kv, hd, reach] = sizes(s);
        // counted fourfold: neighbours read far apart, so these products are slower than those of tiles
        let work = (4 * rows * s.out_width() * s.reach) as u64;
        let params = |flag: bool| {
            [
                rows as u32,
                n as u32,
                seq,
                heads,
                kv,
                hd,
                reach,
                u32::from(flag),
            ]
        };
        let count = fold((rows * s.heads).div_ceil(64));
        let scores = (Shader::AttentionVjpScores, 0);
        self.run_whole(
            scores,
            &params(paths.pattern),
            &[g, qkv, pattern, &ds],
            count,
            work,
        );
        let count = fold((rows * s.width()).div_ceil(256));
        let gather = (Shader::AttentionVjp, 0);
        let buffers = [g, qkv, pattern, &ds, &gqkv];
        self.run_whole(gather, &params(paths.others), &buffers, count, 3 * work);
        gqkv
    }

    fn activation(&self, x: &Buf, kind: Activation, f: usize) -> (Buf, Buf) {
        let n = x.len / activation::input_width(kind, f);
        let (y, slope) = (self.take(n * f), self.take(x.len));
        let variant = match kind {
            Activation::Relu => 0,
            Activation::Gelu => 1,
            Activation::GeluTanh => 2,
            Activation::SwiGlu => 3,
        };
        let count = fold((n * f).div_ceil(256));
        let params = [n as u32, f as u32];
        let kernel = (Shader::Activation, variant);
        self.run_whole(kernel, &params, &[x, &y, &slope], count, x.len as u64);
        (y, slope)
    }

    fn activation_vjp(&self, g: Buf, slope: &Buf, kind: Activation, f: usize) -> Buf {
        let gated = kind == Activation::SwiGlu;
        let len = if gated { 2 * g.len } else { g.len };
        let gx = self.take(len);
        let params = [len as u32, f as u32, slope.len as u32, u32::from(gated)];
        self.each(Shader::ActivationVjp, &params, &[&g, slope, &gx], len, 256);
        gx
    }

    fn seed(&self, first: usize, rows: usize, d: usize, valid: &[bool]) -> Buf {
        let n = valid.len();
        let g = self.take(rows * n * d);
        let params = [rows as u32, n as u32, d as u32, first as u32];
        self.each(
            Shader::Seed,
            &params,
            &[&self.mask(valid), &g],
            rows * n * d,
            256,
        );
        g
    }

    fn mean_positions(&self, g: &Buf, first: usize, d: usize, valid: &[bool], j: &mut Buf) {
        let n = valid.len();
        let rows = g.len / (n * d);
        let count = valid.iter().filter(|v| **v).count().max(1);
        let inverse = (1.0 / count as f32).to_bits();
        let params = [rows as u32, n as u32, d as u32, first as u32, inverse];
        self.each(
            Shader::Mean,
            &params,
            &[g, &self.mask(valid), j],
            rows * d,
            64,
        );
    }

    fn accumulate(&self, x: &Buf, scale: f64, sum: &mut Buf, lost: &mut Buf) {
        let params = [x.len as u32, (scale as f32).to_bits(), 0];
        self.each(Shader::Running, &params, &[x, sum, lost], x.len, 256);
    }

    fn edit(&self, h: &mut Buf, e: &EditBufs<Buf>, on: &[bool], d: usize) {
        let (n, k) = (on.len(), e.v.len / d);
        if k > MOST_DIRECTIONS {
            return self.recorder.borrow_mut().refuse(Error::Shape {
                op: "edit",
                expected: format!("at most {MOST_DIRECTIONS} directions at once on a GPU"),
                got: k.to_string(),
            });
        }
        let params = [n as u32, d as u32, k as u32];
        let buffers = [h, &e.v, &e.p, &e.m, &e.c, &self.mask(on)];
        self.run_whole(
            (Shader::Edit, 0),
            &params,
            &buffers,
            fold(n),
            (n * d * k) as u64,
        );
    }

    fn top(&self, logits: &Buf, v: usize, k: usize, tracked: &[u32]) -> Buf {
        self.best_words(logits, v, k, tracked)
    }
}

/// `g w` as a product.
fn backwards<'a>(g: &'a Buf, map: &'a Linear<Buf>, c: &'a Buf, beta: f32) -> Product<'a> {
    Product {
        a: g,
        b: &map.w,
        bias: None,
        c,
        sizes: [g.len / map.out, map.inp, map.out],
        strides: [map.inp, 1],
        beta,
    }
}

fn sizes(s: Shape) -> [u32; 5] {
    [s.seq, s.heads, s.kv_heads, s.head_dim, s.reach].map(|x| x as u32)
}
