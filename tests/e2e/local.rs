//! Figure 8: one place's own Jacobian against the average.

use support::{Error, Figure, Keyboard, Look, Result, With, on_page};
use thirtyfour::prelude::*;

async fn cosine(local: &Figure<'_>) -> Result<f64> {
    let text = local.content("[data-fact='cosine']").await?;
    text.replace('−', "-")
        .parse()
        .map_err(|_| Error::page(format!("cosine `{text}`")))
}

/// By keys alone: near the top, and with one target, the local Jacobian and the average nearly agree.
pub async fn by_keys(keys: &Keyboard<'_>, local: &Figure<'_>) -> Result {
    let low = cosine(local).await?;
    keys.to("Jacobian lens looks at").await?;
    keys.press(&[Key::Left]).await?;
    keys.to("Layer").await?;
    keys.press(&[Key::End]).await?;
    local
        .page()
        .until("layer 7 is compared at one target", async || {
            let there = !local.readout("local", 7).await?.is_empty();
            Ok(there && local.content("[data-fact='targets']").await? == "1")
        })
        .await?;
    let high = cosine(local).await?;
    assert!(high > 0.8 && high > low, "{low} {high}");
    Ok(())
}

#[tokio::test]
async fn the_average_reads_what_the_hero_reads_and_the_local_one_differs() -> Result {
    on_page(Look::desktop(), async |page| {
        let local = page.figure("local").await?;
        let average = local.readout("jacobian", 3).await?;
        let own = local.readout("local", 3).await?;
        assert!(own.len() >= 8 && average.len() >= 8);
        assert_ne!(own, average);
        assert_eq!(average[0].word, "spider", "{average:?}");
        assert_ne!(own[0].word, "spider", "{own:?}");
        let c = cosine(&local).await?;
        assert!(c > 0.1 && c < 0.9999, "{c}");
        // Near the top there is less to disagree about.
        local.press("input[type='range']", &[Key::End]).await?;
        page.until("layer 7 is compared", async || {
            Ok(!local.readout("jacobian", 7).await?.is_empty())
        })
        .await?;
        local
            .choose("Jacobian lens looks at", "same position")
            .await?;
        page.until("same position has one target", async || {
            Ok(local.content("[data-fact='targets']").await? == "1")
        })
        .await?;
        assert!(cosine(&local).await? > 0.8, "{}", cosine(&local).await?);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_last_token_has_no_future_and_the_figure_says_so() -> Result {
    on_page(Look::phone(), async |page| {
        let local = page.figure("local").await?;
        local
            .tap(".token[data-position='19']", With::Finger)
            .await?;
        page.until("it is said", async || {
            let said = local.text(".summary-line").await?;
            Ok(said.contains("no token comes after"))
        })
        .await?;
        assert_eq!(local.content("[data-fact='targets']").await?, "0");
        assert!(local.readout("local", 3).await?.is_empty());
        local.press_button("Reset").await?;
        page.until("the list is back", async || {
            Ok(!local.readout("local", 3).await?.is_empty())
        })
        .await
    })
    .await
}
