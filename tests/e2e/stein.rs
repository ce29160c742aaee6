//! Figure 11: both sides of Stein's lemma.

use support::{Error, Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

async fn cosine(stein: &Figure<'_>) -> Result<f64> {
    let text = stein.attribute(".summary-line", "data-cosine").await?;
    text.parse()
        .map_err(|_| Error::page(format!("cosine `{text}`")))
}

/// By keys alone: the word whose two sides are most alike is typed, and its cosine is the list's.
pub async fn by_keys(keys: &Keyboard<'_>, stein: &Figure<'_>) -> Result {
    let page = stein.page();
    let before = stein.rows("table[data-lens='alike']").await?;
    keys.to("Layer").await?;
    keys.press(&[Key::Right]).await?;
    page.until("another layer has another list", async || {
        Ok(stein.rows("table[data-lens='alike']").await? != before)
    })
    .await?;
    let best = stein.rows("table[data-lens='alike']").await?.remove(0);
    keys.write("Word", &best.word).await?;
    keys.tab().await?;
    page.until("the best word is looked at", async || {
        Ok((cosine(stein).await? - best.prob).abs() < 1e-3)
    })
    .await
}

#[tokio::test]
async fn the_two_sides_of_a_word_are_alike_and_those_of_two_words_are_not() -> Result {
    on_page(Look::desktop(), async |page| {
        let stein = page.figure("stein").await?;
        let alike = stein.rows("table[data-lens='alike']").await?;
        let unlike = stein.rows("table[data-lens='unlike']").await?;
        assert!(alike.len() == 5 && unlike.len() == 5);
        assert!(alike[0].prob > 0.7 && alike[0].prob > unlike[0].prob);
        let spider = cosine(&stein).await?;
        assert!(spider > 0.3 && spider <= 1.0, "{spider}");
        // Another word changes the number; nothing is computed for it.
        stein.write("#stein-word", &alike[0].word).await?;
        page.key(Key::Tab).await?;
        page.until("the best word is looked at", async || {
            Ok((cosine(&stein).await? - alike[0].prob).abs() < 1e-3)
        })
        .await
    })
    .await
}

async fn the_layer_moves(page: &Page, with: With) -> Result {
    let stein = page.figure("stein").await?;
    let near = stein.rows("table[data-lens='template']").await?;
    assert_eq!((near.len(), near[0].word.as_str()), (5, "france"));
    let before = stein.content(".summary-line").await?;
    stein.drag("input[type='range']", (60.0, 0.0), with).await?;
    page.until("another layer", async || {
        Ok(stein.content(".summary-line").await? != before)
    })
    .await?;
    stein.tap_on("Reset", with).await?;
    page.until("the first layer again", async || {
        Ok(stein.content(".summary-line").await? == before)
    })
    .await
}

#[tokio::test]
async fn a_template_stands_for_its_phrase_and_the_layer_moves_by_mouse() -> Result {
    on_page(Look::desktop(), async |page| {
        the_layer_moves(page, With::Mouse).await
    })
    .await
}

#[tokio::test]
async fn a_template_stands_for_its_phrase_and_the_layer_moves_by_touch_on_a_phone() -> Result {
    on_page(Look::phone(), async |page| {
        the_layer_moves(page, With::Finger).await
    })
    .await
}
