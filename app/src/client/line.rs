//! A worker that is kept alive: started again when it dies, given its model again, and sent again what it had not answered.

use super::Answer;
use super::deaths::{Deaths, Next};
use super::kind::Kind;
use super::ledger::{LOAD, Ledger};
use super::link::{Heard, Link};
use engine::protocol::{About, Backend, Command, Event, ModelInfo, Reply, Request, RequestId};
use engine::{BUILD, frame};
use leptos::prelude::{IntervalHandle, set_interval_with_handle};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::time::Duration;

/// How often silence is measured. Ticks are counted, not time: a laptop that slept is not a dead worker.
const TICK: Duration = Duration::from_secs(2);
/// Ticks without a word after which a worker that owes an answer counts as dead. Long work reports every second or so.
const SILENT: u32 = 8;
/// Ticks that a worker may take to load its program.
const SLOW_START: u32 = 30;

pub(super) type OnAnswer = Box<dyn FnMut(Answer)>;

/// What the owner of a line hears of it, besides answers.
pub(super) enum News {
    /// The worker runs.
    Up(About),
    /// The model is loaded.
    Loaded(ModelInfo),
    /// The worker died and another was started; so many requests are sent again.
    Restarted { why: String, again: usize },
    /// The GPU cannot be used any more, and a worker on the processor was started; so many requests are sent again.
    FellBack { why: String, again: usize },
    /// No more workers are started until [`Line::revive`].
    Dead(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Starting,
    Up,
    Loading,
    Loaded,
    Dead,
}

/// A handle; clones are the same line.
#[derive(Clone)]
pub(super) struct Line(Rc<Inner>);

struct Inner {
    id: u32,
    kind: Cell<Kind>,
    about: RefCell<Option<About>>,
    /// Whether the processor may take over from a GPU.
    falls_back: Cell<bool>,
    link: RefCell<Option<Link>>,
    /// Counts workers, so that a late word of an earlier one is not taken for the present one's.
    generation: Cell<u32>,
    phase: Cell<Phase>,
    /// The framed request that loads the model.
    load: RefCell<Option<Rc<Vec<u8>>>>,
    ledger: RefCell<Ledger<OnAnswer>>,
    deaths: RefCell<Deaths>,
    silent: Cell<u32>,
    timer: Cell<Option<IntervalHandle>>,
    on: Box<dyn Fn(News)>,
}

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(0) };
}

/// The framed request that loads a model.
pub(super) fn load_frame(files: engine::protocol::ModelFiles) -> Result<Rc<Vec<u8>>, String> {
    let command = Command::Load(files);
    let request = Request { id: LOAD, command };
    let bytes = frame::encode(&request).map_err(|e| e.to_string())?;
    Ok(Rc::new(bytes))
}

impl Line {
    /// Starts a worker; `on` hears of it with the line's [`Line::id`], and never before this returns. When a GPU fails, a line
    /// that `falls_back` goes on with the processor; another one is dead.
    pub(super) fn start(kind: Kind, falls_back: bool, on: impl Fn(u32, News) + 'static) -> Self {
        let id = NEXT.replace(NEXT.get() + 1);
        let line = Self(Rc::new(Inner {
            id,
            kind: Cell::new(kind),
            about: RefCell::new(None),
            falls_back: Cell::new(falls_back),
            link: RefCell::new(None),
            generation: Cell::new(0),
            phase: Cell::new(Phase::Dead),
            load: RefCell::new(None),
            ledger: RefCell::new(Ledger::new()),
            deaths: RefCell::default(),
            silent: Cell::new(0),
            timer: Cell::new(None),
            on: Box::new(move |news| on(id, news)),
        }));
        let weak = Rc::downgrade(&line.0);
        let tick = move || with(&weak, Self::tick);
        line.0.timer.set(set_interval_with_handle(tick, TICK).ok());
        if let Err(why) = line.spawn() {
            let line = line.clone();
            wasm_bindgen_futures::spawn_local(async move { line.dead(&why) });
        }
        line
    }

    /// Tells lines of one page apart.
    pub(super) fn id(&self) -> u32 {
        self.0.id
    }

    /// What its worker is.
    pub(super) fn kind(&self) -> Kind {
        self.0.kind.get()
    }

