//! From buttons to the pool, from its reports to the state, and to files and back.

use super::settings::{SEED, Settings};
use super::signals::Figure;
use super::state::{Phase, Run};
use crate::client::{Answer, Command, FitUpdate, Merged, Pool, Reply};
use engine::protocol::{CompareRequest, OwnLens};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Words per list whose agreement is measured.
pub const TOP: usize = 10;
/// Name of a saved lens.
const FILE: &str = "my-jacobian-lens.safetensors";
/// Largest file that is opened: a lens of this model is 0.3 MB.
const MOST_BYTES: f64 = 64e6;

/// Milliseconds since the page was opened.
pub fn now() -> f64 {
    window()
        .performance()
        .map_or_else(js_sys::Date::now, |performance| performance.now())
}

/// Starts a fit with the settings as they are; one that runs is ended.
pub fn start(figure: Figure) {
    let Some(model) = figure.client.model() else {
        return;
    };
    end_pool(figure);
    let settings = figure.settings.get_untracked();
    let plan = settings.plan(model.info.n_layers);
    let round = next_round(figure);
    figure.fitted.set(settings);
    figure.run.set(Run::start(model.info.d_model, &plan, now()));
    let pool = Pool::start(figure.client, plan, move |update| {
        if figure.round.try_get_value() == Some(round) {
            hear(figure, update);
        }
    });
    figure.pool.set_value(Some(pool));
}

/// Pauses or goes on.
pub fn pause(figure: Figure, paused: bool) {
    let Some(pool) = figure.pool.get_value() else {
        return;
    };
    if paused {
        pool.pause()
    } else {
        pool.resume()
    }
    figure.run.update(|run| run.pause(paused, now()));
}

/// Ends the fit; what is there stays, and a median takes in what it has not yet.
pub fn stop(figure: Figure) {
    if let Some(pool) = figure.pool.get_value() {
        pool.catch_up();
    }
    end_pool(figure);
    figure.run.update(|run| run.stop(now()));
}

fn end_pool(figure: Figure) {
    if let Some(pool) = figure.pool.try_update_value(Option::take).flatten() {
        pool.cancel();
    }
}

/// Answers that belong to an earlier fit are recognised by their round.
fn next_round(figure: Figure) -> u32 {
    figure.line.clear();
    figure.round.update_value(|round| *round += 1);
    figure.round.get_value()
}

fn hear(figure: Figure, update: FitUpdate) {
    match update {
        FitUpdate::Rows {
            prompt,
            first,
            rows,
        } => {
            figure.run.try_update(|run| run.rows(prompt, first, &rows));
        }
        FitUpdate::Merged(Merged {
            done,
            skipped,
            jacobians,
            ..
        }) => {
            figure
                .run
                .try_update(|run| run.merged(done, skipped, jacobians));
            compare(figure);
        }
        FitUpdate::Notice(message) => {
            figure.run.try_update(|run| run.notice = Some(message));
        }
        FitUpdate::Finished => finish(figure, Phase::Done),
        FitUpdate::Failed(message) => finish(figure, Phase::Failed(message)),
    }
}

fn finish(figure: Figure, phase: Phase) {
    figure.pool.try_set_value(None);
    figure.run.try_update(|run| run.end(phase, now()));
}

/// Holds the lens as it is against the shipped one. While one comparison is under way, only the newest lens waits.
fn compare(figure: Figure) {
    let targets = figure.fitted.with_untracked(|settings| settings.targets);
    let asked = figure
        .run
        .with_untracked(|run| Some((run.log.last()?.prompts, run.layers.clone()?)));
    let Some((prompts, layers)) = asked else {
        return;
    };
    let round = figure.round.get_value();
    let request = CompareRequest {
        targets,
        jacobians: layers.to_vec(),
        top: TOP,
    };
    figure.line.send(Command::Compare(request), move |answer| {
        if figure.round.try_get_value() != Some(round) {
            return;
        }
        match answer {
            Answer::Last(Reply::Compare(comparison)) => {
                figure
                    .run
                    .try_update(|run| run.compared(prompts, comparison));
            }
            Answer::Failed(message) => {
                figure.run.try_update(|run| {
                    run.notice = Some(format!(
                        "The comparison with the shipped lens failed: {message}"
                    ))
                });
            }
            _ => {}
        }
    });
}

