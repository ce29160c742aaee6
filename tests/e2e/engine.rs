//! What computes: forced to the GPU (a software adapter here) and to the processor every figure works and the golden fixtures
//! agree; a GPU that computes wrong numbers, or is lost, gives way to the processor, and the page says why.

use crate::fit::cosine;
use crate::hero::spider_is_read;
use crate::square::the_model_is_a_map;
use crate::swap::eight_becomes_six;
use std::time::Duration;
use support::page::on_address;
use support::{Error, Figure, Look, Page, Result};
use thirtyfour::prelude::*;

const OUTPUT: &str = "table.readout[data-lens='output']";
/// A software adapter is a hundred times slower than a processor.
const SLOW: Duration = Duration::from_secs(240);

async fn backend(page: &Page) -> Result<String> {
    let root = page.driver.find(By::Css("html")).await?;
    Ok(root.attr("data-backend").await?.unwrap_or_default())
}

async fn until_backend(page: &Page, wanted: &str) -> Result {
    page.until_within(
        SLOW,
        &format!("the page computes on the {wanted}"),
        async || Ok(backend(page).await? == wanted),
    )
    .await
}

async fn says(page: &Page, css: &str, words: &str) -> Result {
    page.until(&format!("`{css}` says `{words}`"), async || {
        let part = page.driver.find(By::Css(css)).await?;
        let text = part.prop("textContent").await?.unwrap_or_default();
        match text.contains(words) {
            true => Ok(true),
            false => Err(Error::page(text)),
        }
    })
    .await
}

async fn press(page: &Page, label: &str) -> Result {
    let path = format!("//button[normalize-space()='{label}']");
    let button = page.panel_part(&path).await?;
    page.until(&format!("`{label}` can be pressed"), async || {
        Ok(button.is_enabled().await?)
    })
    .await?;
    Ok(button.click().await?)
}

/// Runs the golden fixtures in the panel.
async fn fixtures_agree(page: &Page) -> Result {
    press(page, "Compare with the golden fixtures").await?;
    page.until_within(SLOW, "all fixtures are compared", async || {
        let failed = page
            .driver
            .find_all(By::Css("tr[data-verdict='fail']"))
            .await?;
        if let Some(row) = failed.first() {
            let text = row.text().await?;
            page.photograph("parity-failed").await?;
            return Err(Error::page(text));
        }
        let passed = By::Css("[data-panel='engine'] [data-parity='pass']");
        Ok(!page.driver.find_all(passed).await?.is_empty())
    })
    .await?;
    let rows = page
        .driver
        .find_all(By::Css("tr[data-verdict='pass']"))
        .await?;
    assert_eq!(rows.len(), 4 * 5, "four families, five parts");
    Ok(())
}

async fn asks_about_paris(page: &Page, hero: &Figure<'_>) -> Result {
    let prompt = "the capital of the country that built the eiffel tower is";
    hero.write("#hero-prompt", prompt).await?;
    page.until_within(SLOW, "the model answers `paris`", async || {
        Ok(hero.top(OUTPUT).await? == "paris")
    })
    .await
}

/// The figures do what they are for; the fit at the end is of so many sentences.
async fn figures_work(page: &Page, sentences: &str) -> Result {
    let hero = page.figure("hero").await?;
    spider_is_read(&hero).await?;
    asks_about_paris(page, &hero).await?;
    the_model_is_a_map(page).await?;
    eight_becomes_six(page).await?;
    let fit = start_fit(page, sentences).await?;
    fit_finishes(page, &fit).await?;
    let cosine = cosine(page, &fit).await?;
    assert!(cosine > 0.9, "{cosine}: a few sentences come close already");
    Ok(())
}

async fn start_fit<'p>(page: &'p Page, sentences: &str) -> Result<Figure<'p>> {
    let fit = page.figure("fit").await?;
    let field = fit.part(".toolbar input").await?;
    field.click().await?;
    field.send_keys(Key::Control + "a").await?;
    field.send_keys(format!("{sentences}\n")).await?;
    fit.press_button("Fit the lens").await?;
    Ok(fit)
}

async fn fit_finishes(page: &Page, fit: &Figure<'_>) -> Result {
    page.until_within(SLOW, "the fit is done", async || {
        let phase = fit.attribute("[data-phase]", "data-phase").await?;
        match phase.as_str() {
            "failed" => Err(Error::page(fit.content("[data-phase]").await?)),
            phase => Ok(phase == "done"),
        }
    })
    .await
}

#[tokio::test]
async fn on_the_gpu_every_figure_works_and_the_fixtures_agree() -> Result {
    on_address(Look::desktop(), "/?backend=gpu", async |page| {
        until_backend(page, "gpu").await?;
        figures_work(page, "1").await?;
        fixtures_agree(page).await?;
        assert_eq!(backend(page).await?, "gpu");
        says(page, "[data-fact='check']", "of 1e-3 allowed").await
    })
    .await
}

