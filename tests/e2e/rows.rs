//! Figure 6: one backward pass, one row everywhere.

use crate::hero::columns;
use support::{Error, Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

/// The number shown in a cell, by layer and position.
async fn shown(rows: &Figure<'_>, layer: usize, position: usize) -> Result<String> {
    let cell =
        format!(".rows-grid button[data-layer='{layer}'][data-position='{position}'] .cell-word");
    rows.content(&cell).await
}

async fn target(rows: &Figure<'_>) -> Result<usize> {
    let text = rows
        .attribute(".token[aria-pressed='true']", "data-position")
        .await?;
    text.parse()
        .map_err(|_| Error::page(format!("target `{text}`")))
}

/// Every cell after the target says 0, in all layers, and the target's column does not.
async fn nothing_later(page: &Page, rows: &Figure<'_>) -> Result {
    let target = target(rows).await?;
    page.until("the grid belongs to the target", async || {
        let seed = rows.part(".rows-grid button[data-hit='true']").await?;
        Ok(seed.attr("data-position").await? == Some(target.to_string()))
    })
    .await?;
    let heads = rows.parts(".rows-grid thead th").await?.len() - 1;
    for layer in 0..=8 {
        assert_ne!(shown(rows, layer, target).await?, "0", "layer {layer}");
        for position in target + 1..heads {
            assert_eq!(
                shown(rows, layer, position).await?,
                "0",
                "{layer} {position}"
            );
        }
    }
    // One block looks back four words and no further.
    assert_ne!(shown(rows, 7, target - 4).await?, "0");
    assert_eq!(shown(rows, 7, target - 5).await?, "0");
    assert_ne!(shown(rows, 6, target - 5).await?, "0");
    Ok(())
}

/// By keys alone: a token is made the target, nothing arrives later; another coordinate is asked and a cell is opened.
pub async fn by_keys(keys: &Keyboard<'_>, rows: &Figure<'_>) -> Result {
    let page = rows.page();
    keys.to_part(".token[data-position='9']").await?;
    keys.press(&[Key::Enter]).await?;
    nothing_later(page, rows).await?;
    let before = shown(rows, 3, 8).await?;
    keys.to("Output coordinate i").await?;
    keys.press(&[Key::Right, Key::Right, Key::Right]).await?;
    page.until("another row arrives", async || {
        Ok(shown(rows, 3, 8).await? != before && shown(rows, 8, 9).await? == "1.0")
    })
    .await?;
    keys.to_part(".rows-grid button").await?;
    keys.press(&[Key::Home, Key::Up]).await?;
    let cell = ".rows-grid button[aria-pressed='true']";
    assert_eq!(rows.attribute(cell, "data-position").await?, "0");
    Ok(())
}

#[tokio::test]
async fn no_gradient_reaches_a_later_token() -> Result {
    on_page(Look::desktop(), async |page| {
        let rows = page.figure("rows").await?;
        rows.press_button("a target in the middle").await?;
        page.until("the example is there", async || {
            Ok(target(&rows).await? == 10)
        })
        .await?;
        nothing_later(page, &rows).await?;
        let cost = rows.text("[data-cost='backward']").await?;
        assert!(cost.ends_with(" ms") && !cost.starts_with("0.0"), "{cost}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_target_is_chosen_by_finger_and_the_coordinate_by_key() -> Result {
    on_page(Look::phone(), async |page| {
        let rows = page.figure("rows").await?;
        rows.tap(".token[data-position='9']", With::Finger).await?;
        page.until("the target has moved", async || {
            Ok(target(&rows).await? == 9)
        })
        .await?;
        nothing_later(page, &rows).await?;
        let before = shown(&rows, 3, 8).await?;
        rows.press("input[type='range']", &[Key::Right, Key::Right, Key::Right])
            .await?;
        page.until("another row arrives", async || {
            Ok(shown(&rows, 3, 8).await? != before)
        })
        .await?;
        // The seed of a coordinate has length 1.
        assert_eq!(shown(&rows, 8, 9).await?, "1.0");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_pass_is_uncovered_layer_by_layer_with_reduced_motion() -> Result {
    on_page(Look::desktop(), async |page| {
        let rows = page.figure("rows").await?;
        assert!(!rows.part(".rows-play").await?.is_displayed().await?);
        let covered = async || -> Result<usize> {
            Ok(rows
                .parts(".rows-grid tr[data-covered='true']")
                .await?
                .len())
        };
        assert_eq!(covered().await?, 0);
        rows.press_button("Layer by layer").await?;
        assert_eq!(covered().await?, 8);
        rows.press_button("Layer by layer").await?;
        assert_eq!(covered().await?, 7);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_words_row_is_asked_and_a_cell_opened_by_keyboard() -> Result {
    on_page(Look::desktop(), async |page| {
        let rows = page.figure("rows").await?;
        rows.choose("Seed the backward pass with", "a word’s row")
            .await?;
        page.until("the word's row is shown", async || {
            Ok(rows
                .text(".summary-line")
                .await?
                .contains("the score of “8”"))
        })
        .await?;
        let cell = ".rows-grid button[aria-pressed='true']";
        rows.press(cell, &[Key::Up, Key::Up]).await?;
        assert_eq!(rows.attribute(cell, "data-layer").await?, "4");
        let said = rows.text(".summary-line").await?;
        assert!(said.starts_with("Layer 4"), "{said}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn after_a_shorter_prompt_a_cell_still_takes_the_keyboard() -> Result {
    on_page(Look::desktop(), async |page| {
        let rows = page.figure("rows").await?;
        rows.write("#rows-prompt", "the number of").await?;
        page.until("the last cell is looked at", async || {
            let cell = ".rows-grid button[tabindex='0']";
            let there = rows.attribute(cell, "data-position").await? == "3";
            let said = rows.text(".summary-line").await?;
            Ok(there && said.contains("at “of”") && !said.contains("“”"))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn the_target_is_in_sight_on_a_phone() -> Result {
    on_page(Look::phone(), async |page| {
        let rows = page.figure("rows").await?;
        page.until("the chosen cell and the target are in sight", async || {
            let (whole, cut) = columns(page, &rows, ".map-scroll").await?;
            Ok(cut == 0 && whole.contains(&12) && whole.contains(&16))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn a_bar_is_asked_for_by_finger() -> Result {
    on_page(Look::phone(), async |page| {
        let rows = page.figure("rows").await?;
        let tag = async || rows.content(".bars-tag").await;
        assert_eq!(tag().await?, "12");
        rows.tap(".bars[data-press='true']", With::Finger).await?;
        page.until("the bar in the middle is asked for", async || {
            Ok(["47", "48"].contains(&&*tag().await?))
        })
        .await
    })
    .await
}
