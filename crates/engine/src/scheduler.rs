//! Who works next: short requests in the order they came, and between them the long ones, a chunk at a time.
//!
//! A driver (the worker's event loop, or a test) pushes requests and calls [`Scheduler::step`] until it says that nothing is
//! left, letting new messages in between two steps.

use crate::error::{Error, Result};
use crate::protocol::{Command, Event, Reply, Request, RequestId};
use crate::session::Session;
use crate::turn::Turn;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use transformer::Ops;

/// Hears every event.
pub type Emit = Rc<dyn Fn(Event)>;

/// A long request under way.
struct Job {
    id: RequestId,
    turn: Turn,
    work: Pin<Box<dyn Future<Output = Result<()>>>>,
}

/// One worker's requests and its model.
pub struct Scheduler<O: Ops> {
    ops: O,
    emit: Emit,
    session: Option<Rc<Session<O>>>,
    short: VecDeque<Request>,
    long: VecDeque<Request>,
    job: Option<Job>,
    clock: Option<Clock>,
    lose: Option<Lose<O>>,
}

/// Loses the device, see [`Command::LoseDevice`].
type Lose<O> = Rc<dyn Fn(&O)>;

/// Seconds since some moment.
pub type Clock = Rc<dyn Fn() -> f64>;

impl<O: Ops + Clone + 'static> Scheduler<O> {
    /// Without a model; events go to `emit`.
    pub fn new(ops: O, emit: Emit) -> Self {
        Self {
            ops,
            emit,
            session: None,
            short: VecDeque::new(),
            long: VecDeque::new(),
            job: None,
            clock: None,
            lose: None,
        }
    }

    /// With a clock, for [`Command::MeasureSpeed`] and the costs that [`Command::Rows`] tells.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// With a way to lose the device, for [`Command::LoseDevice`].
    #[must_use]
    pub fn with_loss(mut self, lose: impl Fn(&O) + 'static) -> Self {
        self.lose = Some(Rc::new(lose));
        self
    }

    /// Takes a request; nothing is computed yet.
    ///
    /// # Panics
    /// On [`Command::Crash`], which asks for it.
    pub fn push(&mut self, request: Request) {
        match request.command {
            Command::Cancel(id) => self.cancel(id),
            #[allow(clippy::panic)]
            Command::Crash => panic!("asked to crash, to show that the page recovers"),
            Command::LoseDevice => {
                if let Some(lose) = &self.lose {
                    lose(&self.ops);
                }
            }
            Command::SwapCounts(_)
            | Command::Fit(_)
            | Command::Parity(_)
            | Command::MeasureSpeed
            | Command::Local(_)
            | Command::Nudge(_)
            | Command::Causal(_)
            | Command::Band(_)
            | Command::Stein(_)
            | Command::Chain(_) => self.long.push_back(request),
            _ => self.short.push_back(request),
        }
    }

    fn cancel(&mut self, id: RequestId) {
        self.short.retain(|r| r.id != id);
        self.long.retain(|r| r.id != id);
        if self.job.as_ref().is_some_and(|job| job.id == id) {
            self.job = None;
        }
    }

    /// Whether there is nothing to do.
    pub fn is_idle(&self) -> bool {
        self.short.is_empty() && self.long.is_empty() && self.job.is_none()
    }

    /// Answers one short request, or else takes the long one a chunk further. Returns whether there is more to do.
    pub async fn step(&mut self) -> bool {
        if let Some(Request { id, command }) = self.short.pop_front() {
            let event = match self.answer(command).await {
                Ok(reply) => Event::Reply { id, reply },
                Err(error) => failed(id, &error),
            };
            (self.emit)(event);
        } else {
            self.advance().await;
        }
        !self.is_idle()
    }

    async fn answer(&mut self, command: Command) -> Result<Reply> {
        if let Command::Load(files) = command {
            let session = Session::open(self.ops.clone(), &files).await?;
            let info = session.info.clone();
            self.session = Some(Rc::new(session));
            return Ok(Reply::Loaded(info));
        }
        let session = self.session.as_ref().ok_or(Error::NoModel)?;
        Ok(match command {
            Command::Read(request) => {
                let (cells, output) = session.read(&request).await?;
                Reply::Read { cells, output }
            }
            Command::Slice(request) => Reply::Slice(session.slice(&request).await?),
            Command::Swap(request) => Reply::Swap(session.swap(&request).await?),
            Command::Compare(request) => Reply::Compare(session.compare(&request).await?),
            Command::WriteLens(own) => Reply::LensFile(session.write_lens(own)?),
            Command::OpenLens(bytes) => Reply::OwnLens(session.open_lens(&bytes)?),
            Command::Rows(request) => {
                Reply::Rows(session.rows(&request, self.clock.clone()).await?)
            }
            Command::Pursue(request) => Reply::Pursuit(session.pursue(&request).await?),
            Command::Steer(request) => Reply::Steered(session.steer(&request).await?),
            Command::ReadTuned(request) => Reply::Tuned(session.read_tuned(&request).await?),
            Command::Load(_)
            | Command::SwapCounts(_)
            | Command::Fit(_)
            | Command::Parity(_)
            | Command::MeasureSpeed
            | Command::Local(_)
            | Command::Nudge(_)
            | Command::Causal(_)
            | Command::Band(_)
            | Command::Stein(_)
            | Command::Chain(_)
            | Command::Cancel(_)
            | Command::LoseDevice
            | Command::Crash => return Err(Error::request("command", "is not a short one")),
        })
    }

    async fn advance(&mut self) {
        if self.job.is_none() {
            self.job = self.long.pop_front().map(|request| self.start(request));
        }
        let Some(job) = &mut self.job else { return };
        let outcome = poll_fn(|cx| match job.work.as_mut().poll(cx) {
            Poll::Ready(result) => Poll::Ready(Some(result)),
            Poll::Pending if job.turn.was_passed() => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        })
        .await;
        if let Some(result) = outcome {
            if let Err(error) = result {
                (self.emit)(failed(job.id, &error));
            }
            self.job = None;
        }
    }

    fn start(&self, Request { id, command }: Request) -> Job {
        let (turn, emit, session) = (Turn::default(), self.emit.clone(), self.session.clone());
        let (own_turn, ops, clock) = (turn.clone(), self.ops.clone(), self.clock.clone());
        let work = async move {
            let emit = move |reply| emit(Event::Reply { id, reply });
            if let Command::Parity(request) = command {
                return crate::parity::answer(&ops, request, &own_turn, &emit).await;
            }
            let session = session.ok_or(Error::NoModel)?;
            match command {
                Command::Fit(request) => session.fit(&request, &own_turn, &emit).await,
                Command::SwapCounts(request) => {
                    session.swap_counts(&request, &own_turn, &emit).await
                }
                Command::MeasureSpeed => session.speed(clock, &own_turn, &emit).await,
                Command::Local(request) => {
                    emit(Reply::Local(session.local(&request, &own_turn).await?));
                    Ok(())
                }
                Command::Nudge(request) => {
                    emit(Reply::Nudges(session.nudge(&request, &own_turn).await?));
                    Ok(())
                }
                Command::Causal(request) => session.causal(request, &own_turn, &emit).await,
                Command::Band(request) => session.band(request, &own_turn, &emit).await,
                Command::Stein(request) => session.stein(&request, &own_turn, &emit).await,
                Command::Chain(request) => {
                    emit(Reply::Chain(session.chain(&request, &own_turn).await?));
                    Ok(())
                }
                _ => Err(Error::request("command", "is not a long one")),
            }
        };
        Job {
            id,
            turn,
            work: Box::pin(work),
        }
    }
}

/// A lost device ends the worker, not the request: the page sends it to another one.
fn failed(id: RequestId, error: &Error) -> Event {
    let message = error.to_string();
    match error.is_of_the_device() {
        true => Event::Lost { message },
        false => Event::Failed { id, message },
    }
}
