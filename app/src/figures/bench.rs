//! What every figure that asks the model has in common: settings that can be undone and linked to, one request at a time, and
//! the moment from which it is worth computing.

use super::address;
use super::history::{History, PRESS};
use super::parts::{Arrival, Provenance, Trouble};
use super::place::{follow_address, keep_in_address, mark_ready, near};
use super::prompt::reading::Reading;
use super::prompt::{Example, PromptLine};
pub use super::room::Room;
use crate::client::{Answer, Client, Command, Reply};
use leptos::prelude::*;

/// Settings with a name.
type Named<S> = (&'static str, fn() -> S);

/// What a setting must be able to do.
pub trait Settings: Clone + PartialEq + Send + Sync + 'static {
    /// As text for a link.
    fn to_link(&self) -> String;
    /// From a link; `None` for text that is not one.
    fn from_link(text: &str) -> Option<Self>;
    /// Brings what the model lacks, as a link may ask for, to the nearest that it has.
    fn keep_inside(&mut self, _room: Room) {}
}

/// Settings with a sentence in them.
pub trait Prompted: Settings {
    /// The sentence, without `<s>`, and the chosen position.
    fn spot(&self) -> &Spot;
    /// The same, to change.
    fn spot_mut(&mut self) -> &mut Spot;
}

/// A sentence and a place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The prompt as typed, without `<s>`.
    pub prompt: String,
    /// Chosen position, 0 = `<s>`.
    pub position: usize,
}

/// Longest prompt that a link may carry, in bytes.
const LONGEST: usize = 2000;

impl Spot {
    /// A prompt and a position.
    #[must_use]
    pub fn new(prompt: &str, position: usize) -> Self {
        let prompt = prompt.to_owned();
        Self { prompt, position }
    }

    /// From the two last fields of a link.
    #[must_use]
    pub fn from_link(position: &str, prompt: &str) -> Option<Self> {
        let position = position.parse().ok()?;
        (prompt.len() <= LONGEST).then(|| Self::new(prompt, position))
    }
}

/// A figure's signals.
pub struct Bench<S: 'static> {
    /// Line to the model.
    pub client: Client,
    /// Name in `data-figure`.
    pub name: &'static str,
    /// What the reader has chosen.
    pub settings: RwSignal<History<S>>,
    /// What went wrong, by request: the success of one says nothing about another.
    troubles: RwSignal<Vec<Option<String>>>,
    near: ReadSignal<bool>,
    answered: RwSignal<bool>,
    attempt: RwSignal<u32>,
}

impl<S> Clone for Bench<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Bench<S> {}

impl<S: Settings> Bench<S> {
    /// A figure that starts with `first`, or with what the page's address says.
    pub fn new(client: Client, name: &'static str, first: S) -> Self {
        let mut settings = History::new(first);
        if let Some(linked) = address::read(name).and_then(|text| S::from_link(&text)) {
            settings.amend(|now| *now = linked);
        }
        let settings = RwSignal::new(settings);
        keep_in_address(name, move || {
            settings.with(|s| (!s.is_first()).then(|| s.now().to_link()))
        });
        follow_address(name, S::from_link, move |linked| {
            settings.try_update(|s| s.take(linked));
        });
        Effect::new(move |_| {
            let Some(model) = client.model() else { return };
            let mut inside = settings.with(|s| s.now().clone());
            inside.keep_inside(Room::of(&model));
            if settings.with_untracked(|s| *s.now() != inside) {
                settings.update(|s| s.amend(|now| *now = inside));
            }
        });
        Self {
            client,
            name,
            settings,
            troubles: RwSignal::new(Vec::new()),
            near: near(name),
            answered: RwSignal::new(false),
            attempt: RwSignal::new(0),
        }
    }

