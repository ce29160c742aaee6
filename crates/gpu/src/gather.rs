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
        let most = self.numbers_per_binding() / d;
        for some in pieces(n, most) {
            let (to, x0) = x.part(some.start * d..some.end * d);
            for block in pieces(table.len / d, most) {
                let (part, table0) = table.part(block.start * d..block.end * d);
                let numbers = some.len() * d;
                let sizes = [some.len(), d, block.start, block.len()].map(|x| x as u32);
                let [n, d, first, count] = sizes;
                let params = [n, d, first, count, table0, some.start as u32, x0];
                let groups = fold(numbers.div_ceil(256));
                let kernel = (Shader::Embed, 0);
                self.run(
                    kernel,
                    &params,
                    &[part, ids.whole(), to],
                    groups,
                    numbers as u64,
                );
            }
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
            let rows = block.len();
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
