//! Long work that a reader asks for: a button, how far it is, a way to stop it, and what went wrong.

use super::parts::Trouble;
use super::text::percent;
use crate::client::{Answer, Client, Command, Reply, Ticket};
use crate::controls::Button;
use leptos::prelude::*;

/// Where it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Stage {
    /// Not asked for.
    #[default]
    Idle,
    /// Steps done, of how many.
    Running(u32, u32),
    /// Finished.
    Done,
    /// Called off.
    Stopped,
    /// Ended without a result; for the reader.
    Failed(String),
}

impl Stage {
    /// Share that is done while it runs.
    #[must_use]
    pub fn share(&self) -> Option<f32> {
        match self {
            Self::Running(done, of) => Some(*done as f32 / (*of).max(1) as f32),
            _ => None,
        }
    }

    /// For a status line.
    #[must_use]
    pub fn said(&self) -> &'static str {
        match self {
            Self::Idle | Self::Failed(_) => "",
            Self::Running(..) => "Running.",
            Self::Done => "Done; the table holds the result.",
            Self::Stopped => "Stopped.",
        }
    }
}

/// One piece of work at a time.
#[derive(Clone, Copy)]
pub struct Job {
    stage: RwSignal<Stage>,
    ticket: StoredValue<Option<Ticket>>,
}

impl Default for Job {
    fn default() -> Self {
        Self {
            stage: RwSignal::new(Stage::Idle),
            ticket: StoredValue::new(None),
        }
    }
}

impl Job {
    /// Reactive: where it stands.
    #[must_use]
    pub fn stage(self) -> Stage {
        self.stage.get()
    }

    /// Reactive: whether it runs.
    #[must_use]
    pub fn running(self) -> bool {
        self.stage.with(|stage| stage.share().is_some())
    }

    /// Starts it, instead of what may be running; `on` hears the result, and may start the next.
    pub fn start(self, client: Client, command: Command, on: impl Fn(Reply) + 'static) {
        self.stop();
        self.stage.set(Stage::Running(0, 0));
        let ticket = client.request(command, move |answer| match answer {
            Answer::Part(Reply::Progress { done, of }) => {
                self.stage.try_set(Stage::Running(done, of));
            }
            Answer::Part(_) => {}
            Answer::Last(reply) => {
                self.stage.try_set(Stage::Done);
                on(reply);
            }
            Answer::Failed(message) => {
                self.stage.try_set(Stage::Failed(message));
            }
        });
        self.ticket.set_value(Some(ticket));
    }

    /// Calls it off.
    pub fn stop(self) {
        if let Some(ticket) = self.ticket.try_update_value(Option::take).flatten() {
            ticket.cancel();
        }
        if self
            .stage
            .try_with_untracked(|stage| stage.share().is_some())
            == Some(true)
        {
            self.stage.set(Stage::Stopped);
        }
    }
}

/// The button that starts or stops it, and how far it is.
#[component]
pub fn JobBar(
    /// The work.
    job: Job,
    /// What the button says.
    #[prop(into)]
    label: Signal<String>,
    /// Starts it.
    #[prop(into)]
    on_start: Callback<()>,
) -> impl IntoView {
    let running = Memo::new(move |_| job.running());
    // One button that changes, not two that change places: it keeps the focus.
    let says = move || {
        if running.get() {
            "Stop".to_owned()
        } else {
            label.get()
        }
    };
    let kind = move || if running.get() { "" } else { "btn-primary" };
    let press = move |()| {
        if running.get_untracked() {
            job.stop();
        } else {
            on_start.run(());
        }
    };
    let progress = move || {
        let share = job.stage.with(Stage::share)?;
        let text = format!("Computing, {}", percent(share));
        Some(
            view! { <label class="progress-line"><span>{text}</span><progress max="1" value=share.to_string()></progress></label> },
        )
    };
    let trouble = Signal::derive(move || match job.stage.get() {
        Stage::Failed(message) => Some(message),
        _ => None,
    });
    let said = Memo::new(move |_| job.stage.with(Stage::said));
    view! {
        <div class="toolbar job-bar">
            <Button label=Signal::derive(says) kind=Signal::derive(kind) on_press=press />
        </div>
        {progress}
        <Trouble message=trouble on_retry=on_start />
        <p class="visually-hidden" role="status">{said}</p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages() {
        assert_eq!(Stage::Running(1, 4).share(), Some(0.25));
        assert_eq!(Stage::Running(0, 0).share(), Some(0.0));
        assert_eq!(Stage::Done.share(), None);
        assert!(Stage::Idle.said().is_empty());
    }
}