#[tokio::test]
async fn on_the_processor_every_figure_works_and_the_fixtures_agree() -> Result {
    on_address(Look::desktop(), "/?backend=cpu", async |page| {
        until_backend(page, "cpu").await?;
        figures_work(page, "2").await?;
        fixtures_agree(page).await?;
        says(page, "[data-fact='gpu']", "the processor was chosen").await
    })
    .await
}

#[tokio::test]
async fn by_itself_the_page_does_not_take_a_software_adapter() -> Result {
    on_address(Look::desktop(), "/", async |page| {
        page.figure("hero").await?;
        says(page, "[data-fact='gpu']", "poses as a GPU").await?;
        assert_eq!(backend(page).await?, "cpu");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_gpu_with_wrong_numbers_is_found_out() -> Result {
    on_address(
        Look::desktop(),
        "/?backend=gpu&fault=wrong-numbers",
        async |page| {
            let hero = page.figure("hero").await?;
            asks_about_paris(page, &hero).await?;
            assert_eq!(backend(page).await?, "cpu");
            says(page, "[data-fact='gpu']", "numbers are wrong").await?;
            says(
                page,
                "figure[data-figure='hero'] .status-warn",
                "goes on with the processor",
            )
            .await
        },
    )
    .await
}

#[tokio::test]
async fn a_gpu_lost_in_the_middle_of_a_fit_is_tried_once_more_and_then_left() -> Result {
    on_address(Look::desktop(), "/?backend=gpu", async |page| {
        page.figure("hero").await?;
        until_backend(page, "gpu").await?;
        let fit = start_fit(page, "3").await?;
        let says = async || fit.content(".figure-live").await;
        page.until_within(SLOW, "rows come from the GPU", async || {
            Ok(says().await?.contains("row by row"))
        })
        .await?;
        // again and again: a worker that is just being started does not hear it
        page.until_within(SLOW, "the processor has taken over", async || {
            page.hook("lose-fit-gpu").await?;
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(says().await?.contains("goes on with the processor"))
        })
        .await?;
        fit_finishes(page, &fit).await?;
        page.take_errors().await?; // the browser may log the lost device
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_gpu_worker_that_vanishes_in_the_middle_of_a_fit_is_replaced() -> Result {
    on_address(Look::desktop(), "/?backend=gpu", async |page| {
        page.figure("hero").await?;
        until_backend(page, "gpu").await?;
        let fit = start_fit(page, "1").await?;
        page.hook("kill-fit-worker").await?;
        page.until_within(SLOW, "the page says so", async || {
            Ok(fit.content(".figure-live").await?.contains("restarted"))
        })
        .await?;
        fit_finishes(page, &fit).await
    })
    .await
}

#[tokio::test]
async fn the_backend_is_changed_while_the_page_lives() -> Result {
    on_address(Look::desktop(), "/", async |page| {
        let hero = page.figure("hero").await?;
        let choose = async |label: &str| -> Result {
            let path = format!("//label[normalize-space()='{label}']");
            let label = page.panel_part(&path).await?;
            Ok(label.click().await?)
        };
        choose("GPU").await?;
        until_backend(page, "gpu").await?;
        asks_about_paris(page, &hero).await?;
        let address: String = page.script("return location.search", vec![]).await?;
        assert!(address.contains("backend=gpu"), "{address}");
        choose("processor").await?;
        until_backend(page, "cpu").await?;
        choose("GPU").await?;
        until_backend(page, "gpu").await?;
        // left to itself the page does not stay on a software adapter
        choose("automatic").await?;
        until_backend(page, "cpu").await?;
        choose("processor").await?;
        choose("automatic").await?;
        says(page, "[data-fact='gpu']", "poses as a GPU").await?;
        let address: String = page.script("return location.search", vec![]).await?;
        assert!(!address.contains("backend"), "{address}");
        Ok(())
    })
    .await
}

#[test]
fn only_the_gpu_worker_knows_of_webgpu() {
    let dist = support::setup::dist().unwrap();
    let knows = |file: &std::path::Path| {
        let bytes = std::fs::read(file).unwrap();
        bytes.windows(14).any(|w| w == b"requestAdapter")
    };
    let mut scripts = 0;
    for entry in std::fs::read_dir(dist).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let program = name.ends_with(".js") || name.ends_with(".wasm");
        if program
            && (name.starts_with("app-") || name.starts_with("guide") || name.starts_with("worker"))
        {
            assert!(!knows(&path), "{name} has WebGPU in it");
            scripts += 1;
        }
        if name == "gpu_worker.js" {
            assert!(knows(&path), "{name} is how this test would notice");
        }
    }
    assert!(
        scripts >= 6,
        "two programs and a worker, each a script and a module"
    );
}
