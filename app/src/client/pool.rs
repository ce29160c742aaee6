//! A fit over several workers of its own, merged on the page.
//!
//! Every worker has one prompt at a time; whoever is done gets the next one. Results are added in the order of the prompts
//! ([`engine::merge`]), so the lens does not depend on how many workers there are or who was faster.

use super::kind::Kind;
use super::line::{Line, News};
use super::plan::{FitPlan, FitUpdate, Merged, Reduction};
use super::{Answer, Client};
use engine::merge::Merger;
use engine::protocol::{Backend, Command, FitRequest, Reply};
use leptos::prelude::WithUntracked;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Most workers: each holds a copy of the model.
const MOST_WORKERS: usize = 8;
/// Up to so many prompts a median is computed after each, beyond only after every eighth (and at the end): it sorts.
const EACH_MEDIAN: u32 = 16;

/// A running fit; the workers live until it finishes, fails or is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool(u32);

struct Running {
    plan: FitPlan,
    /// The framed request that loads the model.
    load: Rc<Vec<u8>>,
    lines: RefCell<Vec<Line>>,
    /// Workers without a prompt.
    idle: RefCell<Vec<usize>>,
    next: Cell<u32>,
    paused: Cell<bool>,
    merger: RefCell<Merger>,
    latest: RefCell<Rc<Vec<Vec<f32>>>>,
    /// Prompts that the latest lens is made of.
    made_of: Cell<u32>,
    on: RefCell<Box<dyn FnMut(FitUpdate)>>,
}

thread_local! {
    static POOLS: RefCell<HashMap<u32, Rc<Running>>> = RefCell::default();
    static NEXT: Cell<u32> = const { Cell::new(0) };
}

impl Pool {
    /// Starts the workers; `on` hears how it goes, never before this returns.
    pub fn start(client: Client, plan: FitPlan, on: impl FnMut(FitUpdate) + 'static) -> Self {
        let pool = Self(NEXT.replace(NEXT.get() + 1));
        match pool.running(client, &plan) {
            Some((merger, load)) => {
                let kind = client.line().kind();
                let workers = match kind.backend {
                    Backend::Cpu => worker_count(&plan),
                    Backend::Gpu => 1, // one device, and it works on all rows at once
                };
                let running = Running {
                    plan,
                    load,
                    lines: RefCell::default(),
                    idle: RefCell::default(),
                    next: Cell::new(0),
                    paused: Cell::new(false),
                    merger: RefCell::new(merger),
                    latest: RefCell::default(),
                    made_of: Cell::new(0),
                    on: RefCell::new(Box::new(on)),
                };
                POOLS.with_borrow_mut(|pools| pools.insert(pool.0, Rc::new(running)));
                pool.open_lines(workers, kind);
            }
            None => wasm_bindgen_futures::spawn_local(async move {
                let mut on = on;
                on(FitUpdate::Failed(
                    "The model is not loaded yet; try again when it is.".into(),
                ));
            }),
        }
        pool
    }

    /// Lets every worker finish its prompt and gives out no more.
    pub fn pause(self) {
        if let Some(running) = self.get() {
            running.paused.set(true);
        }
    }

    /// Goes on.
    pub fn resume(self) {
        if let Some(running) = self.get() {
            running.paused.set(false);
            let idle = running.idle.take();
            idle.into_iter().for_each(|worker| self.give(worker));
        }
    }

    /// Reports the lens of all prompts that are in, if the latest is of fewer: a median is not made anew with each.
    pub fn catch_up(self) {
        if let Some(running) = self.get()
            && running.made_of.get() != running.merger.borrow().used()
        {
            running.renew();
            self.report(running.merged());
        }
    }

    /// Ends the workers at once; nothing more is reported.
    pub fn cancel(self) {
        if let Some(running) = POOLS.with_borrow_mut(|pools| pools.remove(&self.0)) {
            running.lines.borrow().iter().for_each(Line::stop);
        }
    }

    /// How many workers compute; 0 after the end.
    pub fn workers(self) -> usize {
        self.get().map_or(0, |running| running.lines.borrow().len())
    }

    /// Test hook: the first worker of every running fit stops, see [`super::hooks`].
    pub(super) fn stop_first_workers(stop: fn(&Line)) {
        let pools: Vec<_> = POOLS.with_borrow(|pools| pools.values().cloned().collect());
        for running in pools {
            let line = running.lines.borrow().first().cloned();
            line.iter().for_each(stop);
        }
    }

    fn get(self) -> Option<Rc<Running>> {
        POOLS.with_borrow(|pools| pools.get(&self.0).cloned())
    }

    /// What a fit of the client's model needs.
    fn running(self, client: Client, plan: &FitPlan) -> Option<(Merger, Rc<Vec<u8>>)> {
        let load = client.load_frame()?;
        let (d, last) = client.inner.model.with_untracked(|model| {
            let info = &model.as_ref()?.info;
            Some((info.d_model, info.n_layers))
        })?;
        let target = plan.target_layer.unwrap_or(last);
        let median = plan.reduction == Reduction::Median;
        let merger = Merger::new(d, target, plan.targets, plan.frozen, median);
        Some((merger, load))
    }

