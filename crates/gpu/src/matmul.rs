//! Choosing a matrix product: the tiled kernel, or the plain one for a handful of rows.

use crate::buffers::Buf;
use crate::device::Gpu;
use crate::recorder::fold;
use shaders::Shader;

/// Below this many rows a 64 x 64 tile is mostly empty.
const FEW: usize = 8;

/// `C = A B + bias + beta C`, sizes `m`, `n`, `k`; B[k,n] at `k strides[0] + n strides[1]`.
pub(crate) struct Product<'a> {
    pub a: &'a Buf,
    pub b: &'a Buf,
    pub bias: Option<&'a Buf>,
    pub c: &'a Buf,
    pub sizes: [usize; 3],
    pub strides: [usize; 2],
    pub beta: f32,
}

impl Gpu {
    pub(crate) fn product(&self, p: &Product<'_>) {
        let [m, n, k] = p.sizes;
        let params = [
            m as u32,
            n as u32,
            k as u32,
            p.strides[0] as u32,
            p.strides[1] as u32,
            u32::from(p.bias.is_some()),
            p.beta.to_bits(),
            0,
        ];
        let buffers = [p.a, p.b, p.bias.unwrap_or(p.b), p.c];
        let (shader, count) = if m < FEW || self.naive_matmul {
            (Shader::MatmulNaive, fold((m * n).div_ceil(64)))
        } else {
            let tiles = [n.div_ceil(64) as u32, m.div_ceil(64) as u32];
            (Shader::Matmul, tiles)
        };
        self.run((shader, 0), &params, &buffers, count, (m * n * k) as u64);
    }
}
