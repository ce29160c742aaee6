//! Fit and matrix product in one worker, in WebAssembly: what the page's engine panel measures.

use std::time::Duration;
use support::page::on_address;
use support::{Error, Look, Result};
use thirtyfour::By;

/// Prints GFLOP/s of the fit and of large matrix products, measured in turns in the same worker.
pub async fn run() -> Result {
    on_address(Look::desktop(), "/?backend=cpu", async |page| {
        page.figure("hero").await?;
        let path = "//button[normalize-space()='Measure the speed']";
        let button = page.panel_part(path).await?;
        button.click().await?;
        let table = By::Css("[data-panel='engine'] table[data-fit-best]");
        page.until_within(
            Duration::from_secs(120),
            "the speed is measured",
            async || Ok(!page.driver.find_all(table.clone()).await?.is_empty()),
        )
        .await?;
        let table = page.driver.find(table).await?;
        let number = async |name: &str| -> Result<f64> {
            let text = table.attr(name).await?.unwrap_or_default();
            text.parse()
                .map_err(|_| Error::page(format!("{name} is `{text}`")))
        };
        let (fit, fit_median) = (
            number("data-fit-best").await?,
            number("data-fit-median").await?,
        );
        let (peak, peak_median) = (
            number("data-peak-best").await?,
            number("data-peak-median").await?,
        );
        println!(
            "one worker, WebAssembly in headless Chromium, 64-token prompts, 7 rounds in turns:"
        );
        println!(
            "  fit    {fit:8.2} GFLOP/s best, {fit_median:8.2} median ({:.2} prompts/s)",
            number("data-prompts").await?
        );
        println!("  sgemm  {peak:8.2} GFLOP/s best, {peak_median:8.2} median");
        println!(
            "  share  {:8.2} best, {:.2} median (wanted: 0.5)",
            fit / peak,
            fit_median / peak_median
        );
        Ok(())
    })
    .await
}
