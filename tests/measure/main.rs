//! `measure cold-start | page | drag | wasm | heights`: times the built page in headless Chromium. Run it through
//! `cargo xtask bench`.
#![forbid(unsafe_code)]

mod cold_start;
mod drag;
mod heights;
mod scroll;
mod wasm;

use serde_json::json;
use support::page::NOTE_HERO;
use support::{Error, Page, Result};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result {
    match std::env::args().nth(1).as_deref() {
        Some("cold-start") => cold_start::run().await,
        Some("page") => scroll::run().await,
        Some("drag") => drag::run().await,
        Some("heights") => heights::run().await,
        Some("wasm") => wasm::run().await,
        other => Err(Error::page(format!(
            "say `cold-start`, `page`, `drag`, `wasm` or `heights`, not {other:?}"
        ))),
    }
}

/// Opens the page with an empty cache; [`NOTE_HERO`] and `watch` run before its own scripts.
async fn open_cold(page: &Page, watch: &str) -> Result {
    page.driver.goto("about:blank").await?;
    let cdp = page.driver.cdp();
    cdp.send_raw("Network.clearBrowserCache", json!({})).await?;
    let watch = json!({"source": format!("{NOTE_HERO}{watch}")});
    cdp.send_raw("Page.addScriptToEvaluateOnNewDocument", watch)
        .await?;
    page.open("/").await
}

/// The value below which the given share of the samples lies.
fn quantile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let last = samples.len().saturating_sub(1);
    let index = (share * last as f64).round() as usize;
    samples.get(index).copied().unwrap_or(f64::NAN)
}
