//! What the parts of the figure share: its signals, and the requests to the worker.

use super::blocks::{Choice, Shown};
use super::state::{Scene, Settings};
use crate::client::{Answer, Client, Command, Reply};
use crate::figures::address;
use crate::figures::place::near;
use leptos::prelude::*;
use std::sync::Arc;

/// Name of the figure.
pub const NAME: &str = "chain";

/// The figure's signals, for its parts.
#[derive(Clone, Copy)]
pub struct Figure {
    /// Line to the model.
    pub client: Client,
    /// Maps, point and size.
    pub settings: RwSignal<Settings>,
    /// What follows from them.
    pub scene: Memo<Scene>,
    /// Token and layer in the model.
    pub choice: RwSignal<Choice>,
    /// The model's last matrices, and whose they are.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// What went wrong with the last request.
    pub trouble: RwSignal<Option<String>>,
    /// Counts the tries after a failure.
    pub attempt: RwSignal<u32>,
}

impl Figure {
    /// As the address says, or as at first.
    pub fn new(client: Client) -> Self {
        let text = address::read(NAME);
        let (linked, choice) = text.as_deref().map(from_link).unwrap_or_default();
        let settings = RwSignal::new(linked.unwrap_or_default());
        Self {
            client,
            settings,
            scene: Memo::new(move |_| settings.with(Scene::of)),
            choice: RwSignal::new(choice),
            shown: RwSignal::new(None),
            trouble: RwSignal::new(None),
            attempt: RwSignal::new(0),
        }
    }

    /// The prompt and token of the matrices that are shown; before there are any, those chosen. Reactive.
    pub fn of(self) -> Choice {
        self.shown
            .with(|s| s.as_ref().map(|s| s.of))
            .unwrap_or_else(|| self.choice.get())
    }

    /// Asks the worker whenever prompt or token change, once the figure is near the window.
    pub fn connect(self) {
        let (line, near) = (self.client.latest(), near(NAME));
        let place = Memo::new(move |_| Choice {
            from: 0,
            ..self.choice.get()
        });
        Effect::new(move |_| {
            self.attempt.track();
            let (place, near) = (place.get(), near.get());
            let Some(model) = self.client.model().filter(|_| near) else {
                return;
            };
            let request = match place.request(&model) {
                Ok(request) => request,
                Err(message) => return self.trouble.set(Some(message)),
            };
            line.send(Command::Chain(request), move |answer| match answer {
                Answer::Last(Reply::Chain(chain)) => {
                    self.shown
                        .try_set(Some(Arc::new(Shown { of: place, chain })));
                    self.trouble.try_set(None);
                }
                Answer::Failed(message) => {
                    self.trouble.try_set(Some(message));
                }
                _ => {}
            });
        });
    }
}

/// Both halves of a link; what cannot be read of either is as at first.
pub fn from_link(text: &str) -> (Option<Settings>, Choice) {
    let parts: Vec<&str> = text.split(',').skip(5).collect();
    (Settings::from_address(text), Choice::from_address(&parts))
}
