//! The page from top to bottom: when its text is painted, when the hero is live, the longest task of the main thread while a
//! reader scrolls through, and what moves.

use crate::open_cold;
use serde_json::json;
use std::time::Duration;
use support::{Look, Page, Result, on_page};

/// Runs before the page's own scripts.
const WATCH: &str = "
    window.__tasks = [];
    window.__shift = 0;
    new PerformanceObserver(list => {
        for (const task of list.getEntries()) window.__tasks.push([task.startTime, task.duration]);
    }).observe({type: 'longtask', buffered: true});
    new PerformanceObserver(list => {
        for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.__shift += shift.value;
    }).observe({type: 'layout-shift', buffered: true});";

/// CSS pixels per wheel turn, and how many a second.
const STEP: f64 = 240.0;
const PAUSE: Duration = Duration::from_millis(60);

/// Prints it for a desktop window and a phone.
pub async fn run() -> Result {
    for look in [Look::desktop(), Look::phone()] {
        on_page(look, async |page| measure(page, &look).await).await?;
    }
    Ok(())
}

async fn measure(page: &Page, look: &Look) -> Result {
    open_cold(page, WATCH).await?;
    page.until("the hero is live", async || {
        let time: Option<f64> = page
            .script("return window.__heroReady ?? null", vec![])
            .await?;
        Ok(time.is_some())
    })
    .await?;
    let (text, live): (f64, f64) = page
        .script(
            "const paint = performance.getEntriesByName('first-contentful-paint')[0];
             return [paint ? paint.startTime : -1, window.__heroReady];",
            vec![],
        )
        .await?;
    let from = scroll_through(page, look).await?;
    let (tasks, shift): (Vec<(f64, f64)>, f64) = page
        .script("return [window.__tasks, window.__shift]", vec![])
        .await?;
    let longest = |after: bool| {
        let tasks = tasks.iter().filter(|(start, _)| (*start >= from) == after);
        tasks.map(|(_, length)| *length).fold(0.0, f64::max)
    };
    println!(
        "the page in headless Chromium, {}, milliseconds:",
        look.name()
    );
    for (name, value, goal) in [
        ("text painted", text, "under 500"),
        ("hero live", live, "under 1500"),
        ("longest task until then", longest(false), "no goal"),
        ("longest task while scrolling", longest(true), "under 200"),
    ] {
        println!("  {name:<30} {value:>8.0}   (wanted: {goal})");
    }
    println!(
        "  {:<30} {shift:>8.4}   (wanted: under 0.02)",
        "layout shift, summed"
    );
    Ok(())
}

/// Wheel turns from top to bottom; the page's clock at their beginning.
async fn scroll_through(page: &Page, look: &Look) -> Result<f64> {
    let from: f64 = page.script("return performance.now()", vec![]).await?;
    let middle = (f64::from(look.width) / 2.0, f64::from(look.height) / 2.0);
    loop {
        let wheel = json!({"type": "mouseWheel", "x": middle.0, "y": middle.1, "deltaX": 0, "deltaY": STEP});
        page.driver
            .cdp()
            .send_raw("Input.dispatchMouseEvent", wheel)
            .await?;
        tokio::time::sleep(PAUSE).await;
        let left: f64 = page
            .script(
                "return document.documentElement.scrollHeight - innerHeight - scrollY",
                vec![],
            )
            .await?;
        if left < 2.0 {
            return Ok(from);
        }
    }
}