    /// One of the settings, as a signal.
    pub fn get<T: Clone + PartialEq + Send + Sync + 'static>(self, pick: fn(&S) -> T) -> Signal<T> {
        Memo::new(move |_| self.settings.with(|s| pick(s.now()))).into()
    }

    /// A step that can be undone.
    pub fn change(self, tag: &'static str, change: impl FnOnce(&mut S)) {
        self.settings.update(|s| s.change(tag, change));
    }

    /// A change that is not worth a step of its own.
    pub fn amend(self, change: impl FnOnce(&mut S)) {
        self.settings.update(|s| s.amend(change));
    }

    /// Asks again whenever the wish changes and the figure is near the window; `on` hears the request and its answer.
    pub fn ask<R: Clone + PartialEq + Send + Sync + 'static>(
        self,
        wanted: Memo<Option<R>>,
        command: fn(R) -> Command,
        on: impl Fn(R, Reply) + Clone + 'static,
    ) {
        self.ask_checked(wanted, command, move |request, reply| {
            on(request, reply);
            Ok(())
        });
    }

    /// The same where `on` may refuse the answer and say why.
    pub fn ask_checked<R: Clone + PartialEq + Send + Sync + 'static>(
        self,
        wanted: Memo<Option<R>>,
        command: fn(R) -> Command,
        on: impl Fn(R, Reply) -> Result<(), &'static str> + Clone + 'static,
    ) {
        let line = self.client.latest();
        let slot = self.troubles.with_untracked(Vec::len);
        self.troubles.update(|all| all.push(None));
        let note = move |trouble| self.troubles.try_update(|all| all[slot] = trouble);
        Effect::new(move |_| {
            self.attempt.track();
            if !self.near.get() {
                return;
            }
            let Some(request) = wanted.get() else { return };
            let on = on.clone();
            line.send(command(request.clone()), move |answer| match answer {
                Answer::Last(reply) => {
                    note(on(request.clone(), reply).err().map(str::to_owned));
                    self.answered.try_set(true);
                }
                Answer::Failed(message) => {
                    note(Some(message));
                }
                Answer::Part(_) => {}
            });
        });
    }

    /// The first thing that went wrong.
    fn trouble(self) -> Memo<Option<String>> {
        Memo::new(move |_| {
            self.troubles
                .with(|all| all.iter().flatten().next().cloned())
        })
    }

    /// Whether the figure is near the window, or was.
    pub fn is_near(self) -> bool {
        self.near.get()
    }

    /// Tries again after a failure.
    pub fn retry(self) {
        self.attempt.update(|n| *n += 1);
    }

    /// The prompt's tokens, once there is a model that knows its words.
    pub fn tokens(self) -> Memo<Option<Vec<u32>>>
    where
        S: Prompted,
    {
        let prompt = self.get(|s| s.spot().prompt.clone());
        Memo::new(move |_| {
            let model = self.client.model()?;
            prompt.with(|prompt| model.tokens(prompt))
        })
    }

    /// The prompt's controls.
    pub fn line(self, id: &'static str, hint: &'static str) -> PromptLine
    where
        S: Prompted,
    {
        let (settings, client) = (self.settings, self.client);
        let prompt = self.get(|s| s.spot().prompt.clone());
        PromptLine {
            id,
            hint,
            stale: "Until then the figure shows the last prompt that could be read.",
            prompt,
            reading: Memo::new(move |_| {
                let model = client.model()?;
                let most = model.info.max_context;
                Some(prompt.with(|prompt| Reading::new(model.words(prompt), most)))
            }),
            position: self.get(|s| s.spot().position),
            can_undo: Signal::derive(move || settings.with(|s| s.can_undo())),
            is_first: Signal::derive(move || settings.with(|s| s.is_first())),
            on_prompt: Callback::new(move |(tag, prompt)| {
                self.change(tag, |s| s.spot_mut().prompt = prompt);
            }),
            on_rest: Callback::new(move |()| settings.update(|s| s.rest())),
            on_position: Callback::new(move |position| {
                self.amend(|s| s.spot_mut().position = position);
            }),
            on_undo: Callback::new(move |()| settings.update(|s| s.undo())),
            on_reset: Callback::new(move |()| settings.update(|s| s.reset())),
        }
    }

    /// Prompts worth looking at, as buttons.
    pub fn examples<const N: usize>(self, all: [Named<S>; N]) -> Vec<Example>
    where
        S: Prompted,
    {
        let example = |(label, make): Named<S>| {
            let spot = make().spot().clone();
            Example {
                label,
                pressed: Memo::new(move |_| self.settings.with(|s| *s.now().spot() == spot)).into(),
                press: Callback::new(move |()| self.change(PRESS, |s| *s = make())),
            }
        };
        all.map(example).to_vec()
    }

    /// The figure's frame: what stands in the way, the live part once there is something to show or to mend, whose numbers it shows.
    pub fn frame<V: IntoView + 'static>(
        self,
        stuck: impl Fn() -> bool + Send + Sync + 'static,
        live: impl Fn() -> V + Send + Sync + 'static,
    ) -> impl IntoView {
        self.framed(stuck, || true, live)
    }

    /// The same for a figure that shows stored numbers until `here` says that it shows some of this tab.
    pub fn frame_of_stored<V: IntoView + 'static>(
        self,
        here: impl Fn() -> bool + Send + Sync + 'static,
        live: impl Fn() -> V + Send + Sync + 'static,
    ) -> impl IntoView {
        self.framed(|| true, here, live)
    }

    fn framed<V: IntoView + 'static>(
        self,
        stuck: impl Fn() -> bool + Send + Sync + 'static,
        here: impl Fn() -> bool + Send + Sync + 'static,
        live: impl Fn() -> V + Send + Sync + 'static,
    ) -> impl IntoView {
        let here = Memo::new(move |_| here());
        let here = move || here.get();
        let (name, client, trouble) = (self.name, self.client, self.trouble());
        // What has only failed so far keeps its still.
        let ready = Memo::new(move |before: Option<&bool>| {
            let stuck = client.model().is_some() && stuck();
            before == Some(&true) || stuck || self.answered.get()
        });
        Effect::new(move |_| {
            if ready.get() {
                mark_ready(name);
            }
        });
        let alive = Memo::new(move |before: Option<&bool>| {
            before == Some(&true) || ready.get() || trouble.with(Option::is_some)
        });
        let live = move || alive.get().then(&live);
        view! {
            <Arrival client=client />
            <Trouble message=trouble on_retry=move |()| self.retry() />
            {live}
            <Show when=move || alive.get() && here()><Provenance client=client /></Show>
        }
    }
}
