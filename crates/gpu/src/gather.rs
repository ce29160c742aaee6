//! The two operations that meet the widest matrices: rows of a table, and the best words of logits. Both take tables larger than
//! a binding, one block of rows per dispatch.

use crate::buffers::Buf;
use crate::device::Gpu;
use crate::matmul::pieces;
use crate::recorder::fold;
use shaders::Shader;
use transformer::ops::top;

impl Gpu {
    /// Rows of `table` `[V, d]`.
    pub(crate) fn gather(&self, table: &Buf, rows: &[u32], d: usize) -> Buf {
        let n = rows.len();
        let x = self.take(n * d);
        let ids = self.words(rows);
        for block in pieces(table.len / d, self.numbers_per_binding() / d) {
            let (part, table0) = table.part(block.start * d..block.end * d);
            let (first, count) = (block.start as u32, (block.end - block.start) as u32);
            let params = [n as u32, d as u32, first, count, table0];
            let buffers = [part, ids.whole(), x.whole()];
            let groups = fold((n * d).div_ceil(256));
            self.run(
                (Shader::Embed, 0),
                &params,
                &buffers,
                groups,
                (n * d) as u64,
            );
        }
        x
    }

    /// Packed best words of `logits` `[rows, v]`, see [`top`].
    pub(crate) fn best_words(&self, logits: &Buf, v: usize, k: usize, tracked: &[u32]) -> Buf {
        let k = k.min(v);
        let width = top::width(k, tracked.len());
        let out = self.take(logits.len / v * width);
        let words = self.words(if tracked.is_empty() { &[0] } else { tracked });
        let each = v * (k + tracked.len() + 2);
        let by_work = usize::try_from(self.long / each as u64).unwrap_or(usize::MAX);
        let per_block = by_work.min(self.numbers_per_binding() / v);
        for block in pieces(logits.len / v, per_block) {
            let rows = block.end - block.start;
            let (part, logits0) = logits.part(block.start * v..block.end * v);
            let (to, out0) = out.part(block.start * width..block.end * width);
            let sizes = [rows, v, k, tracked.len()].map(|x| x as u32);
            let params = [sizes[0], sizes[1], sizes[2], sizes[3], logits0, out0];
            let buffers = [part, words.whole(), to];
            let work = (rows * each) as u64;
            self.run((Shader::Top, 0), &params, &buffers, fold(rows), work);
        }
        out
    }
}
