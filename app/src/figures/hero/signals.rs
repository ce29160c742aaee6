//! What the parts of the figure share: its signals, and the request to the worker.

use super::link::from_link;
use super::presets::{PRESETS, Preset};
use super::settings::{At, Lens, Settings};
use super::state::Readings;
use crate::client::{Answer, Client, Command, Latest, Model, Reply};
use crate::figures::address;
use crate::figures::history::{History, PRESS};
use crate::figures::prompt::reading::Reading;
use crate::figures::prompt::{Example, PromptLine};
use crate::figures::text::legible;
use engine::protocol::ReadRequest;
use leptos::prelude::*;
use std::sync::Arc;

/// Words per list.
const TOP: usize = 10;

/// Readings and the model that can spell them.
pub struct Shown {
    /// What the lenses say.
    pub readings: Readings,
    /// Whose words they are.
    pub model: Arc<Model>,
}

impl Shown {
    /// Spells a token for a list.
    pub fn word(&self, id: u32) -> String {
        legible(self.model.word(id))
    }
}

/// The figure's signals, for its parts.
#[derive(Clone, Copy)]
pub struct Hero {
    /// Line to the model.
    pub client: Client,
    /// What the reader has chosen.
    pub settings: RwSignal<History<Settings>>,
    /// The prompt as the model would read it, once there is a model.
    pub reading: Memo<Option<Reading>>,
    /// The last answer.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// The cell that is looked at: a link may ask for one that the map in sight does not have.
    pub at: Memo<At>,
    /// What went wrong with the last request.
    pub trouble: RwSignal<Option<String>>,
    /// The first token in sight in the maps.
    pub first: RwSignal<usize>,
    /// Counts the tries after a failure.
    pub attempt: RwSignal<u32>,
}

impl Hero {
    /// As the address says, or as at first.
    pub fn new(client: Client) -> Self {
        let mut settings = History::new(Settings::default());
        if let Some(linked) = address::read("hero").and_then(|text| from_link(&text)) {
            settings.amend(|now| *now = linked);
        }
        let settings = RwSignal::new(settings);
        let prompt = Memo::new(move |_| settings.with(|s| s.now().prompt.clone()));
        let reading = Memo::new(move |_| {
            let model = client.model()?;
            Some(prompt.with(|prompt| Reading::new(model.words(prompt), model.info.max_context)))
        });
        let shown = RwSignal::new(None::<Arc<Shown>>);
        let at = Memo::new(move |_| {
            let wished = settings.with(|s| s.now().at);
            let inside = |s: &Arc<Shown>| s.readings.inside(wished);
            shown.with(|s| s.as_ref().map_or(wished, inside))
        });
        Self {
            client,
            settings,
            reading,
            shown,
            at,
            trouble: RwSignal::new(None),
            first: RwSignal::new(0),
            attempt: RwSignal::new(0),
        }
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

    /// Looks at another cell.
    pub fn look(self, at: At, lens: Lens) {
        self.settings
            .update(|s| s.amend(|now| (now.at, now.lens) = (at, lens)));
    }

    /// The prompt's controls.
    pub fn line(self) -> PromptLine {
        let (settings, at) = (self.settings, self.at);
        PromptLine {
            id: "hero-prompt",
            hint: "hero-prompt-hint",
            stale: "Until then the maps show the last prompt that could be read.",
            prompt: self.get(|s| s.prompt.clone()),
            reading: self.reading,
            position: Signal::derive(move || at.get().position),
            can_undo: Signal::derive(move || settings.with(|s| s.can_undo())),
            is_first: Signal::derive(move || settings.with(|s| s.is_first())),
            on_prompt: Callback::new(move |(tag, prompt)| self.change(tag, |s| s.prompt = prompt)),
            on_rest: Callback::new(move |()| settings.update(|s| s.rest())),
            on_position: Callback::new(move |position| {
                settings.update(|s| s.amend(|now| now.at.position = position));
            }),
            on_undo: Callback::new(move |()| settings.update(|s| s.undo())),
            on_reset: Callback::new(move |()| settings.update(|s| s.reset())),
        }
    }

    /// The prompts to begin with.
    pub fn examples(self) -> Vec<Example> {
        let example = |preset: Preset| Example {
            label: preset.label,
            pressed: Memo::new(move |_| self.settings.with(|s| s.now().shows(preset))).into(),
            press: Callback::new(move |()| self.change(PRESS, |s| s.take(preset))),
        };
        PRESETS.map(example).to_vec()
    }

    /// What is to be asked; nothing while the prompt or the followed word cannot be read. Reactive.
    pub fn wanted(self) -> Memo<Option<ReadRequest>> {
        let (prompt, targets, tracked) = (
            self.get(|s| s.prompt.clone()),
            self.get(|s| s.targets),
            self.get(|s| s.tracked.clone()),
        );
        Memo::new(move |_| {
            let model = self.client.model()?;
            let tokens = model.tokens(&prompt.get())?;
            let tracked = vec![model.id(&tracked.get())?];
            Some(ReadRequest {
                tokens,
                targets: targets.get(),
                top: TOP,
                tracked,
            })
        })
    }

    /// Asks the worker; its answer replaces what is shown.
    pub fn send(self, line: Latest, request: ReadRequest) {
        line.send(Command::Read(request.clone()), move |answer| match answer {
            Answer::Last(Reply::Read { cells, output }) => {
                let Some(model) = untrack(move || self.client.model()) else {
                    return;
                };
                let readings = Readings::new(request.clone(), cells, output, |id| {
                    model.word(id).to_owned()
                });
                self.receive(readings.map(|readings| Shown { readings, model }));
            }
            Answer::Failed(message) => {
                self.trouble.try_set(Some(message));
            }
            _ => {}
        });
    }

    fn receive(self, shown: Option<Shown>) {
        let Some(shown) = shown else {
            self.trouble.try_set(Some(
                "The worker's answer does not fit the prompt.".to_owned(),
            ));
            return;
        };
        let (layers, tokens) = (shown.readings.layers, shown.readings.tokens());
        self.settings
            .try_update(|s| s.amend(|now| now.keep_inside(layers, tokens)));
        self.trouble.try_set(None);
        self.shown.try_set(Some(Arc::new(shown)));
    }
}
