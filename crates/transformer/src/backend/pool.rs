//! Buffers that go back to a pool when dropped: a fit asks for the same few sizes thousands of times, and fresh pages are slow.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

/// Freed vectors by length.
#[derive(Debug, Default)]
pub(super) struct Pool<S>(Mutex<HashMap<usize, Vec<Vec<S>>>>);

/// A host buffer.
#[derive(Debug)]
pub struct Buf<S> {
    data: Vec<S>,
    pool: Arc<Pool<S>>,
}

impl<S: Copy + Default> Pool<S> {
    /// `len` numbers of unspecified value (zeros, or what the last owner left).
    pub(super) fn take(self: &Arc<Self>, len: usize) -> Buf<S> {
        let reused = self
            .0
            .lock()
            .ok()
            .and_then(|mut free| free.get_mut(&len).and_then(Vec::pop));
        Buf {
            data: reused.unwrap_or_else(|| vec![S::default(); len]),
            pool: Arc::clone(self),
        }
    }
}

impl<S> Drop for Buf<S> {
    fn drop(&mut self) {
        let data = std::mem::take(&mut self.data);
        if let Ok(mut free) = self.pool.0.lock() {
            free.entry(data.len()).or_default().push(data);
        }
    }
}

impl<S> Deref for Buf<S> {
    type Target = [S];
    fn deref(&self) -> &[S] {
        &self.data
    }
}

impl<S> DerefMut for Buf<S> {
    fn deref_mut(&mut self) -> &mut [S] {
        &mut self.data
    }
}