    /// What its worker said of itself, once it is up.
    pub(super) fn about(&self) -> Option<About> {
        self.0.about.borrow().clone()
    }

    /// Takes over another line's open requests and ends it. From here on this one falls back to the processor when it must.
    pub(super) fn take_over(&self, other: &Self) {
        other.stop();
        self.0.falls_back.set(true);
        let mut theirs = other.0.ledger.borrow_mut();
        self.0.ledger.borrow_mut().absorb(&mut theirs);
        drop(theirs);
        self.flush();
    }

    /// The model to load, now and into every later worker.
    pub(super) fn set_model(&self, load: Rc<Vec<u8>>) {
        self.0.load.replace(Some(load));
        self.load();
    }

    /// Sends a request as soon as the model is loaded.
    pub(super) fn request(&self, command: Command, on: OnAnswer) -> RequestId {
        let id = self.0.ledger.borrow_mut().add(command, on);
        self.flush();
        id
    }

    /// Forgets a request.
    pub(super) fn cancel(&self, id: RequestId) {
        if self.0.ledger.borrow_mut().forget(id) {
            self.send(&Request {
                id: LOAD,
                command: Command::Cancel(id),
            });
        }
    }

    /// After [`News::Dead`]: starts over; open requests are kept.
    pub(super) fn revive(&self) {
        if self.0.phase.get() == Phase::Dead {
            self.0.deaths.take();
            if let Err(why) = self.spawn() {
                self.dead(&why);
            }
        }
    }

    /// Ends the worker for good.
    pub(super) fn stop(&self) {
        self.0.generation.set(self.0.generation.get() + 1);
        self.0.phase.set(Phase::Dead);
        self.0.link.replace(None);
        if let Some(timer) = self.0.timer.take() {
            timer.clear();
        }
    }

    /// Test hook: makes the worker panic.
    pub(super) fn crash(&self) {
        self.request(Command::Crash, Box::new(|_| {}));
    }

    /// Test hook: the worker's GPU is lost.
    pub(super) fn lose_device(&self) {
        self.send(&Request {
            id: LOAD,
            command: Command::LoseDevice,
        });
    }

    /// Test hook: ends the worker without a word.
    pub(super) fn kill(&self) {
        if let Some(link) = &*self.0.link.borrow() {
            link.kill();
        }
    }

    fn spawn(&self) -> Result<(), String> {
        let generation = self.0.generation.get() + 1;
        self.0.generation.set(generation);
        self.0.phase.set(Phase::Starting);
        self.0.silent.set(0);
        let weak = Rc::downgrade(&self.0);
        let link = Link::open(&self.kind().script(), move |heard| {
            with(&weak, |line| {
                if line.0.generation.get() == generation {
                    line.hear(heard);
                }
            });
        })?;
        self.0.link.replace(Some(link));
        Ok(())
    }

    fn hear(&self, heard: Heard) {
        self.0.silent.set(0);
        match heard {
            Heard::Death(why) => self.died(&why),
            Heard::Event(event) => self.hear_event(*event),
        }
    }

    fn hear_event(&self, event: Event) {
        match event {
            Event::Panicked { message } | Event::Lost { message } => self.died(&message),
            Event::Unfit { message } if self.0.falls_back.get() => {
                self.fall_back(&message);
            }
            Event::Unfit { message } => self.dead(&message),
            Event::Unreadable { message } => self.dead(&message),
            Event::Ready { build, .. } if build != BUILD => self.dead(&format!(
                "the page is of build {BUILD}, its worker of {build}: reload the page"
            )),
            Event::Ready { about, .. } => {
                self.0.phase.set(Phase::Up);
                self.0.about.replace(Some(about.clone()));
                (self.0.on)(News::Up(about));
                self.load();
            }
            Event::Reply {
                id: LOAD,
                reply: Reply::Loaded(info),
            } => {
                self.0.phase.set(Phase::Loaded);
                (self.0.on)(News::Loaded(info));
                self.flush();
            }
            Event::Failed { id: LOAD, message } => self.dead(&message),
            Event::Reply { id, reply } => {
                let last = !is_part(&reply);
                let answer = if last { Answer::Last } else { Answer::Part };
                self.answer(id, last, answer(reply));
            }
            Event::Failed { id, message } => {
                self.answer(id, true, Answer::Failed(message));
            }
        }
    }

