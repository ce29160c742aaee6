//! What computes: the processor at once, the GPU as soon as one has shown that it is right and faster.
//!
//! The page starts on the processor. Once the model works there, a second worker tries the GPU in the background and checks
//! itself; if that is worth it, the worker loads the model too and takes over the open requests. A reader can choose instead, in
//! the page or in its address (`?backend=cpu`, `?backend=gpu`); `gpu` also takes a software adapter.
//!
//! Test hook: `?fault=wrong-numbers` gives a GPU one kernel that computes something else.

use super::Client;
use super::kind::Kind;
use super::line::{Line, News};
use engine::protocol::{About, Backend, GpuCheck};
use leptos::prelude::*;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::{CustomEvent, CustomEventInit};

/// Tells the page's programs that the reader has chosen a backend.
const CHOSEN: &str = "jlens:backend";
/// How long the page is left in peace before the GPU is tried.
const PEACE: Duration = Duration::from_secs(2);

/// Who chooses the backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The page: the faster correct one.
    #[default]
    Automatic,
    /// The reader.
    Only(Backend),
}

impl Choice {
    /// As in the page's address.
    pub fn name(self) -> &'static str {
        match self {
            Self::Automatic => "auto",
            Self::Only(backend) => backend.name(),
        }
    }

    /// From its name; anything else is automatic.
    pub fn named(name: &str) -> Self {
        [Backend::Cpu, Backend::Gpu]
            .into_iter()
            .find(|backend| backend.name() == name)
            .map_or(Self::Automatic, Self::Only)
    }

    fn kind(self) -> Kind {
        match self {
            Self::Automatic | Self::Only(Backend::Cpu) => Kind::CPU,
            Self::Only(Backend::Gpu) => Kind {
                forced: true,
                ..gpu()
            },
        }
    }
}

/// What is known of the visitor's GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum GpuState {
    /// Nothing yet.
    #[default]
    Untried,
    /// A worker is at it.
    Trying,
    /// It computes right.
    Checked(GpuCheck),
    /// It cannot be used; why.
    Unfit(String),
}

/// What the page can say about its engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Engine {
    /// Who chooses.
    pub choice: Choice,
    /// What computes now.
    pub using: Option<About>,
    /// The GPU.
    pub gpu: GpuState,
}

impl Engine {
    /// Nobody is at the GPU any more: without an answer it counts as untried.
    fn given_up(&mut self) {
        if self.gpu == GpuState::Trying {
            self.gpu = GpuState::Untried;
        }
    }
}

impl Client {
    /// Reactive: what computes, and why.
    pub fn engine(self) -> Engine {
        self.inner.engine.get()
    }

    /// Chooses the backend, from now on, in the page's address, and for the page's other program.
    pub fn choose(self, choice: Choice) {
        remember(choice);
        self.take_choice(choice);
        announce(choice);
    }

    /// Follows choices that are made in the page's other program.
    pub(super) fn follow_choices(self) {
        let hear = Closure::<dyn Fn(CustomEvent)>::new(move |event: CustomEvent| {
            let name = event.detail().as_string().unwrap_or_default();
            let choice = Choice::named(&name);
            if self.inner.engine.with_untracked(|engine| engine.choice) != choice {
                self.take_choice(choice);
            }
        });
        let listener = hear.as_ref().unchecked_ref();
        let _ = document().add_event_listener_with_callback(CHOSEN, listener);
        hear.forget(); // a client lives as long as the page
    }

    fn take_choice(self, choice: Choice) {
        self.inner.engine.update(|engine| engine.choice = choice);
        let line = self.line();
        let on_gpu = line.kind().backend == Backend::Gpu;
        match choice {
            Choice::Automatic if on_gpu => {
                let check = line.about().and_then(|about| about.gpu);
                match check.is_some_and(|check| check.worthwhile) {
                    true => self.drop_candidate(), // it stays
                    false => self.try_kind(Kind::CPU),
                }
            }
            Choice::Automatic => {
                self.inner
                    .engine
                    .update(|engine| engine.gpu = GpuState::Untried);
                self.try_gpu();
            }
            Choice::Only(backend) if backend == line.kind().backend => self.drop_candidate(),
            Choice::Only(_) => self.try_kind(choice.kind()),
        }
    }

    /// The kind that the page's address asks for.
    pub(super) fn first_kind(self) -> Kind {
        let choice = parameter("backend").map_or(Choice::Automatic, |name| Choice::named(&name));
        self.inner.engine.update(|engine| engine.choice = choice);
        choice.kind()
    }

    /// After a while, if nobody chose.
    pub(super) fn try_gpu_later(self) {
        let untried = |engine: &Engine| engine.gpu == GpuState::Untried;
        if self.inner.engine.with_untracked(untried) {
            set_timeout(move || self.try_gpu(), PEACE);
        }
    }

    fn try_gpu(self) {
        let wanted =
            |engine: &Engine| engine.choice == Choice::Automatic && engine.gpu == GpuState::Untried;
        if !self.inner.engine.with_untracked(wanted) {
            return;
        }
        if has_webgpu() {
            self.try_kind(gpu());
        } else {
            self.unfit("this browser has no WebGPU");
        }
    }

    /// Starts a worker of another kind beside the present one.
    fn try_kind(self, kind: Kind) {
        self.drop_candidate();
        if kind.backend == Backend::Gpu {
            self.inner
                .engine
                .update(|engine| engine.gpu = GpuState::Trying);
        }
        let line = Line::start(kind, false, move |id, news| self.hear(id, news));
        self.inner.candidate.replace(Some(line));
    }

