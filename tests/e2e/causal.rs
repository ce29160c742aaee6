//! Figure 14: what is counted in the tab is what `jlens eval` counted.

use std::time::Duration;
use support::{Figure, Look, Result, on_page};
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
async fn counting_can_be_stopped_and_k_is_chosen_by_key() -> Result {
    on_page(Look::phone(), async |page| {
        let causal = page.figure("causal").await?;
        let name = ".causal-table tr[data-piece='part'] th";
        assert!(causal.content(name).await?.contains("3 lens vectors"));
        causal.press_button("Count again in this tab").await?;
        causal.press_button("Stop").await?;
        page.until("it has stopped", async || {
            let text = causal.content(".job-bar").await?;
            Ok(text.contains("Count again"))
        })
        .await?;
        assert!(causal.parts("td:nth-child(4)[data-hits]").await?.is_empty());
        let three = "input[name='causal-k']:checked";
        let inputs = causal.parts(three).await?;
        inputs[0].focus().await?;
        page.key(Key::Right).await?;
        page.until("another k", async || {
            let text = causal.content(name).await?;
            Ok(!text.contains("3 lens vectors"))
        })
        .await?;
        causal.press_button("Reset").await?;
        page.until("back to three", async || {
            Ok(causal.content(name).await?.contains("3 lens vectors"))
        })
        .await
    })
    .await
}
