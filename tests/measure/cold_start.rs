//! Cold start: a fresh browser, an empty cache, a server on the loopback address.

use crate::quantile;
use serde_json::json;
use support::{Look, Page, Result, on_page};

const RUNS: usize = 5;

/// Notes when the hero first says that it is ready; runs before the page's own scripts.
const WATCH: &str = "
    const ready = \"figure[data-figure=hero][data-ready=true]\";
    new MutationObserver((_, observer) => {
        if (document.querySelector(ready)) {
            window.__heroReady = performance.now();
            observer.disconnect();
        }
    }).observe(document, {subtree: true, childList: true, attributes: true});";

/// Prints first paint, first contentful paint and the time until the hero is live.
pub async fn run() -> Result {
    let mut paints = Vec::new();
    let mut readies = Vec::new();
    for _ in 0..RUNS {
        let (paint, ready) = once().await?;
        paints.push(paint);
        readies.push(ready);
    }
    println!(
        "cold start in headless Chromium, {RUNS} fresh browsers, milliseconds (median, worst):"
    );
    for (name, samples, target) in [
        ("first contentful paint", &mut paints, 500.0),
        ("hero live", &mut readies, 1500.0),
    ] {
        let median = quantile(samples, 0.5);
        let worst = quantile(samples, 1.0);
        println!("  {name:<24} {median:>8.0} {worst:>8.0}   (wanted: under {target:.0})");
    }
    Ok(())
}

async fn once() -> Result<(f64, f64)> {
    let result = std::cell::Cell::new((f64::NAN, f64::NAN));
    // The first page only warms the browser itself; the second is measured, on a new origin-free
    // cache, as a reader's browser is already running when the page is opened.
    on_page(Look::desktop(), async |page| {
        page.driver.goto("about:blank").await?;
        let cdp = page.driver.cdp();
        cdp.send_raw("Network.clearBrowserCache", json!({})).await?;
        let watch = json!({"source": WATCH});
        cdp.send_raw("Page.addScriptToEvaluateOnNewDocument", watch)
            .await?;
        page.open("/").await?;
        page.figure("hero").await?;
        result.set(times(page).await?);
        Ok(())
    })
    .await?;
    Ok(result.get())
}

async fn times(page: &Page) -> Result<(f64, f64)> {
    let script = "
        const paint = performance.getEntriesByName('first-contentful-paint')[0];
        return [paint ? paint.startTime : -1, window.__heroReady ?? -1];";
    page.script(script, vec![]).await
}
