//! `shots --accept [figure …]`: what figures look like now becomes their golden (`tests/visual/goldens`).
//!
//! `shots [--look NAME] [figure …]`: photographs figures and the whole page at 1280 and 360 pixels,
//! light and dark, into `target/screenshots/`. Without names, every figure on the page. With a look
//! (`forced`, `zoomed`, `tablet`, `huge`, `deuteranopia`, `protanopia`, `tritanopia`), in that one instead.
#![forbid(unsafe_code)]

use support::{Error, Look, Page, Result, golden, on_page};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted.first().is_some_and(|first| first == "--accept") {
        let changes = golden::accept(&wanted[1..]).await?;
        println!("goldens that changed: {}", changes.len());
        changes.iter().for_each(|change| println!("  {change}"));
        return Ok(());
    }
    if wanted.first().is_some_and(|first| first == "--look") {
        let name = wanted.get(1).cloned().unwrap_or_default();
        let look = Look::special(&name)
            .ok_or_else(|| Error::page(format!("there is no look named `{name}`")))?;
        return on_page(look, async |page| {
            photograph(page, &name, &wanted[2..]).await
        })
        .await;
    }
    let looks = [Look::desktop(), Look::phone()];
    for look in looks.into_iter().flat_map(|look| [look, look.dark()]) {
        let view = look.name();
        on_page(look, async |page| photograph(page, &view, &wanted).await).await?;
    }
    Ok(())
}

async fn photograph(page: &Page, view: &str, wanted: &[String]) -> Result {
    let names: Vec<String> = if wanted.is_empty() {
        let script = "return [...document.querySelectorAll('figure[data-figure]')]
            .map(figure => figure.dataset.figure);";
        page.script(script, vec![]).await?
    } else {
        wanted.to_vec()
    };
    for name in &names {
        let figure = page.figure(name).await?;
        let path = figure.photograph(&format!("{name}-{view}")).await?;
        println!("{}", path.display());
    }
    page.driver.execute("scrollTo(0, 0)", vec![]).await?;
    println!(
        "{}",
        page.photograph(&format!("top-{view}")).await?.display()
    );
    let all = page.photograph_all(&format!("page-{view}")).await?;
    println!("{}", all.display());
    Ok(())
}
