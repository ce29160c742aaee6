//! The page on paper: with scripting off and from a living page.

use serde_json::json;
use support::page::FIGURES;
use support::{Look, Page, Result, on_page};

/// Figures whose stills are a picture or a table; the others have words only.
const PICTURED: usize = 13;

/// What is displayed when the page is printed.
async fn shown(page: &Page, css: &str) -> Result<usize> {
    let script = "
        return [...document.querySelectorAll(arguments[0])]
            .filter(element => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden').length;";
    page.script(script, vec![json!(css)]).await
}

async fn on_paper(page: &Page) -> Result {
    let cdp = page.driver.cdp();
    cdp.send_raw(
        "Emulation.setEmulatedMedia",
        json!({"media": "print", "features": []}),
    )
    .await?;
    let metrics = json!({"width": 760, "height": 1075, "deviceScaleFactor": 1, "mobile": false});
    cdp.send_raw("Emulation.setDeviceMetricsOverride", metrics)
        .await?;
    Ok(())
}

async fn has_no_controls_and_shows_links(page: &Page) -> Result {
    for controls in [
        ".figure .toolbar",
        ".site-header",
        ".figure-share",
        ".figure .handle",
        ".figure .btn",
    ] {
        assert_eq!(shown(page, controls).await?, 0, "{controls} is printed");
    }
    let links: Vec<String> = page
        .script(
            "return [...document.querySelectorAll('.chapter a[href^=http]:not(.cite)')]
                .map(a => getComputedStyle(a, '::after').content)",
            vec![],
        )
        .await?;
    assert!(
        !links.is_empty() && links.iter().all(|text| text.contains("http")),
        "{links:?}"
    );
    Ok(())
}

#[tokio::test]
async fn without_scripting_every_figure_has_a_still() -> Result {
    on_page(Look::desktop().without_scripting(), async |page| {
        on_paper(page).await?;
        let cdp = page.driver.cdp();
        cdp.send_raw(
            "Emulation.setScriptExecutionDisabled",
            json!({"value": false}),
        )
        .await?;
        let figures = shown(page, "figure[data-figure]").await?;
        assert_eq!(figures, FIGURES);
        assert_eq!(shown(page, ".figure-still").await?, figures);
        let pictured = ".figure-still:has(svg, table)";
        assert_eq!(shown(page, pictured).await?, PICTURED);
        page.photograph_all("page-on-paper-still").await?;
        has_no_controls_and_shows_links(page).await
    })
    .await
}

#[tokio::test]
async fn a_living_page_prints_what_it_shows() -> Result {
    on_page(Look::desktop(), async |page| {
        page.figure("hero").await?;
        page.figure("curve").await?;
        on_paper(page).await?;
        for live in ["hero", "curve"] {
            let figure = format!("figure[data-figure='{live}']");
            assert_eq!(
                shown(page, &format!("{figure} .figure-live")).await?,
                1,
                "{live}"
            );
            assert_eq!(
                shown(page, &format!("{figure} .figure-still")).await?,
                0,
                "{live}"
            );
        }
        page.photograph_all("page-on-paper-live").await?;
        has_no_controls_and_shows_links(page).await
    })
    .await
}