    /// Opens lines until there are so many.
    fn open_lines(self, workers: usize, kind: Kind) {
        let Some(running) = self.get() else { return };
        let there = running.lines.borrow().len();
        for worker in there..workers {
            let line = Line::start(kind, true, move |_, news| self.hear(worker, news));
            line.set_model(Rc::clone(&running.load));
            running.lines.borrow_mut().push(line);
            self.give(worker);
        }
    }

    fn hear(self, worker: usize, news: News) {
        match news {
            News::Up(_) | News::Loaded(_) => {}
            News::Restarted { why, .. } => self.report(FitUpdate::Notice(format!(
                "Worker {} stopped ({why}) and was restarted; its prompt is computed again.",
                worker + 1
            ))),
            News::FellBack { why, .. } => {
                self.report(FitUpdate::Notice(format!(
                    "The GPU cannot be used ({why}); the fit goes on with the processor from the last prompt that was done."
                )));
                if let Some(running) = self.get() {
                    self.open_lines(worker_count(&running.plan), Kind::CPU);
                }
            }
            News::Dead(why) => self.fail(format!("A worker cannot go on: {why}")),
        }
    }

    /// Gives a worker its next prompt, if there is one; the line keeps it until the model is loaded.
    fn give(self, worker: usize) {
        let Some(running) = self.get() else { return };
        let first = running.next.get();
        if running.paused.get() || first >= running.plan.prompts {
            running.idle.borrow_mut().push(worker);
            return;
        }
        running.next.set(first + 1);
        let plan = &running.plan;
        let command = Command::Fit(FitRequest {
            seed: plan.seed,
            first,
            count: 1,
            targets: plan.targets,
            frozen: plan.frozen,
            target_layer: plan.target_layer,
            show_layer: plan.show_layer,
        });
        let line = running.lines.borrow().get(worker).cloned();
        if let Some(line) = line {
            line.request(command, Box::new(move |answer| self.answer(worker, answer)));
        }
    }

    fn answer(self, worker: usize, answer: Answer) {
        match answer {
            Answer::Part(Reply::FitRows {
                prompt,
                first,
                rows,
            }) => self.report(FitUpdate::Rows {
                prompt,
                first,
                rows,
            }),
            Answer::Part(Reply::FitPrompt {
                prompt,
                tokens,
                jacobians,
            }) => self.merge(prompt, tokens, jacobians),
            Answer::Last(_) => self.give(worker),
            Answer::Failed(message) => self.fail(message),
            Answer::Part(_) => {}
        }
    }

    fn merge(self, prompt: u32, tokens: u32, jacobians: Vec<Vec<f32>>) {
        let Some(running) = self.get() else { return };
        let merged = running.merger.borrow_mut().add(prompt, tokens, jacobians);
        match merged {
            Ok(0) => {}
            Ok(_) => self.show(&running),
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn show(self, running: &Running) {
        let merger = running.merger.borrow();
        let done = merger.used();
        let finished = done + merger.skipped() >= running.plan.prompts;
        let worth_it = !merger.is_median() || done <= EACH_MEDIAN || done.is_multiple_of(8);
        drop(merger);
        if worth_it || finished {
            running.renew();
        }
        self.report(running.merged());
        if finished {
            self.end(match done {
                0 => FitUpdate::Failed("No prompt had a position that counts.".into()),
                _ => FitUpdate::Finished,
            });
        }
    }

    fn fail(self, message: String) {
        self.end(FitUpdate::Failed(message));
    }

    /// Reports the last thing and ends the workers.
    fn end(self, update: FitUpdate) {
        let Some(running) = self.get() else { return };
        self.cancel();
        tell(&running, update);
    }

    fn report(self, update: FitUpdate) {
        if let Some(running) = self.get() {
            tell(&running, update);
        }
    }
}

impl Running {
    /// Makes the lens of what is in.
    fn renew(&self) {
        let merger = self.merger.borrow();
        self.made_of.set(merger.used());
        // fails only before the first prompt that counts; the lens is then empty
        self.latest
            .replace(Rc::new(merger.lens().unwrap_or_default()));
    }

    fn merged(&self) -> FitUpdate {
        let merger = self.merger.borrow();
        FitUpdate::Merged(Merged {
            done: merger.used(),
            skipped: merger.skipped(),
            of: self.plan.prompts,
            jacobians: self.latest.borrow().clone(),
        })
    }
}

/// Calls the owner, who may well pause, cancel or start another fit; it is not called again from within.
fn tell(running: &Running, update: FitUpdate) {
    if let Ok(mut on) = running.on.try_borrow_mut() {
        on(update);
    }
}

fn worker_count(plan: &FitPlan) -> usize {
    let processors = web_sys::window().map_or(1.0, |w| w.navigator().hardware_concurrency());
    let wanted = plan.workers.unwrap_or(processors as usize);
    wanted
        .clamp(1, MOST_WORKERS)
        .min(plan.prompts.max(1) as usize)
}
