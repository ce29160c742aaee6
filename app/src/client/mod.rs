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
//!
//! * [`line`]: a worker that is kept alive, over [`link`] (one worker) and [`ledger`] (what it owes). * [`files`]: fetching.
//! * [`latest`]: latest wins. * [`pool`]: a fit over several workers, as asked for in [`plan`]. * [`words`]: prompts to tokens.
//! * [`engine`]: processor or GPU, over [`kind`] (which worker) and [`deaths`] (what follows one).

mod deaths;
pub mod engine;
mod files;
mod hooks;
mod kind;
mod latest;
mod ledger;
mod line;
mod link;
mod plan;
mod pool;
mod status;
mod words;

pub use ::engine::protocol::{Command, Reply};
pub use engine::{Choice, Engine, GpuState};
pub use files::{ModelName, fetch_file};
pub use latest::Latest;
pub use plan::{FitPlan, FitUpdate, Merged, Reduction};
pub use pool::Pool;
pub use status::Status;
pub use words::{Model, Word};

use ::engine::protocol::RequestId;
use leptos::prelude::*;
use line::{Line, News};
use send_wrapper::SendWrapper;
use std::cell::RefCell;
use std::rc::Rc;
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
    name: ModelName,
    /// In use; always there once the client has started.
    line: RefCell<Option<Line>>,
    /// Of another kind, about to take over.
    candidate: RefCell<Option<Line>>,
    engine: ArcRwSignal<Engine>,
    /// The framed request that loads the model, for the workers of a [`Pool`] too.
    load: RefCell<Option<Rc<Vec<u8>>>>,
    status: ArcRwSignal<Status>,
    model: ArcRwSignal<Option<Arc<Model>>>,
    notice: ArcRwSignal<Option<String>>,
}

/// A request that can be called off.
#[derive(Clone, Copy)]
pub struct Ticket {
    client: Client,
    id: RequestId,
}

impl Ticket {
    /// Forgets the request; its callback is dropped and the worker stops as soon as it can.
    pub fn cancel(self) {
        self.client.line().cancel(self.id);
    }
}

impl Client {
    /// Starts a worker and fetches the model's files, both at once. Call it once per model and page; it lives as long as the page.
    pub fn start(model: ModelName) -> Self {
        let inner = Inner {
            name: model,
            line: RefCell::new(None),
            candidate: RefCell::new(None),
            engine: ArcRwSignal::new(Engine::default()),
            load: RefCell::new(None),
            status: ArcRwSignal::new(STARTING),
            model: ArcRwSignal::new(None),
            notice: ArcRwSignal::new(None),
        };
        let client = Self {
            inner: Box::leak(Box::new(SendWrapper::new(inner))),
        };
        client.line();
        client.fetch();
        client.follow_choices();
        hooks::listen(client);
        client
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

    /// Takes the notice away.
    pub fn dismiss_notice(self) {
        self.inner.notice.set(None);
    }

    /// After [`Status::Failed`]: tries again from the start; waiting requests are kept.
    pub fn retry(self) {
        self.inner.status.set(STARTING);
        self.line().revive();
        if self.inner.load.borrow().is_none() {
            self.fetch();
        }
    }

    /// Sends a request (at once, or as soon as the model is loaded). `on` is called for every answer, until the last.
    pub fn request(self, command: Command, on: impl FnMut(Answer) + 'static) -> Ticket {
        let id = self.line().request(command, Box::new(on));
        Ticket { client: self, id }
    }

    /// A line for one dragged control.
    pub fn latest(self) -> Latest {
        Latest::new(self)
    }

    fn line(self) -> Line {
        if let Some(line) = &*self.inner.line.borrow() {
            return line.clone();
        }
        let kind = self.first_kind();
        let line = Line::start(kind, true, move |id, news| self.hear(id, news));
        self.inner.line.replace(Some(line.clone()));
        line
    }

    fn load_frame(self) -> Option<Rc<Vec<u8>>> {
        self.inner.load.borrow().clone()
    }

    fn hear(self, id: u32, news: News) {
        let is = |line: &RefCell<Option<Line>>| line.borrow().as_ref().map(Line::id) == Some(id);
        if is(&self.inner.line) {
            self.hear_line(news);
        } else if is(&self.inner.candidate) {
            self.hear_candidate(news);
        }
    }

    fn hear_line(self, news: News) {
        match news {
            News::Up(about) => self.using(about),
            News::Loaded(info) => {
                // after a restart it is the same model: figures need not start over
                if self.inner.model.with_untracked(Option::is_none) {
                    self.inner.model.set(Some(Arc::new(Model::new(info))));
                }
                self.inner.status.set(Status::Ready);
                self.try_gpu_later();
            }
            News::Restarted { why, again } => {
                let sent = sent_again(again);
                let notice = format!("The worker stopped ({why}) and was restarted{sent}.");
                self.inner.notice.set(Some(notice));
            }
            News::FellBack { why, again } => {
                self.unfit(&why);
                let sent = sent_again(again);
                let notice = format!(
                    "The GPU cannot be used ({why}). The page goes on with the processor{sent}."
                );
                self.inner.notice.set(Some(notice));
            }
            News::Dead(why) => self.fail(format!("The worker cannot go on: {why}")),
        }
    }

    fn fail(self, message: String) {
        self.inner.status.set(Status::Failed(message));
    }

    fn fetch(self) {
        wasm_bindgen_futures::spawn_local(async move {
            let progress = |received, total| {
                // a worker that has died meanwhile has the last word
                let starting = |s: &Status| matches!(s, Status::Starting { .. });
                if self.inner.status.with_untracked(starting) {
                    self.inner.status.set(Status::Starting { received, total });
                }
            };
            let files = files::fetch_model(self.inner.name, &progress).await;
            match files.and_then(line::load_frame) {
                Ok(load) => {
                    self.inner.load.replace(Some(Rc::clone(&load)));
                    self.line().set_model(load);
                }
                Err(message) => self.fail(message),
            }
        });
    }
}

const STARTING: Status = Status::Starting {
    received: 0.0,
    total: None,
};

fn sent_again(requests: usize) -> &'static str {
    match requests {
        0 => "",
        1 => "; your request was sent again",
        _ => "; your requests were sent again",
    }
}
