//! Device buffers that go back to a pool when dropped. Reuse within one recording is safe: dispatches run in recorded order.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// A storage buffer of `len` numbers of 4 bytes.
pub struct Buf {
    pub(crate) raw: wgpu::Buffer,
    /// Unique over the device's lifetime; names the buffer in cached bind groups.
    pub(crate) id: u64,
    pub(crate) len: usize,
    pool: Rc<Pool>,
}

/// Freed buffers by length.
#[derive(Default)]
pub(crate) struct Pool {
    free: RefCell<HashMap<usize, Vec<(wgpu::Buffer, u64)>>>,
    next: Cell<u64>,
    bytes: Cell<u64>,
}

const USAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST);

impl Pool {
    /// A buffer of unspecified content.
    pub fn take(self: &Rc<Self>, device: &wgpu::Device, len: usize) -> Buf {
        let reused = self.free.borrow_mut().get_mut(&len).and_then(Vec::pop);
        let (raw, id) = reused.unwrap_or_else(|| self.create(device, len, None));
        self.wrap(raw, id, len)
    }

    /// A new buffer with content. Never a reused one: its content would change under dispatches already recorded.
    pub fn with(self: &Rc<Self>, device: &wgpu::Device, bytes: &[u8]) -> Buf {
        let len = bytes.len() / 4;
        let (raw, id) = self.create(device, len, Some(bytes));
        self.wrap(raw, id, len)
    }

    /// Bytes ever allocated on the device for storage.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    fn wrap(self: &Rc<Self>, raw: wgpu::Buffer, id: u64, len: usize) -> Buf {
        Buf {
            raw,
            id,
            len,
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
        self.bytes.set(self.bytes.get() + size);
        let id = self.next.get();
        self.next.set(id + 1);
        (raw, id)
    }
}

impl Drop for Buf {
    fn drop(&mut self) {
        let mut free = self.pool.free.borrow_mut();
        free.entry(self.len)
            .or_default()
            .push((self.raw.clone(), self.id));
    }
}
