//! The page's side of the workers: figures send [`Command`]s and get [`Answer`]s, and never see what computes.
//!
//! ```ignore
//! let line = client.latest();                      // one per dragged control
//! Effect::new(move |_| {
//!     let Some(model) = client.model() else { return };   // reactive: runs again when the model is loaded
//!     let Some(tokens) = model.tokens(&prompt.get()) else { return };
//!     let command = Command::Read(ReadRequest { tokens, targets: Targets::Future, top: 10, tracked: vec![] });
//!     line.send(command, move |answer| match answer {
//!         Answer::Last(Reply::Read { cells, output }) => { set_cells.try_set(cells); }   // always try_*: the signal may be gone
//!         Answer::Failed(message) => { set_error.try_set(message); }
//!         _ => {}
//!     });
//! });
//! ```
//!
//! [`Client`], [`Latest`], [`Ticket`] and [`Pool`] are `Copy + Send + Sync + 'static` handles for closures in views; they must
//! only be used on the page's thread. A request that was in flight when its worker died is sent again to a new one; the figure
//! notices nothing but the delay, and the page shows [`Client::notice`].

mod files;
mod latest;
mod pool;
mod status;
mod words;

pub use engine::protocol::{Command, Reply};
pub use files::ModelName;
pub use latest::Latest;
pub use pool::{FitPlan, FitUpdate, Merged, Pool, Reduction};
pub use status::Status;
pub use words::{Model, Word};

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use std::sync::Arc;

/// One answer to a request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A part; more follows ([`Reply::Progress`], [`Reply::FitRows`], [`Reply::FitPrompt`]).
    Part(Reply),
    /// The last (and mostly only) answer.
    Last(Reply),
    /// The request failed; for the reader: what, where, and what to do. Nothing follows.
    Failed(String),
}

/// The page's line to one worker with one model.
#[derive(Clone, Copy)]
pub struct Client {
    inner: &'static SendWrapper<Inner>,
}

struct Inner {
    status: ArcRwSignal<Status>,
    model: ArcRwSignal<Option<Arc<Model>>>,
    notice: ArcRwSignal<Option<String>>,
}

/// A request that can be called off.
#[derive(Clone, Copy)]
pub struct Ticket {
    _client: Client,
}

impl Ticket {
    /// Forgets the request; its callback is dropped and the worker stops as soon as it can.
    pub fn cancel(self) {}
}

impl Client {
    /// Starts a worker and fetches the model's files, both at once. Call it once per model and page; it lives as long as the page.
    pub fn start(_model: ModelName) -> Self {
        let inner = Inner {
            status: ArcRwSignal::new(Status::Starting {
                received: 0.0,
                total: None,
            }),
            model: ArcRwSignal::new(None),
            notice: ArcRwSignal::new(None),
        };
        Self {
            inner: Box::leak(Box::new(SendWrapper::new(inner))),
        }
    }

    /// Reactive: where the client stands.
    pub fn status(self) -> Status {
        self.inner.status.get()
    }

    /// Reactive: the model, once it is loaded; stays over restarts of the worker.
    pub fn model(self) -> Option<Arc<Model>> {
        self.inner.model.get()
    }

    /// Reactive: something the reader should know, such as that the worker was restarted and the request sent again.
    pub fn notice(self) -> Option<String> {
        self.inner.notice.get()
    }

    /// After [`Status::Failed`]: tries again from the start; waiting requests are kept.
    pub fn retry(self) {}

    /// Sends a request (at once, or as soon as the model is loaded). `on` is called for every answer, until the last.
    pub fn request(self, _command: Command, _on: impl FnMut(Answer) + 'static) -> Ticket {
        Ticket { _client: self }
    }

    /// A line for one dragged control.
    pub fn latest(self) -> Latest {
        Latest::new(self)
    }
}