/// Writes the lens as a file and lets the browser save it.
pub fn save(figure: Figure) {
    let lens = figure.run.with_untracked(|run| {
        let Settings {
            targets,
            frozen,
            median,
            ..
        } = figure.fitted.get_untracked();
        Some(OwnLens {
            jacobians: run.layers.as_ref()?.to_vec(),
            targets,
            frozen,
            median,
            prompts: run.made_of[0],
            skipped: run.made_of[1],
            seed: SEED,
            corpus: String::new(),
            date: today(),
            warnings: Vec::new(),
        })
    });
    let Some(lens) = lens else { return };
    figure
        .client
        .request(Command::WriteLens(lens), move |answer| {
            let outcome = match answer {
                Answer::Last(Reply::LensFile(bytes)) => download(&bytes)
                    .map(|()| format!("Saved as {FILE}, {} kB.", bytes.len() / 1000)),
                Answer::Failed(message) => Err(message),
                _ => return,
            };
            figure.file.try_set(Some(outcome));
        });
}

fn today() -> String {
    js_sys::Date::new_0()
        .to_iso_string()
        .as_string()
        .map(|text| text.chars().take(10).collect())
        .unwrap_or_default()
}

/// Offers bytes as a file.
fn download(bytes: &[u8]) -> Result<(), String> {
    let offer = || -> Result<(), JsValue> {
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
        let blob = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
        let address = web_sys::Url::create_object_url_with_blob(&blob)?;
        let link: web_sys::HtmlElement = document().create_element("a")?.unchecked_into();
        link.set_attribute("href", &address)?;
        link.set_attribute("download", FILE)?;
        link.click();
        web_sys::Url::revoke_object_url(&address)
    };
    offer().map_err(|_| "The browser did not take the file. Try another browser, or allow downloads for this page.".to_owned())
}

/// Opens a file that the reader chose.
pub fn open(figure: Figure, file: web_sys::Blob) {
    if file.size() > MOST_BYTES {
        figure.file.set(Some(Err(format!("This file is {:.0} MB; a lens of this model is less than 1 MB. Choose a file that was saved here.", file.size() / 1e6))));
        return;
    }
    leptos::task::spawn_local(async move {
        match JsFuture::from(file.array_buffer()).await {
            Ok(buffer) => opened(figure, js_sys::Uint8Array::new(&buffer).to_vec()),
            Err(_) => {
                figure.file.try_set(Some(
                    Err("The browser could not read this file.".to_owned()),
                ));
            }
        }
    });
}

fn opened(figure: Figure, bytes: Vec<u8>) {
    figure
        .client
        .request(Command::OpenLens(bytes), move |answer| {
            let outcome = match answer {
                Answer::Last(Reply::OwnLens(lens)) => Ok(show(figure, lens)),
                Answer::Failed(message) => Err(message),
                _ => return,
            };
            figure.file.try_set(Some(outcome));
        });
}

/// Puts an opened lens in the place of the fit.
fn show(figure: Figure, lens: OwnLens) -> String {
    let said = format!(
        "Opened: {} sentences, {} {}.",
        lens.prompts, lens.corpus, lens.date
    );
    let Some(model) = figure.client.model() else {
        return said;
    };
    end_pool(figure);
    next_round(figure);
    figure.fitted.set(Settings {
        prompts: lens.prompts,
        targets: lens.targets,
        frozen: lens.frozen,
        median: lens.median,
        penultimate: lens.jacobians.len() < model.info.n_layers,
        ..figure.settings.get_untracked()
    });
    figure.run.set(Run::opened(model.info.d_model, lens));
    compare(figure);
    said
}
