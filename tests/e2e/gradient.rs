//! Figure 3: the forecast is the sum of rate times nudge, and misses the truth by a gap of second order.

use support::{Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

const POINT: &str = ".handle[aria-label='point p']";
const NUDGE: &str = ".handle[aria-label='nudge']";

/// The printed terms add up to the printed forecast, up to the digits printed.
async fn adds_up(gradient: &Figure<'_>) -> Result<bool> {
    let [a, b, sum] = [
        gradient.measure("term-1").await?,
        gradient.measure("term-2").await?,
        gradient.measure("linear").await?,
    ];
    Ok((a + b - sum).abs() < 0.0021)
}

async fn drags(page: &Page, with: With) -> Result {
    let gradient = page.figure("gradient").await?;
    let said = async |css| gradient.attribute(css, "aria-valuetext").await;
    assert!(adds_up(&gradient).await?, "at first");
    let (rate, tip) = (gradient.measure("rate-1").await?, said(NUDGE).await?);
    gradient.drag(POINT, (35.0, -20.0), with).await?;
    page.until("the rates follow p, the nudge comes along", async || {
        Ok(gradient.measure("rate-1").await? != rate && said(NUDGE).await? == tip)
    })
    .await?;
    let exact = gradient.measure("exact").await?;
    gradient.drag(NUDGE, (-25.0, 30.0), with).await?;
    page.until("the change follows the nudge", async || {
        Ok(gradient.measure("exact").await? != exact && said(NUDGE).await? != tip)
    })
    .await?;
    assert!(adds_up(&gradient).await?, "after both drags");
    Ok(())
}

/// By keys alone: the nudge is halved, then both handles are moved; the terms go on adding up to the forecast.
pub async fn by_keys(keys: &Keyboard<'_>, gradient: &Figure<'_>) -> Result {
    let page = gradient.page();
    let gap = gradient.measure("gap").await?;
    keys.push("Halve the nudge").await?;
    page.until("a quarter of the gap is left", async || {
        Ok((3.0..5.0).contains(&(gap / gradient.measure("gap").await?)))
    })
    .await?;
    let exact = gradient.measure("exact").await?;
    keys.to("nudge").await?;
    keys.press(&[Key::Up, Key::Up, Key::Left]).await?;
    page.until("the change follows the nudge", async || {
        Ok(gradient.measure("exact").await? != exact && adds_up(gradient).await?)
    })
    .await?;
    let rate = gradient.measure("rate-1").await?;
    keys.to("point p").await?;
    keys.press(&[Key::Right, Key::Down]).await?;
    page.until("the rates follow p", async || {
        Ok(gradient.measure("rate-1").await? != rate && adds_up(gradient).await?)
    })
    .await
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
async fn half_the_nudge_leaves_a_quarter_of_the_gap() -> Result {
    on_page(Look::desktop(), async |page| {
        let gradient = page.figure("gradient").await?;
        for _ in 0..4 {
            let half = gradient.measure("gap-half").await?;
            gradient.press_button("Halve the nudge").await?;
            page.until("the gap is that of half the nudge", async || {
                Ok((gradient.measure("gap").await? / half - 1.0).abs() < 0.02)
            })
            .await?;
        }
        let ratio = gradient.measure("ratio").await?;
        assert!((ratio - 4.0).abs() < 0.3, "ratio {ratio}");
        gradient.choose("Height map f", "plane").await?;
        page.until("a plane leaves no gap", async || {
            let ratio = gradient.content("[data-measure='ratio']").await?;
            Ok(ratio.starts_with("none"))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn it_is_moved_by_keyboard_and_home_again() -> Result {
    on_page(Look::desktop(), async |page| {
        let gradient = page.figure("gradient").await?;
        let said = async |css| gradient.attribute(css, "aria-valuetext").await;
        let home = [said(POINT).await?, said(NUDGE).await?];
        gradient
            .press(NUDGE, &[Key::Left, Key::Shift, Key::Up])
            .await?;
        page.until("one step left and a tenth up", async || {
            Ok(["0.05, 0.25", "0.05, 0.26"].contains(&said(NUDGE).await?.as_str()))
        })
        .await?;
        gradient.press(POINT, &[Key::Down]).await?;
        gradient.press(NUDGE, &[Key::Home]).await?;
        gradient.press(POINT, &[Key::Home]).await?;
        page.until("both are back", async || {
            Ok([said(POINT).await?, said(NUDGE).await?] == home)
        })
        .await
    })
    .await
}
