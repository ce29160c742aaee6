//! Figure 2: the gap of a tangent falls to a quarter per halving, except in a corner.

use support::{Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

const POINT: &str = ".handle[aria-label='point x']";
const WINDOW: &str = ".handle[aria-label='window of nudges']";

async fn drags(page: &Page, with: With) -> Result {
    let curve = page.figure("curve").await?;
    let said = async |css| curve.attribute(css, "aria-valuetext").await;
    let (point, slope) = (said(POINT).await?, curve.measure("derivative").await?);
    curve.drag(POINT, (30.0, 0.0), with).await?;
    page.until("x and the slope follow", async || {
        Ok(said(POINT).await? != point && curve.measure("derivative").await? != slope)
    })
    .await?;
    let window = said(WINDOW).await?;
    curve.drag(WINDOW, (-25.0, 0.0), with).await?;
    page.until("the window follows", async || {
        Ok(said(WINDOW).await? != window)
    })
    .await
}

/// By keys alone: the window is made small and the gap falls to a quarter per halving; x is moved and the slope follows.
pub async fn by_keys(keys: &Keyboard<'_>, curve: &Figure<'_>) -> Result {
    let gap = curve.measure("gap").await?;
    keys.to("Halve it").await?;
    keys.press(&[Key::Enter, Key::Space, Key::Enter]).await?;
    curve
        .page()
        .until("three halvings leave about a 64th", async || {
            let (gap, ratio) = (
                gap / curve.measure("gap").await?,
                curve.measure("ratio").await?,
            );
            Ok((50.0..80.0).contains(&gap) && (ratio - 4.0).abs() < 0.3)
        })
        .await?;
    let slope = curve.measure("derivative").await?;
    keys.to("point x").await?;
    keys.press(&[Key::Right, Key::Right]).await?;
    let moved = async || Ok(curve.measure("derivative").await? != slope);
    curve.page().until("the slope follows x", moved).await
}

#[tokio::test]
async fn it_is_dragged_by_mouse() -> Result {
    on_page(Look::desktop(), async |page| drags(page, With::Mouse).await).await
}

#[tokio::test]
async fn it_is_dragged_by_touch_on_a_phone() -> Result {
    on_page(Look::phone(), async |page| {
        page.figure("hero").await?;
        drags(page, With::Finger).await
    })
    .await
}

#[tokio::test]
async fn each_halving_leaves_a_quarter_of_the_gap() -> Result {
    on_page(Look::desktop(), async |page| {
        let curve = page.figure("curve").await?;
        for _ in 0..4 {
            let half = curve.measure("gap-half").await?;
            curve.press_button("Halve it").await?;
            page.until("the gap is that of half the window", async || {
                Ok((curve.measure("gap").await? / half - 1.0).abs() < 0.02)
            })
            .await?;
        }
        let ratio = curve.measure("ratio").await?;
        assert!((ratio - 4.0).abs() < 0.2, "ratio {ratio}");
        let slope = curve.measure("slope").await?;
        assert!((slope - 2.0).abs() < 0.1, "slope {slope}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_corner_leaves_a_half_until_the_window_misses_it() -> Result {
    on_page(Look::desktop(), async |page| {
        let curve = page.figure("curve").await?;
        curve.choose("Curve f", "with a corner").await?;
        page.until("no line fits the corner", async || {
            Ok((curve.measure("slope").await? - 1.0).abs() < 0.05)
        })
        .await?;
        curve.press(POINT, &[Key::Right, Key::Right]).await?;
        page.until("the window is still too large", async || {
            Ok((curve.measure("derivative").await? - 1.05).abs() < 1e-3)
        })
        .await?;
        // at x = 0.1: the ratio alone would not tell
        let verdict = curve.content("[data-said='verdict']").await?;
        assert!(verdict.contains("corner lies in the window"), "{verdict}");
        curve.press(WINDOW, &vec![Key::Left; 11]).await?;
        page.until("beside the corner, the quarter is back", async || {
            Ok((curve.measure("ratio").await? - 4.0).abs() < 0.1)
        })
        .await?;
        let verdict = curve.content("[data-said='verdict']").await?;
        assert!(verdict.contains("quarter"), "{verdict}");
        curve.press(POINT, &[Key::Home]).await?;
        page.until("back in the corner", async || {
            Ok((curve.measure("ratio").await? - 2.0).abs() < 0.3)
        })
        .await
    })
    .await
}
