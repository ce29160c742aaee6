//! A figure in trouble shows its still, the error and a way to try again, and the rest of the page lives on.

use std::path::Path;
use support::page::on_site;
use support::{Error, Look, Page, Result, on_page, setup};
use thirtyfour::prelude::*;

fn copy_without(from: &Path, to: &Path, missing: &str) -> Result {
    std::fs::create_dir_all(to).map_err(Error::io(to.display()))?;
    for entry in std::fs::read_dir(from).map_err(Error::io(from.display()))? {
        let entry = entry.map_err(Error::io(from.display()))?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_without(&entry.path(), &target, missing)?;
        } else if entry.file_name() != missing {
            std::fs::copy(entry.path(), &target).map_err(Error::io(target.display()))?;
        }
    }
    Ok(())
}

async fn visible(page: &Page, css: &str) -> Result<bool> {
    let found = page.driver.find_all(By::Css(css)).await?;
    for element in found {
        if element.is_displayed().await? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[tokio::test]
async fn without_the_model_stills_and_errors_stand_there_until_a_retry_succeeds() -> Result {
    let folder = tempfile::tempdir().map_err(Error::io("temporary folder"))?;
    let model = "world.safetensors.shuffled";
    copy_without(&setup::dist()?, folder.path(), model)?;
    on_site(
        folder.path().to_owned(),
        Look::desktop(),
        "/",
        async |page| {
            let hero = "figure[data-figure='hero']";
            page.until("the hero says what is wrong", async || {
                let text = page
                    .driver
                    .find(By::Css(format!("{hero} .error-box")))
                    .await?
                    .text()
                    .await?;
                Ok(text.contains(model) && text.contains("404"))
            })
            .await?;
            assert!(
                visible(page, &format!("{hero} .figure-still")).await?,
                "the still"
            );
            // It is said once, not by each figure.
            let said: String = page
                .script(
                    "return document.getElementById('announcements').textContent",
                    vec![],
                )
                .await?;
            assert!(said.contains(model), "{said}");
            let alert = By::Css(".error-box[role='alert']");
            assert!(page.driver.find_all(alert).await?.is_empty());
            // What needs no model is alive.
            let curve = page.figure("curve").await?;
            let before = curve.content("[role='status'], [aria-live]").await?;
            curve.press_button("Halve it").await?;
            page.until("the curve answers", async || {
                Ok(curve.content("[role='status'], [aria-live]").await? != before)
            })
            .await?;
            page.take_errors().await?; // the missing file
            let file = Path::new("models").join(model);
            std::fs::copy(setup::dist()?.join(&file), folder.path().join(&file))
                .map_err(Error::io(model))?;
            let again = format!("{hero} .error-box button");
            page.driver.find(By::Css(again)).await?.click().await?;
            let hero = page.figure("hero").await?;
            assert_eq!(hero.top("table.readout[data-lens='output']").await?, "8");
            Ok(())
        },
    )
    .await
}

#[tokio::test]
async fn when_the_program_stops_the_text_and_the_stills_stay() -> Result {
    on_page(Look::desktop(), async |page| {
        page.figure("hero").await?;
        page.hook("stop-page").await?;
        page.until("the page says so", async || {
            let note: String = page
                .script(
                    "return document.getElementById('update-note').textContent",
                    vec![],
                )
                .await?;
            Ok(note.contains("stopped") && note.contains("a test has asked for it"))
        })
        .await?;
        let hero = "figure[data-figure='hero']";
        assert!(visible(page, &format!("{hero} .figure-still")).await?);
        assert!(!visible(page, &format!("{hero} .figure-live")).await?);
        page.check_accessibility().await?;
        page.driver
            .find(By::Css("#update-note a"))
            .await?
            .click()
            .await?;
        page.figure("hero").await?;
        page.take_errors().await?; // the panic
        Ok(())
    })
    .await
}

#[tokio::test]
async fn figures_out_of_sight_wait_with_their_stills() -> Result {
    on_page(Look::desktop(), async |page| {
        page.figure("hero").await?;
        page.driver.execute("scrollTo(0, 0)", vec![]).await?;
        let far = "figure[data-figure='swap']";
        let live = format!("{far} .figure-live");
        assert!(page.driver.find_all(By::Css(&live)).await?.is_empty());
        assert!(visible(page, &format!("{far} .figure-still")).await?);
        page.figure("swap").await?;
        assert!(!page.driver.find_all(By::Css(&live)).await?.is_empty());
        Ok(())
    })
    .await
}
