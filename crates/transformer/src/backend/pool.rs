//! Buffers that go back to a pool when dropped: a fit asks for the same few sizes thousands of times, and fresh pages are slow.
//!
//! Prompts of many lengths ask for many sizes. So that the pool does not end up with a set of buffers for each, a request takes
//! the smallest free vector that is large enough and at most twice as large, and where there is none, a new vector replaces the
//! largest free one that is too small.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

/// Freed vectors by length.
#[derive(Debug, Default)]
pub(super) struct Pool<S>(Mutex<BTreeMap<usize, Vec<Vec<S>>>>);

/// A host buffer.
#[derive(Debug)]
pub struct Buf<S> {
    /// At least `len` numbers.
    data: Vec<S>,
    len: usize,
    pool: Arc<Pool<S>>,
}

impl<S: Copy + Default> Pool<S> {
    /// `len` numbers of unspecified value (zeros, or what the last owner left).
    pub(super) fn take(self: &Arc<Self>, len: usize) -> Buf<S> {
        let reused = self.0.lock().ok().and_then(|mut free| {
            let fits = free.range(len..=2 * len).next().map(|(&size, _)| size);
            let vector = fits.and_then(|size| pop(&mut free, size));
            if vector.is_none() {
                let small = free.range(..len).next_back().map(|(&size, _)| size);
                drop(small.and_then(|size| pop(&mut free, size)));
            }
            vector
        });
        Buf {
            data: reused.unwrap_or_else(|| vec![S::default(); len]),
            len,
            pool: Arc::clone(self),
        }
    }
}

/// Takes a vector of this size out; no empty list stays behind.
fn pop<S>(free: &mut BTreeMap<usize, Vec<Vec<S>>>, size: usize) -> Option<Vec<S>> {
    let list = free.get_mut(&size)?;
    let vector = list.pop();
    if list.is_empty() {
        free.remove(&size);
    }
    vector
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
        &self.data[..self.len]
    }
}

impl<S> DerefMut for Buf<S> {
    fn deref_mut(&mut self) -> &mut [S] {
        &mut self.data[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(pool: &Arc<Pool<f32>>) -> usize {
        let free = pool.0.lock().unwrap();
        free.iter().map(|(size, list)| size * list.len()).sum()
    }

    #[test]
    fn a_buffer_has_the_length_asked_for_whatever_it_is_made_of() {
        let pool = Arc::<Pool<f32>>::default();
        pool.take(10).fill(1.0);
        for len in [10, 7, 5, 4, 11] {
            assert_eq!(pool.take(len).len(), len);
        }
    }

    #[test]
    fn many_lengths_do_not_pile_up() {
        let pool = Arc::<Pool<f32>>::default();
        for n in (8..=40).chain((8..=40).rev()).chain([8, 40, 9, 39, 10]) {
            // five buffers alive at once, as in a pass over n tokens
            let alive: Vec<_> = [1, 2, 3, 2, 1]
                .iter()
                .map(|k| pool.take(100 * k * n))
                .collect();
            drop(alive);
        }
        let widest = 9 * 100 * 40;
        assert!(held(&pool) <= 2 * widest, "{} of {widest}", held(&pool));
    }

    #[test]
    fn a_steady_state_allocates_nothing() {
        let pool = Arc::<Pool<f32>>::default();
        let pass = |pool| -> usize {
            let alive: Vec<_> = [64, 32, 64, 16, 8]
                .iter()
                .map(|&n| Pool::take(pool, n))
                .collect();
            drop(alive);
            held(pool)
        };
        let first = pass(&pool);
        assert!((0..10).all(|_| pass(&pool) == first));
    }
}
