//! The figure: its signals, its controls, and where its parts stand.

use super::blocks::{Choice, Shown, caption, rows, summary};
use super::matrices::Matrices;
use super::model::ModelPart;
use super::planes::{After, Input};
use super::state::{MAPS, Scene, Settings};
use crate::client::{Answer, Client, Command, Reply};
use crate::controls::{Button, NumberField, Segmented};
use crate::figures::address;
use crate::figures::data_table::DataTable;
use crate::figures::place::{follow_address, keep_in_address, mark_ready, near};
use crate::figures::plane::{LegendLine, Spoken};
use crate::figures::square::maps::{EXTENT, MapKind};
use crate::figures::square::state::HALF_RANGE;
use leptos::prelude::*;
use std::sync::Arc;

/// Name of the figure.
const NAME: &str = "chain";

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
    fn new(client: Client) -> Self {
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
    fn connect(self) {
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
fn from_link(text: &str) -> (Option<Settings>, Choice) {
    let parts: Vec<&str> = text.split(',').skip(5).collect();
    (Settings::from_address(text), Choice::from_address(&parts))
}

/// Figure 5.
#[component]
pub fn ChainFigure(client: Client) -> impl IntoView {
    let figure = Figure::new(client);
    let Figure {
        settings,
        scene,
        choice,
        shown,
        ..
    } = figure;
    figure.connect();
    mark_ready(NAME);
    keep_in_address(NAME, move || {
        let (now, place) = (settings.get(), choice.get());
        let first = (now, place) == (Settings::default(), Choice::default());
        (!first).then(|| format!("{},{}", now.to_address(), place.to_address()))
    });
    follow_address(
        NAME,
        |text| Some(from_link(text)),
        move |linked| {
            let (now, place) = linked.unwrap_or_default();
            settings.try_set(now.unwrap_or_default());
            choice.try_set(place);
        },
    );
    let said = move || {
        let from = choice.get().from;
        let model = shown.with(|s| s.as_ref().map(|s| summary(s, from)));
        format!(
            "{} {}",
            scene.with(Scene::summary),
            model.unwrap_or_default()
        )
    };
    view! {
        <div class="chain plane stack">
            <Controls figure />
            <div class="figure-cols-3">
                <Input figure />
                <After figure both=false />
                <After figure both=true />
            </div>
            <ul class="plane-legend" aria-label="Legend">
                <LegendLine class="plane-true" text="true image of the square" />
                <LegendLine class="plane-linear" text="what the matrices make of it" />
            </ul>
            <Matrices figure />
            <ModelPart figure />
            <Spoken text=Signal::derive(said) />
            <DataTable
                summary="the model's matrices"
                caption=Signal::derive(move || caption(figure.of()))
                heads=["from layer", "next block", "product to the end", "all blocks at once", "difference"]
                rows=Signal::derive(move || shown.with(|s| s.as_ref().map(|s| rows(&s.chain)).unwrap_or_default()))
            />
        </div>
    }
}

/// Both maps, point, size, reset.
#[component]
fn Controls(figure: Figure) -> impl IntoView {
    let settings = figure.settings;
    let options = || MAPS.map(|kind| (kind, kind.label())).to_vec();
    let coordinate = move |index: usize| Signal::derive(move || settings.with(|s| s.p[index]));
    let type_in = move |index: usize| {
        Callback::new(move |value| {
            settings.update(|s| {
                let mut p = s.p;
                p[index] = value;
                *s = s.at(p);
            });
        })
    };
    view! {
        <div class="toolbar" role="group" aria-label="Maps, point and size">
            <Segmented
                legend="First map f"
                name="chain-f"
                options=options()
                value=Signal::derive(move || settings.with(|s| s.first))
                on_change=Callback::new(move |first: MapKind| settings.update(|s| s.first = first))
            />
            <Segmented
                legend="Second map g"
                name="chain-g"
                options=options()
                value=Signal::derive(move || settings.with(|s| s.second))
                on_change=Callback::new(move |second: MapKind| settings.update(|s| s.second = second))
            />
            <div class="coords">
                <NumberField label="p, first" value=coordinate(0) on_change=type_in(0) min=-EXTENT max=EXTENT step=0.05 />
                <NumberField label="p, second" value=coordinate(1) on_change=type_in(1) min=-EXTENT max=EXTENT step=0.05 />
                <NumberField
                    label="size"
                    value=Signal::derive(move || settings.with(|s| s.half))
                    on_change=Callback::new(move |half| settings.update(|s| *s = s.sized(half)))
                    min=HALF_RANGE[0]
                    max=HALF_RANGE[1]
                    step=0.01
                    decimals=3
                />
            </div>
            <Button label="Reset" on_press=Callback::new(move |()| settings.set(Settings::default())) />
        </div>
    }
}
