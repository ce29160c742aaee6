//! What every operation needs: buffers, masks, and recording a kernel over them.

use crate::buffers::{Buf, View};
use crate::device::Gpu;
use crate::recorder::{Counters, Dispatch, To, fold};
use shaders::Shader;
use std::rc::Rc;
use transformer::Error;

/// Masks kept on the device.
const MASKS: usize = 8;

impl Gpu {
    /// Records a kernel over parts of buffers; `work` in multiply-adds.
    pub(crate) fn run(
        &self,
        kernel: (Shader, usize),
        params: &[u32],
        buffers: &[View<'_>],
        count: [u32; 2],
        work: u64,
    ) {
        let dispatch = Dispatch {
            kernel,
            params,
            buffers,
            count,
            work,
        };
        self.recorder.borrow_mut().dispatch(self.to(), &dispatch);
    }

    /// Records a kernel over whole buffers.
    pub(crate) fn run_whole(
        &self,
        kernel: (Shader, usize),
        params: &[u32],
        buffers: &[&Buf],
        count: [u32; 2],
        work: u64,
    ) {
        let views: Vec<View<'_>> = buffers.iter().map(|b| b.whole()).collect();
        self.run(kernel, params, &views, count, work);
    }

    /// One invocation per number, `size` of them per workgroup.
    pub(crate) fn each(
        &self,
        shader: Shader,
        params: &[u32],
        buffers: &[&Buf],
        numbers: usize,
        size: usize,
    ) {
        let count = fold(numbers.div_ceil(size));
        self.run_whole((shader, 0), params, buffers, count, numbers as u64);
    }

    pub(crate) fn to(&self) -> To<'_> {
        To {
            device: &self.device,
            queue: &self.queue,
        }
    }

    /// A buffer of unspecified content.
    pub(crate) fn take(&self, len: usize) -> Buf {
        if self.refuses(len) {
            return self.pool.stump(&self.device, len);
        }
        let buf = self.pool.take(&self.device, len);
        self.recorder.borrow_mut().bury(self.pool.dead());
        buf
    }

    /// A buffer with content.
    pub(crate) fn filled(&self, bytes: &[u8]) -> Buf {
        if self.refuses(bytes.len() / 4) {
            return self.pool.stump(&self.device, bytes.len() / 4);
        }
        let buf = self.pool.with(&self.device, bytes);
        self.recorder.borrow_mut().bury(self.pool.dead());
        buf
    }

    /// Notes a buffer that is larger than WebGPU has buffers.
    fn refuses(&self, len: usize) -> bool {
        let (bytes, most) = ((len as u64) * 4, self.limits.buffer);
        if bytes <= most {
            return false;
        }
        self.recorder.borrow_mut().refuse(Error::Shape {
            op: "buffer",
            expected: format!("at most {most} bytes, WebGPU's limit; take fewer rows or words at a time, or the CPU backend"),
            got: format!("{bytes} bytes"),
        });
        true
    }

    pub(crate) fn words(&self, words: &[u32]) -> Buf {
        self.filled(bytemuck::cast_slice(words))
    }

    /// 0 or 1 per position, from the masks used last if it is among them.
    pub(crate) fn mask(&self, on: &[bool]) -> Rc<Buf> {
        let mut masks = self.masks.borrow_mut();
        if let Some((_, buf)) = masks.iter().find(|(known, _)| known == on) {
            return Rc::clone(buf);
        }
        let words: Vec<u32> = on.iter().map(|&b| u32::from(b)).collect();
        let buf = Rc::new(self.words(&words));
        masks.truncate(MASKS - 1);
        masks.push_front((on.to_vec(), Rc::clone(&buf)));
        buf
    }

    /// What was recorded, submitted, sent and read back since the start.
    pub fn counters(&self) -> Counters {
        let mut counters = self.recorder.borrow().counters;
        counters.bytes_written += self.pool.written.get();
        counters
    }

    /// Bytes of storage ever allocated on the device.
    pub fn allocated_bytes(&self) -> u64 {
        self.pool.allocated.get()
    }

    /// Bytes of storage that the device holds now, in use or waiting to be used again.
    pub fn held_bytes(&self) -> u64 {
        self.pool.held.get()
    }
}
