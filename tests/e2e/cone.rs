//! Figure 12: the nearest point of few words, and the many ways to write an activation.

use support::{Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

const H: &str = ".handle[aria-label='activation h']";
const ANT: &str = ".handle[aria-label='vector of ant']";

async fn formula(cone: &Figure<'_>) -> Result<String> {
    cone.content("[data-measure='formula']").await
}

/// `(x, y)` of a handle: its spoken place begins with the two numbers.
async fn place(cone: &Figure<'_>, css: &str) -> Result<Vec<f64>> {
    let text = cone
        .attribute(css, "aria-valuetext")
        .await?
        .replace('−', "-");
    let numbers = text.split([',', ';']).take(2);
    Ok(numbers
        .filter_map(|part| part.trim().parse().ok())
        .collect())
}

async fn drags(page: &Page, with: With) -> Result {
    let cone = page.figure("cone").await?;
    let (said, residual) = (formula(&cone).await?, cone.measure("residual").await?);
    cone.drag(H, (30.0, 25.0), with).await?;
    page.until("the nearest point follows h", async || {
        Ok(formula(&cone).await? != said && cone.measure("residual").await? != residual)
    })
    .await?;
    let before = place(&cone, ANT).await?;
    cone.drag(ANT, (20.0, 10.0), with).await?;
    page.until("the vector follows", async || {
        let after = place(&cone, ANT).await?;
        Ok(after.len() == 2 && after[0] > before[0] && after[1] < before[1])
    })
    .await
}

/// By keys alone: two words reach the activation, one of the ways is drawn; behind all words nothing is nearest, and Home leads back.
pub async fn by_keys(keys: &Keyboard<'_>, cone: &Figure<'_>) -> Result {
    let page = cone.page();
    keys.to("Words at most, k").await?;
    keys.press(&[Key::Right]).await?;
    page.until("two words reach h", async || {
        Ok(formula(cone).await?.contains(" + ") && cone.measure("residual").await? < 1e-9)
    })
    .await?;
    let home = place(cone, H).await?;
    keys.to("activation h").await?;
    keys.press(&vec![Key::PageDown; 8]).await?;
    page.until("nothing is nearest", async || {
        Ok(formula(cone).await? == "nothing")
    })
    .await?;
    keys.press(&[Key::Home]).await?;
    page.until("h is home", async || Ok(place(cone, H).await? == home))
        .await?;
    keys.to_part(".cone-way").await?;
    keys.press(&[Key::Enter]).await?;
    page.until("one way is drawn", async || {
        Ok(cone.parts(".cone-way[aria-pressed='true']").await?.len() == 1)
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
async fn one_word_leaves_a_residual_two_leave_none_and_amounts_stay_positive() -> Result {
    on_page(Look::desktop(), async |page| {
        let cone = page.figure("cone").await?;
        assert!(cone.measure("residual").await? > 0.1, "one word");
        assert!(!formula(&cone).await?.contains('+'), "one word");
        cone.choose("Words at most, k", "two").await?;
        page.until("two words reach h", async || {
            Ok(formula(&cone).await?.contains(" + ") && cone.measure("residual").await? < 1e-9)
        })
        .await?;
        assert!(cone.measure("least").await? > 0.0, "no negative amounts");

        // Each way is exact: amounts times vectors add up to h, up to the digits printed.
        let ways = cone.parts(".cone-way").await?;
        assert_eq!(ways.len() as f64, cone.measure("ways").await?);
        assert!(
            ways.len() > 2,
            "more vectors than dimensions: more than one way"
        );
        let h = place(&cone, H).await?;
        for way in ways {
            let mut sum = [0.0, 0.0];
            let text = way.text().await?;
            for term in text.trim_start_matches("h = ").split(" + ") {
                let (amount, word) = term.split_once(" · ").unwrap_or_default();
                let amount: f64 = amount.parse().unwrap_or(f64::NAN);
                let css = format!(".handle[aria-label='vector of {}']", word.trim());
                let vector = place(&cone, &css).await?;
                sum = [sum[0] + amount * vector[0], sum[1] + amount * vector[1]];
            }
            let off = (sum[0] - h[0]).abs().max((sum[1] - h[1]).abs());
            assert!(off < 0.03, "`{text}` is {sum:?}, not {h:?}");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn behind_all_words_nothing_is_nearest_and_home_leads_back() -> Result {
    on_page(Look::desktop(), async |page| {
        let cone = page.figure("cone").await?;
        let home = place(&cone, H).await?;
        cone.press(H, &vec![Key::PageDown; 8]).await?;
        page.until("nothing is nearest", async || {
            Ok(formula(&cone).await? == "nothing")
        })
        .await?;
        cone.press(H, &[Key::Home]).await?;
        page.until("h is home", async || Ok(place(&cone, H).await? == home))
            .await
    })
    .await
}
