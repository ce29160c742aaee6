//! `shots [figure …]`: photographs figures and the whole page at 1280 and 360 pixels, light and
//! dark, into `target/screenshots/`. Without names, every figure on the page.
#![forbid(unsafe_code)]

use support::{Look, Page, Result, on_page};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let looks = [Look::desktop(), Look::phone()];
    for look in looks.into_iter().flat_map(|look| [look, look.dark()]) {
        on_page(look, async |page| photograph(page, &look, &wanted).await).await?;
    }
    Ok(())
}

async fn photograph(page: &Page, look: &Look, wanted: &[String]) -> Result {
    let names: Vec<String> = if wanted.is_empty() {
        let script = "return [...document.querySelectorAll('figure[data-figure]')]
            .map(figure => figure.dataset.figure);";
        page.script(script, vec![]).await?
    } else {
        wanted.to_vec()
    };
    let view = look.name();
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
