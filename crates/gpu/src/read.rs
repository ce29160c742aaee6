//! The only place that waits: everything recorded goes off in one command buffer, which ends with copies into one mapped buffer.

use crate::buffers::Buf;
use crate::device::Gpu;
use transformer::{Error, Result};

impl Gpu {
    /// Submits what is recorded and copies `bufs` back.
    pub(crate) async fn read_back(&self, bufs: &[&Buf]) -> Result<Vec<Vec<f32>>> {
        self.fail()?;
        let bytes: u64 = bufs.iter().map(|b| (b.len * 4) as u64).sum();
        self.can_read(bufs, bytes)?;
        let staging = self.submit_with_copies(bufs, bytes);
        let (send, receive) = futures_channel::oneshot::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone only if the caller gave up waiting.
            let _ = send.send(result);
        });
        // Natively somebody must turn the crank; in a browser this does nothing.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        let mapped = receive.await;
        self.fail()?;
        let what = match mapped {
            Ok(Ok(())) => match staging.get_mapped_range(..) {
                Ok(view) => return Ok(split(bytemuck::cast_slice(&view[..bytes as usize]), bufs)),
                Err(e) => e.to_string(),
            },
            Ok(Err(e)) => e.to_string(),
            Err(_) => "the device went away while a result was read".into(),
        };
        Err(Error::Backend { what })
    }

    fn submit_with_copies(&self, bufs: &[&Buf], bytes: u64) -> wgpu::Buffer {
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("readback"),
            size: bytes.max(4),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut recorder = self.recorder.borrow_mut();
        recorder.submit(self.to(), |encoder| {
            let mut at = 0;
            for buf in bufs {
                let size = (buf.len * 4) as u64;
                encoder.copy_buffer_to_buffer(&buf.raw, 0, &staging, at, size);
                at += size;
            }
        });
        recorder.counters.readbacks += 1;
        recorder.counters.bytes_read += bytes;
        staging
    }

    /// What was refused while recording, or is too much to read at once.
    fn can_read(&self, bufs: &[&Buf], bytes: u64) -> Result<()> {
        let mut recorder = self.recorder.borrow_mut();
        let most = self.limits.buffer;
        if bytes > most || bufs.iter().any(|b| !b.is_there()) {
            recorder.refuse(Error::Shape {
                op: "read",
                expected: format!("at most {most} bytes at once; read fewer layers or rows"),
                got: format!("{bytes} bytes"),
            });
        }
        recorder.take_refused().map_or(Ok(()), Err)
    }

    fn fail(&self) -> Result<()> {
        match self.trouble() {
            Some(what) => Err(Error::Backend { what }),
            None => Ok(()),
        }
    }
}

/// One vector per buffer.
fn split(mut numbers: &[f32], bufs: &[&Buf]) -> Vec<Vec<f32>> {
    let one = |buf: &&Buf| {
        let (head, rest) = numbers.split_at(buf.len);
        numbers = rest;
        head.to_vec()
    };
    bufs.iter().map(one).collect()
}
