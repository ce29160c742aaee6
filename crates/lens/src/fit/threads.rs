//! A fit over a list of prompts with native threads. Results are added in the order of the prompts, whichever thread
//! finishes first, so any number of threads gives the same sums to the last bit.

use super::{Accumulator, PromptFit, PromptJacobian};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use transformer::{Model, Ops};

/// How a fit goes and when it stops.
pub struct Drive<'a> {
    /// Threads; at least 1.
    pub threads: usize,
    /// Cotangent rows per backward pass, from [`super::plan_memory`].
    pub row_chunk: usize,
    /// Set from anywhere to stop between two chunks; prompts that are merged stay merged.
    pub cancel: &'a AtomicBool,
    /// Called after each prompt was merged, with the running fit.
    pub progress: &'a mut dyn FnMut(&Accumulator),
}

/// One prompt's result; `None` if it was skipped or cancelled.
type Done<S> = (usize, Result<Outcome<S>>);

enum Outcome<S> {
    Fitted(PromptJacobian<S>),
    Skipped,
    Cancelled,
}

/// Which prompts may be started: never far ahead of those merged, so that few results wait in memory.
struct Gate {
    merged: Mutex<usize>,
    moved: Condvar,
    next: AtomicUsize,
    stop: AtomicBool,
    ahead: usize,
}

impl Gate {
    /// The next prompt of `n`, once it may start.
    fn next(&self, n: usize) -> Option<usize> {
        let i = self.next.fetch_add(1, Ordering::Relaxed);
        let mut merged = self.merged.lock().unwrap_or_else(PoisonError::into_inner);
        while i < n && i >= *merged + self.ahead && !self.stop.load(Ordering::Relaxed) {
            merged = self
                .moved
                .wait(merged)
                .unwrap_or_else(PoisonError::into_inner);
        }
        (i < n && !self.stop.load(Ordering::Relaxed)).then_some(i)
    }

    fn advance(&self, merged: usize) {
        *self.merged.lock().unwrap_or_else(PoisonError::into_inner) = merged;
        self.moved.notify_all();
    }

    fn close(&self) {
        self.stop.store(true, Ordering::Relaxed);
        // the lock orders the store before a waiter's next look
        drop(self.merged.lock());
        self.moved.notify_all();
    }
}

/// Adds `prompts[sums.seen()..]` to `sums`, so that a resumed fit goes on where it stopped. Returns true when all prompts are
/// in, false when it was cancelled.
///
/// # Errors
/// The first error in the order of the prompts; what was merged before stays in `sums`.
pub fn fit_prompts<O>(
    model: &Model<O>,
    prompts: &[Vec<u32>],
    sums: &mut Accumulator,
    drive: Drive<'_>,
) -> Result<bool>
where
    O: Ops + Sync,
    O::Buf: Send + Sync,
{
    let seen = usize::try_from(sums.seen()).unwrap_or(usize::MAX);
    let rest = prompts.get(seen..).unwrap_or_default();
    let threads = drive.threads.clamp(1, rest.len().max(1));
    let gate = Gate {
        merged: Mutex::new(0),
        moved: Condvar::new(),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        ahead: 2 * threads,
    };
    let estimator = sums.estimator.clone();
    let (send, receive) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, gate, estimator) = (send.clone(), &gate, &estimator);
            let work = move |i: usize| {
                let fit = PromptFit::new(model, estimator, drive.row_chunk, &rest[i])?;
                one_prompt(fit, drive.cancel)
            };
            scope.spawn(move || run(gate, rest.len(), &work, &send));
        }
        drop(send);
        let result = merge(&receive, rest.len(), sums, &gate, drive.progress);
        gate.close();
        result.map_err(|e| match e {
            Error::Thread { prompt } => Error::Thread {
                prompt: seen + prompt,
            },
            e => e,
        })
    })
}

/// A worker: takes prompts until there are none.
fn run<S>(
    gate: &Gate,
    n: usize,
    work: &dyn Fn(usize) -> Result<Outcome<S>>,
    send: &Sender<Done<S>>,
) {
    while let Some(i) = gate.next(n) {
        // a panic must not leave the merging side waiting for this prompt
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(i)))
            .unwrap_or(Err(Error::Thread { prompt: i }));
        let last = !matches!(result, Ok(Outcome::Fitted(_) | Outcome::Skipped));
        if send.send((i, result)).is_err() || last {
            break;
        }
    }
}

fn one_prompt<O: Ops>(fit: Option<PromptFit<'_, O>>, cancel: &AtomicBool) -> Result<Outcome<O::S>> {
    let Some(mut fit) = fit else {
        return Ok(Outcome::Skipped);
    };
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Ok(Outcome::Cancelled);
        }
        if fit.step()?.is_none() {
            return Ok(Outcome::Fitted(pollster::block_on(fit.finish())?));
        }
    }
}

/// Adds results in index order; true when all `n` are in.
fn merge<S: transformer::ops::real::Real>(
    receive: &Receiver<Done<S>>,
    n: usize,
    sums: &mut Accumulator,
    gate: &Gate,
    progress: &mut dyn FnMut(&Accumulator),
) -> Result<bool> {
    let (mut waiting, mut merged) = (BTreeMap::new(), 0);
    while merged < n {
        let Ok((i, result)) = receive.recv() else {
            return Ok(false); // all workers stopped: cancelled
        };
        waiting.insert(i, result);
        while let Some(result) = waiting.remove(&merged) {
            match result? {
                Outcome::Fitted(j) => sums.add(&j)?,
                Outcome::Skipped => sums.skip(),
                Outcome::Cancelled => return Ok(false),
            }
            merged += 1;
            gate.advance(merged);
            progress(sums);
        }
    }
    Ok(true)
}