    fn answer(&self, id: RequestId, last: bool, answer: Answer) {
        self.0.deaths.borrow_mut().answered();
        // taken out first: the callback may well send the next request
        let on = self.0.ledger.borrow_mut().hears(id, last);
        if let Some(mut on) = on {
            on(answer);
            if !last {
                self.0.ledger.borrow_mut().give_back(id, on);
            }
        }
    }

    fn load(&self) {
        if self.0.phase.get() != Phase::Up {
            return;
        }
        let load = self.0.load.borrow().clone();
        if let Some(load) = load {
            self.0.phase.set(Phase::Loading);
            self.send_bytes(&load);
        }
    }

    fn flush(&self) {
        if self.0.phase.get() == Phase::Loaded {
            let requests = self.0.ledger.borrow_mut().take_unsent();
            requests.iter().for_each(|request| self.send(request));
        }
    }

    fn send(&self, request: &Request) {
        match frame::encode(request) {
            Ok(bytes) => self.send_bytes(&bytes),
            Err(error) => self.answer(request.id, true, Answer::Failed(error.to_string())),
        }
    }

    fn send_bytes(&self, bytes: &[u8]) {
        let sent = match &*self.0.link.borrow() {
            Some(link) => link.send(bytes),
            None => Ok(()), // the next worker will be sent it
        };
        if let Err(why) = sent {
            self.died(&why);
        }
    }

    fn died(&self, why: &str) {
        let why = why.lines().next().unwrap_or("no reason given");
        let backend = self.kind().backend;
        let next = self.0.deaths.borrow_mut().died(backend);
        match next {
            _ if backend == Backend::Gpu && !self.0.falls_back.get() => return self.dead(why),
            Next::Processor => return self.fall_back(why),
            _ => {}
        }
        let given_up = self.0.ledger.borrow_mut().died(backend == Backend::Cpu);
        let started = match next {
            Next::Nothing(times) => Err(format!("it stopped {times} times in a row, last: {why}")),
            _ => self.spawn(),
        };
        for mut on in given_up {
            on(Answer::Failed(format!(
                "the worker stopped twice on this request ({why}); change it, or reload the page"
            )));
        }
        match started {
            Ok(()) => {
                let (why, again) = (why.to_owned(), self.0.ledger.borrow().open());
                (self.0.on)(News::Restarted { why, again });
            }
            Err(why) => self.dead(&why),
        }
    }

    /// The processor takes over.
    fn fall_back(&self, why: &str) {
        self.0.kind.set(Kind::CPU);
        self.0.ledger.borrow_mut().died(false);
        match self.spawn() {
            Ok(()) => {
                let (why, again) = (why.to_owned(), self.0.ledger.borrow().open());
                (self.0.on)(News::FellBack { why, again });
            }
            Err(why) => self.dead(&why),
        }
    }

    fn dead(&self, why: &str) {
        self.0.generation.set(self.0.generation.get() + 1);
        self.0.phase.set(Phase::Dead);
        self.0.link.replace(None);
        (self.0.on)(News::Dead(why.to_owned()));
    }

    fn tick(&self) {
        let patience = match self.0.phase.get() {
            Phase::Starting => SLOW_START,
            Phase::Loading => SILENT,
            Phase::Loaded if self.0.ledger.borrow().in_flight() > 0 => SILENT,
            _ => {
                self.0.silent.set(0);
                return;
            }
        };
        let silent = self.0.silent.get() + 1;
        self.0.silent.set(silent);
        if silent >= patience {
            let seconds = u64::from(silent) * TICK.as_secs();
            self.died(&format!("not a word for {seconds} s"));
        }
    }
}

fn with(weak: &Weak<Inner>, f: impl FnOnce(&Line)) {
    if let Some(inner) = weak.upgrade() {
        f(&Line(inner));
    }
}

/// Whether more follows.
fn is_part(reply: &Reply) -> bool {
    matches!(
        reply,
        Reply::Progress { .. } | Reply::FitRows { .. } | Reply::FitPrompt { .. } | Reply::Parity(_)
    )
}
