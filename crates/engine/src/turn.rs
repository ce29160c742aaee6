//! Taking turns: long work passes its turn between two chunks, and whoever drives it lets others work first.

use std::cell::Cell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// Shared by a long job and its driver; tells "I pass my turn" from "I wait for the backend".
#[derive(Clone, Debug, Default)]
pub struct Turn(Rc<Cell<bool>>);

impl Turn {
    /// Lets others work first.
    pub async fn pass(&self) {
        let mut passed = false;
        poll_fn(|_| {
            if passed {
                return Poll::Ready(());
            }
            passed = true;
            self.0.set(true);
            Poll::Pending
        })
        .await;
    }

    /// Whether the job passed its turn since this was last asked.
    pub fn was_passed(&self) -> bool {
        self.0.take()
    }
}
