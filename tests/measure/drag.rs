//! Frames while a handle is dragged: time from one frame to the next, over every handle.

use crate::quantile;
use support::{Figure, Look, Page, Result, With, on_page};

/// One frame of a 60 Hz display, in milliseconds, with the clock's own jitter allowed for.
const FRAME: f64 = 16.7;
const MOVES: u32 = 120;

/// Collects the time between frames into `window.__frames`.
const COLLECT: &str = "
    window.__frames = [];
    window.__collect = true;
    let last = null;
    const tick = now => {
        if (last !== null) window.__frames.push(now - last);
        last = now;
        if (window.__collect) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);";

/// Prints, for every handle on the page, how long frames took while it was dragged.
pub async fn run() -> Result {
    println!("dragging, milliseconds between frames (median, 95 %, worst; share within {FRAME}):");
    on_page(Look::desktop(), async |page| {
        let names: Vec<String> = page
            .script(
                "return [...document.querySelectorAll('figure[data-figure]')]
                    .map(figure => figure.dataset.figure);",
                vec![],
            )
            .await?;
        for name in &names {
            let figure = page.figure(name).await?;
            for index in 0..figure.parts(".handle").await?.len() {
                mark(page, &figure, index).await?;
                drag(page, &figure, index).await?;
            }
        }
        Ok(())
    })
    .await
}

/// Gives one handle an id by which it can be selected.
async fn mark(page: &Page, figure: &Figure<'_>, index: usize) -> Result {
    let script = "
        document.getElementById('measured-handle')?.removeAttribute('id');
        arguments[0].querySelectorAll('.handle')[arguments[1]].id = 'measured-handle';
        return null;";
    let arguments = vec![figure.element().to_json()?, index.into()];
    page.script::<Option<()>>(script, arguments).await?;
    Ok(())
}

async fn drag(page: &Page, figure: &Figure<'_>, index: usize) -> Result {
    page.driver.execute(COLLECT, vec![]).await?;
    figure
        .drag_slowly("#measured-handle", (40.0, -30.0), With::Mouse, MOVES)
        .await?;
    let mut frames: Vec<f64> = page
        .script("window.__collect = false; return window.__frames;", vec![])
        .await?;
    let within = frames.iter().filter(|&&frame| frame <= FRAME + 0.1).count();
    let share = 100.0 * within as f64 / frames.len().max(1) as f64;
    println!(
        "  {:<10} handle {index}: {:>6.1} {:>6.1} {:>6.1}   {share:.1} % of {}",
        figure.name(),
        quantile(&mut frames, 0.5),
        quantile(&mut frames, 0.95),
        quantile(&mut frames, 1.0),
        frames.len()
    );
    Ok(())
}
