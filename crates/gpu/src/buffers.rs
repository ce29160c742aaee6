//! Device buffers. Those that a computation fills go back to a pool when dropped; reuse within one recording is safe, because
//! dispatches run in recorded order. Those that the host fills are never reused: their content is written before the recording
//! runs, under the feet of dispatches that were recorded earlier.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// A storage buffer of `len` numbers of 4 bytes.
pub struct Buf {
    /// At least `len` numbers long, unless the device refused it (see [`Buf::is_there`]).
    pub(crate) raw: wgpu::Buffer,
    /// Unique over the device's lifetime; names the buffer in cached bind groups.
    pub(crate) id: u64,
    pub(crate) len: usize,
    reusable: bool,
    pool: Rc<Pool>,
}

/// A part of a buffer, as a kernel sees it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub buf: &'a Buf,
    /// In bytes.
    pub offset: u64,
    /// In bytes.
    pub size: u64,
}

/// Bindings begin at multiples of so many numbers (256 bytes).
pub(crate) const ALIGNMENT: usize = 64;

/// Freed buffers by length.
#[derive(Default)]
pub(crate) struct Pool {
    free: RefCell<BTreeMap<usize, Vec<(wgpu::Buffer, u64)>>>,
    /// Buffers that no bind group needs any more.
    dead: RefCell<Vec<u64>>,
    next: Cell<u64>,
    pub(crate) allocated: Cell<u64>,
    pub(crate) held: Cell<u64>,
    pub(crate) written: Cell<u64>,
}

const USAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST);

impl Buf {
    /// False for a buffer that was larger than the device allows: there is only a stump of it.
    pub(crate) fn is_there(&self) -> bool {
        self.raw.size() >= (self.len * 4) as u64
    }

    pub(crate) fn whole(&self) -> View<'_> {
        let size = (self.len.max(1) * 4) as u64;
        View {
            buf: self,
            offset: 0,
            size,
        }
    }

    /// A view of a range of numbers, and where in the view they begin.
    pub(crate) fn part(&self, range: Range<usize>) -> (View<'_>, u32) {
        let start = range.start / ALIGNMENT * ALIGNMENT;
        let view = View {
            buf: self,
            offset: (start * 4) as u64,
            size: ((range.end.max(start + 1) - start) * 4) as u64,
        };
        (view, (range.start - start) as u32)
    }
}

impl Pool {
    /// A buffer of unspecified content: the smallest free one that is large enough and at most twice as large. Where there is
    /// none, a new one replaces the largest free one that is too small, so that many lengths do not pile up.
    pub fn take(self: &Rc<Self>, device: &wgpu::Device, len: usize) -> Buf {
        let (raw, id) = self
            .reuse(len)
            .unwrap_or_else(|| self.create(device, len, None));
        self.wrap(raw, id, len, true)
    }

    /// A new buffer with content.
    pub fn with(self: &Rc<Self>, device: &wgpu::Device, bytes: &[u8]) -> Buf {
        let len = bytes.len() / 4;
        let (raw, id) = self.create(device, len, Some(bytes));
        self.written.set(self.written.get() + bytes.len() as u64);
        self.wrap(raw, id, len, false)
    }

    /// Stands for a buffer that cannot be.
    pub fn stump(self: &Rc<Self>, device: &wgpu::Device, len: usize) -> Buf {
        let (raw, id) = self.create(device, 4, None);
        self.wrap(raw, id, len, false)
    }

    /// Buffers that are gone since this was last asked.
    pub fn dead(&self) -> Vec<u64> {
        self.dead.take()
    }

    fn reuse(&self, len: usize) -> Option<(wgpu::Buffer, u64)> {
        let mut free = self.free.borrow_mut();
        if let Some(&size) = free.range(len..=2 * len).next().map(|(size, _)| size) {
            return pop(&mut free, size);
        }
        let small = free.range(..len).next_back().map(|(&size, _)| size)?;
        if let Some((raw, id)) = pop(&mut free, small) {
            self.forget(&raw, id);
        }
        None
    }

    fn forget(&self, raw: &wgpu::Buffer, id: u64) {
        self.held.set(self.held.get() - raw.size());
        self.dead.borrow_mut().push(id);
    }

    fn wrap(self: &Rc<Self>, raw: wgpu::Buffer, id: u64, len: usize, reusable: bool) -> Buf {
        Buf {
            raw,
            id,
            len,
            reusable,
            pool: Rc::clone(self),
        }
    }

    fn create(
        &self,
        device: &wgpu::Device,
        len: usize,
        content: Option<&[u8]>,
    ) -> (wgpu::Buffer, u64) {
        let size = (len.max(4) * 4) as u64;
        let raw = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: USAGE,
            mapped_at_creation: content.is_some(),
        });
        if let Some(content) = content {
            // Fails only on a lost device, which the next read reports.
            if let Ok(mut view) = raw.get_mapped_range_mut(..) {
                view.slice(..content.len()).copy_from_slice(content);
            }
            raw.unmap();
        }
        self.allocated.set(self.allocated.get() + size);
        self.held.set(self.held.get() + size);
        let id = self.next.get();
        self.next.set(id + 1);
        (raw, id)
    }
}

/// Takes a buffer of this size out; no empty list stays behind.
fn pop<T>(free: &mut BTreeMap<usize, Vec<T>>, size: usize) -> Option<T> {
    let list = free.get_mut(&size)?;
    let one = list.pop();
    if list.is_empty() {
        free.remove(&size);
    }
    one
}

impl Drop for Buf {
    fn drop(&mut self) {
        if !self.reusable {
            return self.pool.forget(&self.raw, self.id);
        }
        let size = (self.raw.size() / 4) as usize;
        let mut free = self.pool.free.borrow_mut();
        free.entry(size)
            .or_default()
            .push((self.raw.clone(), self.id));
    }
}
