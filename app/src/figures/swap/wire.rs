//! The laboratory's signals and its requests to the worker.

use super::catalogue::{Catalogue, Trial};
use super::counts::{Progress, Tally};
use super::link::{from_link, to_link};
use super::settings::{Kind, Lab, Settings};
use super::state::{Outcome, Outcomes, request};
use crate::client::{Answer, Client, Command, Latest, ModelName, Reply, Ticket};
use crate::figures::address;
use crate::figures::history::History;
use crate::figures::place::{follow_address, keep_in_address};
use crate::figures::room::Room;
use engine::protocol::SwapRequest;
use leptos::prelude::*;

/// Trials that run at once, at most: the five relations of flexible use.
const MOST: usize = 5;

/// The figure's signals, for its parts.
#[derive(Clone, Copy)]
pub struct Swap {
    /// Line to the model with the window.
    world: Client,
    /// Line to the control model, once a reader has asked for it.
    control: RwSignal<Option<Client>>,
    /// Whether the reader looks at the control model.
    windowless: Memo<bool>,
    /// The prompts.
    pub catalogue: StoredValue<Catalogue>,
    /// What the reader has chosen.
    pub settings: RwSignal<History<Settings>>,
    /// The prompts to run.
    pub trials: Memo<Vec<Trial>>,
    /// What came of them.
    pub outcomes: RwSignal<Outcomes>,
    /// What went wrong.
    pub trouble: Memo<Option<String>>,
    /// The count over the held-out set, once asked for.
    pub tally: RwSignal<Option<Tally>>,
    attempt: RwSignal<u32>,
    ticket: StoredValue<Option<Ticket>>,
}

impl Swap {
    /// The figure as it starts.
    pub fn new(world: Client) -> Self {
        let catalogue = StoredValue::new(Catalogue::standard());
        let mut settings = History::new(Settings::default());
        if let Some(linked) = address::read("swap").and_then(|text| from_link(&text)) {
            settings.amend(|now| *now = linked);
        }
        let settings = RwSignal::new(settings);
        let outcomes = RwSignal::new(Outcomes::default());
        Self {
            world,
            control: RwSignal::new(None),
            windowless: Memo::new(move |_| settings.with(|s| s.now().windowless)),
            catalogue,
            settings,
            trials: Memo::new(move |_| {
                settings.with(|s| catalogue.with_value(|c| c.trials(s.now())))
            }),
            outcomes,
            trouble: Memo::new(move |_| outcomes.with(Outcomes::trouble)),
            tally: RwSignal::new(None),
            attempt: RwSignal::new(0),
            ticket: StoredValue::new(None),
        }
    }

    /// Reactive: the line to the model that the reader has chosen.
    pub fn client(self) -> Client {
        let windowless = self.windowless.get();
        let control = windowless.then(|| self.control.get()).flatten();
        control.unwrap_or(self.world)
    }

    /// Fetches the control model when it is first asked for.
    fn fetch_control(self) {
        Effect::new(move |before: Option<bool>| {
            let windowless = self.windowless.get();
            if windowless && self.control.with_untracked(Option::is_none) {
                self.control.set(Some(Client::start(ModelName::Control)));
            }
            if before.is_some_and(|before| before != windowless) {
                self.stop_counting();
                self.tally.set(None);
            }
            windowless
        });
    }

