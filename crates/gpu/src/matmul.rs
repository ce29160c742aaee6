//! Matrix products: which kernel, and in how many dispatches.
//!
//! One is enough unless a matrix exceeds what a kernel can see at a time, or the work of one dispatch would keep a slow GPU busy
//! for longer than the watchdog of a system allows. Then rows of A and C come in blocks, and B in blocks along its slow direction:
//! of columns in the forward product (B is the transpose of weights `[n, k]`), of the summed index in the backward one, where the
//! blocks add up in C.

use crate::buffers::{ALIGNMENT, Buf};
use crate::device::Gpu;
use crate::recorder::fold;
use shaders::Shader;
use std::ops::Range;

/// Below this many rows most of a tile is empty.
const FEW: usize = 8;

/// `C = A B + bias + beta C`, sizes `m`, `n`, `k`; B[k,n] at `k strides[0] + n strides[1]`, one of which is 1.
pub(crate) struct Product<'a> {
    pub a: &'a Buf,
    pub b: &'a Buf,
    pub bias: Option<&'a Buf>,
    pub c: &'a Buf,
    pub sizes: [usize; 3],
    pub strides: [usize; 2],
    pub beta: f32,
}

/// What one dispatch computes.
struct Block {
    rows: Range<usize>,
    columns: Range<usize>,
    summed: Range<usize>,
}

impl Gpu {
    pub(crate) fn product(&self, p: &Product<'_>) {
        for block in self.blocks(p) {
            self.product_block(p, &block);
        }
    }

    /// Row blocks outside, so that C's rows are finished one block after the other.
    fn blocks(&self, p: &Product<'_>) -> Vec<Block> {
        let [m, n, k] = p.sizes;
        let most = self.numbers_per_binding();
        let by_size = most / n.max(k).max(1);
        let by_work = usize::try_from(self.long / (n * k).max(1) as u64).unwrap_or(usize::MAX);
        let per_block = whole_tiles(by_size.min(by_work));
        let forward = p.strides[0] == 1;
        let slow = if forward { n } else { k };
        let per_slice = most / (n * k / slow.max(1)).max(1);
        let mut out = Vec::new();
        for rows in pieces(m, per_block) {
            for slice in pieces(slow, per_slice) {
                let (columns, summed) = if forward {
                    (slice, 0..k)
                } else {
                    (0..n, slice)
                };
                out.push(Block {
                    rows: rows.clone(),
                    columns,
                    summed,
                });
            }
        }
        out
    }

    fn product_block(&self, p: &Product<'_>, block: &Block) {
        let [_, n, k] = p.sizes;
        let [m_here, n_here, k_here] =
            [&block.rows, &block.columns, &block.summed].map(|r| r.end - r.start);
        let (a, a0) = p.a.part(block.rows.start * k..block.rows.end * k);
        let (c, c0) = p.c.part(block.rows.start * n..block.rows.end * n);
        let at = |k: usize, n: usize| k * p.strides[0] + n * p.strides[1];
        let last = at(block.summed.end.max(1) - 1, block.columns.end.max(1) - 1);
        let (b, b0) =
            p.b.part(at(block.summed.start, block.columns.start)..last + 1);
        let bias = p.bias.map_or(b, Buf::whole);
        let beta = if block.summed.start == 0 { p.beta } else { 1.0 };
        let params = [
            m_here as u32,
            n_here as u32,
            k_here as u32,
            p.strides[0] as u32,
            p.strides[1] as u32,
            u32::from(p.bias.is_some()),
            beta.to_bits(),
            k as u32,
            n as u32,
            a0 + block.summed.start as u32,
            b0,
            block.columns.start as u32,
            c0 + block.columns.start as u32,
        ];
        let (kernel, count) = self.kernel_for(m_here, n_here);
        let work = (m_here * n_here * k_here) as u64;
        self.run(kernel, &params, &[a, b, bias, c], count, work);
    }

    /// The naive kernel for a handful of rows, flat tiles for a short prompt, else tall ones.
    fn kernel_for(&self, m: usize, n: usize) -> ((Shader, usize), [u32; 2]) {
        if m < FEW || self.naive_matmul {
            return ((Shader::MatmulNaive, 0), fold((m * n).div_ceil(64)));
        }
        let (variant, rows, columns) = if m <= 64 { (1, 64, 128) } else { (0, 128, 64) };
        let tiles = [n.div_ceil(columns) as u32, m.div_ceil(rows) as u32];
        ((Shader::Matmul, variant), tiles)
    }

    /// Numbers that a binding holds, wherever they begin.
    pub(crate) fn numbers_per_binding(&self) -> usize {
        (self.limits.binding as usize / 4).saturating_sub(ALIGNMENT)
    }
}

/// Full tiles where there is at least one.
fn whole_tiles(rows: usize) -> usize {
    if rows > 128 { rows / 128 * 128 } else { rows }
}

/// `0..n` in pieces of at most `most`; where not even one fits, single ones, which the device refuses by name.
pub(crate) fn pieces(n: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let step = most.max(1);
    (0..n)
        .step_by(step)
        .map(move |from| from..n.min(from.saturating_add(step)))
}