    fn drop_candidate(self) {
        let candidate = self.inner.candidate.take();
        candidate.iter().for_each(Line::stop);
        self.inner.engine.update(Engine::given_up);
    }

    /// News of the worker that may take over.
    pub(super) fn hear_candidate(self, news: News) {
        match news {
            News::Up(about) => {
                self.note_gpu(&about);
                let forced = |engine: &Engine| engine.choice != Choice::Automatic;
                let forced = self.inner.engine.with_untracked(forced);
                let worthwhile = about.gpu.as_ref().is_none_or(|gpu| gpu.worthwhile);
                match self.load_frame() {
                    Some(load) if forced || worthwhile => self.with_candidate(|line| {
                        line.set_model(Rc::clone(&load));
                    }),
                    _ => self.drop_candidate(),
                }
            }
            News::Loaded(_) => {
                if let Some(line) = self.inner.candidate.take() {
                    line.take_over(&self.line());
                    if let Some(about) = line.about() {
                        self.using(about);
                    }
                    self.inner.line.replace(Some(line));
                }
            }
            News::Dead(why) => self.bury_candidate(&why),
            // a worker that does not fall back reports neither
            News::Restarted { .. } | News::FellBack { .. } => {}
        }
    }

    /// The worker that was to take over is dead: the present one goes on.
    fn bury_candidate(self, why: &str) {
        let candidate = self.inner.candidate.borrow().as_ref().map(Line::kind);
        self.drop_candidate();
        let choice = self.inner.engine.with_untracked(|engine| engine.choice);
        let on_gpu = candidate.is_some_and(|kind| kind.backend == Backend::Gpu);
        let notice = if on_gpu {
            self.unfit(why);
            (choice == Choice::Only(Backend::Gpu)).then(|| {
                format!("The GPU cannot be used: {why}. The page goes on with the processor.")
            })
        } else {
            Some(format!(
                "The processor cannot take over: {why}. The page goes on with the GPU."
            ))
        };
        if notice.is_some() {
            self.inner.notice.set(notice);
        }
    }

    /// The worker in use is up: what it is.
    pub(super) fn using(self, about: About) {
        show(about.backend);
        self.note_gpu(&about);
        self.inner
            .engine
            .update(|engine| engine.using = Some(about));
    }

    /// The GPU cannot be used; why.
    pub(super) fn unfit(self, why: &str) {
        let state = GpuState::Unfit(why.to_owned());
        self.inner.engine.update(|engine| engine.gpu = state);
    }

    fn note_gpu(self, about: &About) {
        if let Some(check) = &about.gpu {
            let state = GpuState::Checked(check.clone());
            self.inner.engine.update(|engine| engine.gpu = state);
        }
    }

    fn with_candidate(self, act: impl FnOnce(&Line)) {
        let line = self.inner.candidate.borrow().clone();
        line.as_ref().map(act);
    }
}

fn gpu() -> Kind {
    Kind {
        backend: Backend::Gpu,
        forced: false,
        fault: parameter("fault").is_some_and(|fault| fault == "wrong-numbers"),
    }
}

fn announce(choice: Choice) {
    let init = CustomEventInit::new();
    init.set_detail(&JsValue::from_str(choice.name()));
    if let Ok(event) = CustomEvent::new_with_event_init_dict(CHOSEN, &init) {
        let _ = document().dispatch_event(&event);
    }
}

fn has_webgpu() -> bool {
    let navigator = web_sys::window().map(|w| JsValue::from(w.navigator()));
    let gpu = navigator.and_then(|n| js_sys::Reflect::get(&n, &JsValue::from_str("gpu")).ok());
    gpu.is_some_and(|gpu| gpu.is_truthy())
}

/// A parameter of the page's address.
fn parameter(name: &str) -> Option<String> {
    let search = web_sys::window()?.location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&search)
        .ok()?
        .get(name)
}

/// Puts the choice into the address, for the next visit and for whoever is given the link.
fn remember(choice: Choice) {
    let write = || {
        let window = web_sys::window()?;
        let location = window.location();
        let parameters = web_sys::UrlSearchParams::new_with_str(&location.search().ok()?).ok()?;
        match choice {
            Choice::Automatic => parameters.delete("backend"),
            Choice::Only(backend) => parameters.set("backend", backend.name()),
        }
        let query = String::from(parameters.to_string());
        let query = if query.is_empty() {
            query
        } else {
            format!("?{query}")
        };
        let address = format!(
            "{}{query}{}",
            location.pathname().ok()?,
            location.hash().ok()?
        );
        let history = window.history().ok()?;
        history
            .replace_state_with_url(&history.state().ok()?, "", Some(&address))
            .ok()
    };
    // an address that cannot be written is no reason to stop
    let _ = write();
}

/// For tests and teachers: `<html data-backend="cpu">`.
fn show(backend: Backend) {
    let root = web_sys::window()
        .and_then(|w| w.document())
        .and_then(|d| d.document_element());
    if let Some(root) = root {
        let _ = root.set_attribute("data-backend", backend.name());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_that_is_given_up_is_not_being_tried_for_ever() {
        let after = |gpu: GpuState| {
            let mut engine = Engine {
                gpu,
                ..Engine::default()
            };
            engine.given_up();
            engine.gpu
        };
        assert_eq!(after(GpuState::Trying), GpuState::Untried);
        let unfit = GpuState::Unfit("no adapter".into());
        assert_eq!(after(unfit.clone()), unfit, "what is known stays");
    }
}
