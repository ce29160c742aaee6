//! Figure 9: a lens is fitted in the tab.

use std::time::Duration;
use support::{Error, Figure, Look, Page, Result, on_page};

/// A fit of the default number of sentences, on a slow and busy machine.
const FIT: Duration = Duration::from_secs(300);

async fn phase(fit: &Figure<'_>) -> Result<String> {
    fit.attribute("[data-phase]", "data-phase").await
}

async fn finish(page: &Page, fit: &Figure<'_>) -> Result {
    page.until_within(FIT, "the fit is done", async || {
        match phase(fit).await?.as_str() {
            "failed" => Err(Error::page(fit.content("[data-phase]").await?)),
            phase => Ok(phase == "done"),
        }
    })
    .await
}

/// Mean cosine with the shipped lens over all layers, after the last sentence that was compared.
pub async fn cosine(page: &Page, fit: &Figure<'_>) -> Result<f64> {
    fit.click("details.figure-data > summary").await?;
    let rows = "tr[data-cosine]";
    page.until("the table is open", async || {
        Ok(!fit.parts(rows).await?.is_empty())
    })
    .await?;
    let last = format!("{rows}:last-of-type");
    let text = match fit.parts(&last).await?.is_empty() {
        true => fit.attribute(rows, "data-cosine").await?,
        false => fit.attribute(&last, "data-cosine").await?,
    };
    text.parse()
        .map_err(|_| Error::page(format!("the cosine is `{text}`")))
}

#[tokio::test]
async fn a_lens_fitted_here_agrees_with_the_shipped_one() -> Result {
    on_page(Look::desktop(), async |page| {
        // The button works once the model is loaded, which the hero waits for.
        page.figure("hero").await?;
        let fit = page.figure("fit").await?;
        fit.press_button("Fit the lens").await?;
        finish(page, &fit).await?;
        let cosine = cosine(page, &fit).await?;
        println!("mean cosine with the shipped lens: {cosine}");
        assert!(cosine >= 0.99, "{cosine}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_fit_is_paused_resumed_and_stopped() -> Result {
    on_page(Look::desktop(), async |page| {
        let fit = page.figure("fit").await?;
        page.figure("hero").await?;
        fit.press_button("Fit the lens").await?;
        let line = async || fit.content(".progress-line").await;
        page.until("a sentence is done", async || {
            Ok(!line().await?.contains("Sentence 0 of"))
        })
        .await?;
        fit.press_button("Pause").await?;
        page.until("it is paused", async || Ok(phase(&fit).await? == "paused"))
            .await?;
        fit.press_button("Go on").await?;
        page.until("it goes on", async || Ok(phase(&fit).await? == "running"))
            .await?;
        fit.press_button("Stop").await?;
        page.until(
            "it is stopped",
            async || Ok(phase(&fit).await? == "stopped"),
        )
        .await
    })
    .await
}

#[tokio::test]
async fn a_fit_survives_the_end_of_one_of_its_workers() -> Result {
    on_page(Look::desktop(), async |page| {
        let fit = page.figure("fit").await?;
        page.figure("hero").await?;
        fit.press_button("Fit the lens").await?;
        page.until("a sentence is done", async || {
            Ok(!fit
                .content(".progress-line")
                .await?
                .contains("Sentence 0 of"))
        })
        .await?;
        page.hook("kill-fit-worker").await?;
        page.until_within(
            FIT,
            "the page says that a worker was replaced",
            async || Ok(!fit.parts(".status-warn").await?.is_empty()),
        )
        .await?;
        finish(page, &fit).await?;
        let cosine = cosine(page, &fit).await?;
        assert!(cosine >= 0.99, "{cosine}");
        Ok(())
    })
    .await
}
