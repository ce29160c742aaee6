//! The page as a whole.

use support::{Error, Look, Result, on_page};

/// Everything fetched before the hero is live, gzipped.
const BUDGET: usize = 2_500_000;

/// The visible words of the article, counted without running a script in the page.
async fn words_in_layout(page: &support::Page) -> Result<usize> {
    let answer = page
        .driver
        .cdp()
        .send_raw("Accessibility.getFullAXTree", serde_json::json!({}))
        .await?;
    let nodes = answer["nodes"].as_array().cloned().unwrap_or_default();
    let texts = nodes
        .iter()
        .filter(|node| node["role"]["value"] == "StaticText");
    Ok(texts
        .filter_map(|node| node["name"]["value"].as_str())
        .map(|text| text.split_whitespace().count())
        .sum())
}

#[tokio::test]
async fn prose_is_readable_with_scripting_off() -> Result {
    let with = std::cell::Cell::new(0);
    on_page(Look::desktop(), async |page| {
        with.set(words_in_layout(page).await?);
        Ok(())
    })
    .await?;
    on_page(Look::desktop().without_scripting(), async |page| {
        let words = words_in_layout(page).await?;
        page.photograph_all("page-without-scripting").await.ok();
        if words < 300 {
            return Err(Error::page(format!(
                "only {words} words are on the page without scripts ({} with)",
                with.get()
            )));
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn everything_the_page_asks_for_is_there() -> Result {
    on_page(Look::desktop(), async |page| {
        page.figure("hero").await?;
        let missing: Vec<_> = page
            .site
            .fetched()
            .into_iter()
            .filter(|fetch| fetch.status >= 400)
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(Error::page(format!("not served: {missing:?}")))
    })
    .await
}

#[tokio::test]
async fn bytes_before_the_hero_is_live_stay_in_budget() -> Result {
    on_page(Look::desktop(), async |page| {
        page.figure("hero").await?;
        let mut files: Vec<String> = page.site.fetched().into_iter().map(|f| f.path).collect();
        files.sort();
        files.dedup();
        let mut total = 0;
        println!("gzipped bytes fetched before the hero was live:");
        for file in &files {
            let size = page.site.gzipped(file)?;
            println!("{size:>10}  {file}");
            total += size;
        }
        println!("{total:>10}  in all, of {BUDGET}");
        if total > BUDGET {
            return Err(Error::page(format!("{total} bytes, more than {BUDGET}")));
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn axe_finds_nothing() -> Result {
    for look in [Look::desktop(), Look::phone().dark()] {
        on_page(look, async |page| {
            for name in [
                "hero", "square", "rows", "average", "local", "fit", "pursuit", "steer", "swap",
            ] {
                page.figure(name).await?;
            }
            page.check_accessibility().await
        })
        .await?;
    }
    Ok(())
}
