//! Host backends answer at once: their futures are ready when first asked.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The value of a future that is ready.
///
/// # Errors
/// [`transformer::Error::Shape`] for a future that is not, which no host backend makes.
pub fn now<T>(future: impl Future<Output = transformer::Result<T>>) -> transformer::Result<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => Err(transformer::Error::Shape {
            op: "read",
            expected: "a host backend, which answers at once".into(),
            got: "a backend that must be waited for".into(),
        }),
    }
}
