//! Runs the golden fixtures and the measurement on the client's worker.

use super::state::{Findings, Task};
use crate::client::{Answer, Client, Command, Reply, fetch_file};
use engine::protocol::ParityRequest;
use js_sys::{JSON, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The panel's signals.
#[derive(Clone, Copy)]
pub struct Panel {
    pub client: Client,
    pub task: RwSignal<Task>,
    pub findings: RwSignal<Findings>,
    /// Whether the report reached the clipboard, and the report.
    pub copied: RwSignal<Option<(bool, String)>>,
}

impl Panel {
    pub fn new(client: Client) -> Self {
        Self {
            client,
            task: RwSignal::new(Task::Idle),
            findings: RwSignal::new(Findings::default()),
            copied: RwSignal::new(None),
        }
    }

    /// Compares every fixture, one after the other.
    pub fn compare(self) {
        self.begin("Fetching the golden fixtures");
        self.findings.update(Findings::compare_anew);
        wasm_bindgen_futures::spawn_local(async move {
            match fetch_file("goldens/manifest.json").await {
                Ok(manifest) => match families(&manifest) {
                    Some(families) => self.next_family(families, manifest),
                    None => self.fail(
                        "The list of golden fixtures, goldens/manifest.json, cannot be read"
                            .to_owned(),
                    ),
                },
                Err(message) => self.fail(message),
            }
        });
    }

    fn next_family(self, families: Vec<String>, manifest: Vec<u8>) {
        let next = self.findings.try_update(|f| f.next(&families)).flatten();
        let Some((index, family)) = next.map(|index| (index, families[index].clone())) else {
            self.task.set(Task::Idle);
            return;
        };
        let running = format!("Comparing {family}, {} of {}", index + 1, families.len());
        self.task.set(Task::Running(running));
        wasm_bindgen_futures::spawn_local(async move {
            let fixture = match fetch_file(&format!("goldens/{family}.safetensors")).await {
                Ok(fixture) => fixture,
                Err(message) => return self.fail(message),
            };
            let request = ParityRequest {
                manifest: manifest.clone(),
                family: family.clone(),
                fixture,
            };
            self.client
                .request(Command::Parity(request), move |answer| match answer {
                    Answer::Part(Reply::Parity(parity)) => {
                        self.findings.update(|f| f.add(&family, parity));
                    }
                    Answer::Last(_) => {
                        self.findings.update(|f| f.end(&family));
                        self.next_family(families.clone(), manifest.clone());
                    }
                    Answer::Failed(message) => self.fail(message),
                    Answer::Part(_) => {}
                });
        });
    }

    /// Measures fit and matrix product.
    pub fn measure(self) {
        self.begin("Measuring");
        self.findings.update(|f| f.speed = None);
        self.client
            .request(Command::MeasureSpeed, move |answer| match answer {
                Answer::Part(Reply::Progress { done, of }) => self
                    .task
                    .set(Task::Running(format!("Measuring, round {done} of {of}"))),
                Answer::Last(Reply::Speed(speed)) => {
                    self.findings.update(|f| f.speed = Some(speed));
                    self.task.set(Task::Idle);
                }
                Answer::Failed(message) => self.fail(message),
                _ => {}
            });
    }

    fn begin(self, what: &str) {
        self.task.set(Task::Running(what.to_owned()));
        let using = self.client.engine().using.map(|about| about.backend);
        if let Some(backend) = using {
            self.findings.update(|f| f.on(backend));
        }
    }

    fn fail(self, message: String) {
        self.task.set(Task::Failed(message));
    }
}

/// The families that a manifest lists, in its order.
fn families(manifest: &[u8]) -> Option<Vec<String>> {
    let text = std::str::from_utf8(manifest).ok()?;
    let models = Reflect::get(&JSON::parse(text).ok()?, &"models".into()).ok()?;
    let names = Object::keys(models.dyn_ref::<Object>()?);
    names.iter().map(|name| name.as_string()).collect()
}