    /// One of the settings, as a signal.
    pub fn get<T: Clone + PartialEq + Send + Sync + 'static>(
        self,
        pick: fn(&Settings) -> T,
    ) -> Signal<T> {
        Memo::new(move |_| self.settings.with(|s| pick(s.now()))).into()
    }

    /// A step that can be undone.
    pub fn change(self, tag: &'static str, change: impl FnOnce(&mut Settings)) {
        self.settings.update(|s| s.change(tag, change));
    }

    /// The same, on the settings of the task in sight.
    pub fn change_lab(self, tag: &'static str, change: impl FnOnce(&mut Lab)) {
        self.change(tag, |s| change(s.lab_mut()));
    }

    /// Tries again after a failure.
    pub fn retry(self) {
        self.attempt.update(|n| *n += 1);
    }

    /// Sends what has to be sent whenever the settings change.
    pub fn connect(self) {
        self.fetch_control();
        let lines = |client: Client| (0..3 * MOST).map(|_| client.latest()).collect();
        let world: Vec<Latest> = lines(self.world);
        let control = StoredValue::new(Vec::<Latest>::new());
        let sent = StoredValue::new(vec![None::<SwapRequest>; world.len()]);
        Effect::new(move |before: Option<(u32, bool)>| {
            let chosen = self.control.get().filter(|_| self.windowless.get());
            if let Some(client) = chosen
                && control.with_value(Vec::is_empty)
            {
                control.set_value(lines(client));
            }
            let now = (self.attempt.get(), chosen.is_some());
            if before != Some(now) {
                sent.update_value(|sent| sent.fill(None));
                world.iter().for_each(|line| line.clear());
                control.with_value(|all| all.iter().for_each(|line| line.clear()));
                self.outcomes
                    .update(|outcomes| *outcomes = Outcomes::default());
            }
            match chosen {
                Some(_) => control.with_value(|lines| self.send_all(lines, sent)),
                None => self.send_all(&world, sent),
            }
            now
        });
        keep_in_address("swap", move || {
            self.settings
                .with(|s| (!s.is_first()).then(|| to_link(s.now())))
        });
        follow_address("swap", from_link, move |linked| {
            self.settings.try_update(|s| s.take(linked));
        });
    }

    fn send_all(self, lines: &[Latest], sent: StoredValue<Vec<Option<SwapRequest>>>) {
        let (Some(model), trials) = (self.client().model(), self.trials.get()) else {
            return;
        };
        let mut settings = self.settings.with(|s| s.now().clone());
        // A link made for a deeper model may reach beyond this one.
        settings.keep_inside(Room::of(&model));
        if self.settings.with_untracked(|s| *s.now() != settings) {
            self.settings
                .update(|s| s.amend(|now| *now = settings.clone()));
        }
        self.outcomes.update(|outcomes| outcomes.fit(&trials));
        for (slot, line) in lines.iter().enumerate() {
            let (i, kind) = (slot / 3, Kind::ALL[slot % 3]);
            let wanted = trials.get(i).and_then(|trial| {
                let token = |word: &str| model.id(word);
                request(settings.task, settings.lab(), trial, kind, token)
                    .map(|request| (trial, request))
            });
            let known = sent
                .try_update_value(|sent| {
                    std::mem::replace(&mut sent[slot], wanted.as_ref().map(|(_, r)| r.clone()))
                })
                .flatten();
            match wanted {
                None => {
                    line.clear();
                    if i < trials.len() {
                        self.outcomes.update(|all| all.withdraw(i, kind, None));
                    }
                }
                Some((_, request)) if known.as_ref() == Some(&request) => {}
                Some((trial, request)) => self.send(*line, i, kind, &trial.prompt, request),
            }
        }
    }

    fn send(self, line: Latest, trial: usize, kind: Kind, prompt: &str, request: SwapRequest) {
        let (prompt, first) = (prompt.to_owned(), request.band[0]);
        line.send(Command::Swap(request), move |answer| match answer {
            Answer::Last(Reply::Swap(result)) => {
                let Some(model) = untrack(move || self.client().model()) else {
                    return;
                };
                let outcome = Outcome::new(&prompt, first, result, |id| model.word(id).to_owned());
                self.receive(trial, kind, outcome);
            }
            Answer::Failed(message) => {
                self.outcomes
                    .try_update(|all| all.withdraw(trial, kind, Some(message)));
            }
            _ => {}
        });
    }

    /// Reactive: the model is there, and there is nothing that it could run.
    pub fn stuck(self) -> bool {
        let Some(model) = self.client().model() else {
            return false;
        };
        let known = |word: &String| model.id(word).is_some();
        let words = self
            .settings
            .with(|s| known(&s.now().lab().source) && known(&s.now().lab().target));
        !words || self.trials.with(Vec::is_empty)
    }

    fn receive(self, trial: usize, kind: Kind, outcome: Outcome) {
        let asked = self.trials.try_with_untracked(|trials| {
            trials
                .get(trial)
                .is_some_and(|t| t.prompt == outcome.prompt)
        });
        if asked == Some(true) {
            self.outcomes
                .try_update(|outcomes| outcomes.put(trial, kind, outcome));
        }
    }

    /// Counts over the held-out set with the settings as they are.
    pub fn count(self) {
        self.stop_counting();
        self.tally
            .set(Some(self.settings.with_untracked(|s| Tally::plan(s.now()))));
        self.count_next();
    }

    /// Calls the count off; what is finished stays.
    pub fn stop_counting(self) {
        if let Some(ticket) = self.ticket.try_update_value(Option::take).flatten() {
            ticket.cancel();
        }
        self.tally.update(|tally| {
            if let Some(tally) = tally {
                tally.stop();
            }
        });
    }

    fn count_next(self) {
        let next = self.tally.try_with_untracked(|tally| {
            let tally = tally.as_ref()?;
            tally
                .next()
                .map(|index| (index, tally.lines[index].0.request.clone()))
        });
        let Some((index, request)) = next.flatten() else {
            return;
        };
        self.note(index, Progress::Running(0, 0));
        let client = untrack(move || self.client());
        let ticket = client.request(Command::SwapCounts(request), move |answer| match answer {
            Answer::Part(Reply::Progress { done, of }) => {
                self.note(index, Progress::Running(done, of))
            }
            Answer::Last(Reply::SwapCounts(count)) => self.finish(index, Progress::Done(count)),
            Answer::Failed(message) => self.finish(index, Progress::Failed(message)),
            _ => {}
        });
        self.ticket.set_value(Some(ticket));
    }

    fn finish(self, index: usize, progress: Progress) {
        self.note(index, progress);
        self.count_next();
    }

    fn note(self, index: usize, progress: Progress) {
        self.tally.try_update(|tally| {
            if let Some(line) = tally.as_mut().and_then(|tally| tally.lines.get_mut(index)) {
                line.1 = progress;
            }
        });
    }
}
