//! A model's files: which they are, and fetching them with progress.

use super::link::said;
use engine::protocol::{ModelFiles, Targets};
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Response};

/// A model that the page can open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelName {
    /// The shipped model.
    World,
    /// The control: the same model without the attention window, loaded on demand.
    Control,
}

/// Addresses relative to the page; numbers in the order of bytes of `formats::shuffle`.
struct Addresses {
    weights: &'static str,
    words: &'static str,
    lenses: [(Targets, &'static str); 2],
}

impl ModelName {
    fn addresses(self) -> Addresses {
        match self {
            Self::World => Addresses {
                weights: "models/world.safetensors.shuffled",
                words: "models/words.json",
                lenses: [
                    (Targets::All, "lenses/world-all.safetensors.shuffled"),
                    (Targets::Same, "lenses/world-same.safetensors.shuffled"),
                ],
            },
            Self::Control => Addresses {
                weights: "models/control.safetensors.shuffled",
                words: "models/words.json",
                lenses: [
                    (Targets::All, "lenses/control-all.safetensors.shuffled"),
                    (Targets::Same, "lenses/control-same.safetensors.shuffled"),
                ],
            },
        }
    }
}

/// Bytes received, and in all if every server said so.
pub(super) type Progress<'a> = &'a dyn Fn(f64, Option<f64>);

/// Fetches all files of a model at once.
///
/// The error says which file, what happened and what to do.
pub(super) async fn fetch_model(
    model: ModelName,
    progress: Progress<'_>,
) -> Result<ModelFiles, String> {
    let addresses = model.addresses();
    let mut urls = vec![addresses.weights, addresses.words];
    urls.extend(addresses.lenses.iter().map(|(_, url)| *url));
    // all requests go out before the first is waited for
    let asked: Vec<(&str, JsFuture)> = urls
        .into_iter()
        .map(|url| Ok((url, ask(url)?)))
        .collect::<Result<_, String>>()?;
    let mut responses = Vec::with_capacity(asked.len());
    for (url, asked) in asked {
        responses.push((url, accept(url, asked).await?));
    }
    let total = responses
        .iter()
        .map(|(_, r)| length(r))
        .sum::<Option<f64>>();
    let received = RefCell::new(0.0);
    let count = |bytes: usize| {
        let now = *received.borrow() + bytes as f64;
        received.replace(now);
        progress(now, total);
    };
    let mut files = Vec::with_capacity(responses.len());
    for (url, response) in &responses {
        files.push(body(url, response, &count).await?);
    }
    let mut files = files.into_iter();
    Ok(ModelFiles {
        weights: files.next().unwrap_or_default(),
        tokenizer: files.next().unwrap_or_default(),
        lenses: addresses
            .lenses
            .iter()
            .map(|(t, _)| *t)
            .zip(files)
            .collect(),
    })
}

/// Fetches one further file, relative to the page: for what a figure needs on demand.
///
/// # Errors
/// As for a model's files.
pub async fn fetch_file(url: &str) -> Result<Vec<u8>, String> {
    let response = accept(url, ask(url)?).await?;
    body(url, &response, &|_| ()).await
}

fn ask(url: &str) -> Result<JsFuture, String> {
    let window = web_sys::window().ok_or("there is no window to fetch from")?;
    Ok(JsFuture::from(window.fetch_with_str(url)))
}

async fn accept(url: &str, asked: JsFuture) -> Result<Response, String> {
    let response: Response = asked.await.map_err(|e| broken(url, &e))?.unchecked_into();
    if !response.ok() {
        let (status, text) = (response.status(), response.status_text());
        return Err(format!(
            "{url} could not be fetched: the server answered {status} {text}. Try again, or see whether the site is complete."
        ));
    }
    Ok(response)
}

/// The announced length, unless the body is compressed on the way (it then counts other bytes than arrive).
fn length(response: &Response) -> Option<f64> {
    let headers = response.headers();
    match headers.get("content-encoding") {
        Ok(None) => headers.get("content-length").ok()??.parse().ok(),
        _ => None,
    }
}

async fn body(url: &str, response: &Response, count: &dyn Fn(usize)) -> Result<Vec<u8>, String> {
    let Some(stream) = response.body() else {
        return Err(format!("{url} came without a body. Try again."));
    };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    loop {
        let chunk = JsFuture::from(reader.read())
            .await
            .map_err(|e| broken(url, &e))?;
        let field = |name: &str| js_sys::Reflect::get(&chunk, &JsValue::from_str(name));
        if field("done").is_ok_and(|done| done.is_truthy()) {
            return Ok(bytes);
        }
        let value = field("value").map_err(|e| broken(url, &e))?;
        let array: js_sys::Uint8Array = value.unchecked_into();
        let start = bytes.len();
        bytes.resize(start + array.length() as usize, 0);
        array.copy_to(&mut bytes[start..]);
        count(bytes.len() - start);
    }
}

fn broken(url: &str, error: &JsValue) -> String {
    let said = said(error);
    format!("{url} could not be fetched ({said}). Check the connection and try again.")
}
