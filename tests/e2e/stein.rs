//! Figure 11: both sides of Stein's lemma.

use support::{Error, Figure, Look, Result, on_page};
use thirtyfour::prelude::*;

async fn cosine(stein: &Figure<'_>) -> Result<f64> {
    let text = stein.attribute(".summary-line", "data-cosine").await?;
    text.parse()
        .map_err(|_| Error::page(format!("cosine `{text}`")))
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

#[tokio::test]
async fn a_template_follows_its_phrase_and_the_layer_moves_by_key() -> Result {
    on_page(Look::phone(), async |page| {
        let stein = page.figure("stein").await?;
        let template = "table[data-lens='template']";
        let near = stein.rows(template).await?;
        assert_eq!((near.len(), near[0].word.as_str()), (5, "france"));
        let before = stein.content(".summary-line").await?;
        let sliders = stein.parts("input[type='range']").await?;
        sliders[0].focus().await?;
        page.key(Key::Right).await?;
        page.until("another layer", async || {
            Ok(stein.content(".summary-line").await? != before)
        })
        .await?;
        stein.press_button("Reset").await?;
        page.until("the first layer again", async || {
            Ok(stein.content(".summary-line").await? == before)
        })
        .await
    })
    .await
}
