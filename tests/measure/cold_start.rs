//! Cold start: a fresh browser, an empty cache, a server on the loopback address.

use crate::{open_cold, quantile};
use support::{Look, Page, Result, on_page};

const RUNS: usize = 5;

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
        open_cold(page, "").await?;
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
