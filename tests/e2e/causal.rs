//! Figure 14: what is counted in the tab is what `jlens eval` counted.

use std::time::Duration;
use support::{Figure, Keyboard, Look, Result, With, on_page};
use thirtyfour::prelude::*;

/// Counting may take long where several browsers share a processor.
const LONG: Duration = Duration::from_secs(240);

fn cell(piece: &str, column: usize) -> String {
    format!(".causal-table tr[data-piece='{piece}'] td:nth-child({column})")
}

async fn counts(causal: &Figure<'_>, piece: &str, column: usize) -> Result<(String, String)> {
    let cell = cell(piece, column);
    Ok((
        causal.attribute(&cell, "data-hits").await?,
        causal.attribute(&cell, "data-n").await?,
    ))
}

/// By keys alone: another k is chosen, counting is begun, stopped and begun again by one key, and ends with the stored counts.
pub async fn by_keys(keys: &Keyboard<'_>, causal: &Figure<'_>) -> Result {
    let page = causal.page();
    keys.to("Lens vectors in the part, k").await?;
    keys.press(&[Key::Left]).await?;
    let name = cell("part", 1).replace("td:nth-child(1)", "th");
    page.until("one lens vector is exchanged", async || {
        Ok(causal
            .content(&name)
            .await?
            .contains("the best lens vector"))
    })
    .await?;
    let says = async |words: &str| {
        let there = async || Ok(causal.content(".job-bar").await?.contains(words));
        page.until(&format!("the button says `{words}`"), there)
            .await
    };
    keys.push("Count again in this tab").await?;
    says("Stop").await?;
    keys.press(&[Key::Enter]).await?;
    says("Count again").await?;
    assert!(causal.parts("td:nth-child(4)[data-hits]").await?.is_empty());
    keys.press(&[Key::Enter]).await?;
    page.until_within(LONG, "all pieces are counted", async || {
        Ok(causal.parts("[data-same='true']").await?.len() == 5)
    })
    .await
}

#[tokio::test]
async fn the_tab_counts_what_the_command_line_counted() -> Result {
    on_page(Look::desktop(), async |page| {
        let causal = page.figure("causal").await?;
        assert_eq!(counts(&causal, "part", 3).await?.1, "202");
        causal.press_button("Count again in this tab").await?;
        page.until_within(LONG, "all pieces are counted", async || {
            let done = ".causal-table td:nth-child(4)[data-hits]";
            Ok(causal.parts(done).await?.len() == 5)
        })
        .await?;
        for piece in ["whole", "part", "rest", "matched", "random"] {
            let (stored, here) = (
                counts(&causal, piece, 3).await?,
                counts(&causal, piece, 4).await?,
            );
            assert_eq!(stored, here, "{piece}");
        }
        assert_eq!(causal.parts("[data-same='true']").await?.len(), 5);
        // the finding itself
        let hits = async |piece| -> Result<f64> {
            let (hits, _) = counts(&causal, piece, 4).await?;
            Ok(hits.parse().unwrap_or(f64::NAN))
        };
        let (part, rest, random) = (
            hits("part").await?,
            hits("rest").await?,
            hits("random").await?,
        );
        assert!(
            part > 150.0 && rest < 30.0 && random < 30.0,
            "{part} {rest} {random}"
        );
        Ok(())
    })
    .await
}

#[tokio::test]
async fn counting_is_stopped_and_k_is_chosen_by_touch_on_a_phone() -> Result {
    on_page(Look::phone(), async |page| {
        let causal = page.figure("causal").await?;
        let name = async || {
            let name = ".causal-table tr[data-piece='part'] th";
            causal.content(name).await
        };
        assert!(name().await?.contains("3 lens vectors"));
        let finger = With::Finger;
        causal.tap_on("Count again in this tab", finger).await?;
        causal.tap_on("Stop", finger).await?;
        page.until("it has stopped", async || {
            let text = causal.content(".job-bar").await?;
            Ok(text.contains("Count again"))
        })
        .await?;
        assert!(causal.parts("td:nth-child(4)[data-hits]").await?.is_empty());
        let k = "Lens vectors in the part, k";
        causal.tap_option(k, "10", finger).await?;
        page.until("ten vectors", async || {
            Ok(name().await?.contains("10 lens vectors"))
        })
        .await?;
        causal.tap_on("Reset", finger).await?;
        page.until("back to three", async || {
            Ok(name().await?.contains("3 lens vectors"))
        })
        .await
    })
    .await
}
