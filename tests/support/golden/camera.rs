//! Photographs that come out alike whenever and wherever they are taken.

use super::picture::Picture;
use crate::look::Look;
use crate::page::{Page, on_address};
use crate::{Figure, Result};
use serde_json::json;
use std::time::{Duration, Instant};

/// The name under which the top of the page is photographed, beside the figures.
pub const TOP: &str = "top";

/// On the processor everywhere: a GPU's numbers differ in the last digits, and figures say who computed them.
const ADDRESS: &str = "/?backend=cpu";

/// Nothing that moves or blinks, no passing notices, no measured times, and no face of the system's where one of ours will do.
const STYLE: &str = "
    *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
    :root { --font-mono: 'Source Sans 3'; scroll-behavior: auto !important; }
    .update-note, [data-cost] { display: none !important; }";

/// A figure that has not changed for so long will not change any more.
const STILL: Duration = Duration::from_millis(1500);

/// One that goes on changing is photographed all the same.
const PATIENCE: Duration = Duration::from_secs(60);

/// The four looks of which there are goldens.
pub fn looks() -> [Look; 4] {
    let (desktop, phone) = (Look::desktop().steady(), Look::phone().steady());
    [desktop, desktop.dark(), phone, phone.dark()]
}

/// Photographs figures, or all of them and the top of the page, in a fresh browser. Each is photographed until it is at rest or
/// `enough`, asked about every new picture, says that it will do.
pub async fn photograph(
    look: Look,
    wanted: &[String],
    mut enough: impl FnMut(&str, &Picture) -> Result<bool>,
) -> Result<Vec<(String, Picture)>> {
    let mut pictures = Vec::new();
    on_address(look, ADDRESS, async |page| {
        prepare(page).await?;
        for name in names(page, wanted).await? {
            let enough = |picture: &Picture| enough(&name, picture);
            let picture = at_rest(page, &name, enough).await?;
            pictures.push((name, picture));
        }
        Ok(())
    })
    .await?;
    Ok(pictures)
}

async fn prepare(page: &Page) -> Result {
    // a constructed sheet: the page's content policy refuses style elements
    let script = "
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(arguments[0]);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        document.activeElement?.blur();
        return null;";
    page.script(script, vec![json!(STYLE)]).await
}

/// The wanted ones; otherwise the top and all figures, in the page's order.
async fn names(page: &Page, wanted: &[String]) -> Result<Vec<String>> {
    let script = "return [arguments[0], ...[...document.querySelectorAll('figure[data-figure]')]
        .map(figure => figure.dataset.figure)];";
    let known: Vec<String> = page.script(script, vec![json!(TOP)]).await?;
    if let Some(other) = wanted.iter().find(|name| !known.contains(name)) {
        let known = known.join(", ");
        return Err(crate::Error::page(format!(
            "there is no figure `{other}`; there are {known}"
        )));
    }
    let chosen = |name: &String| wanted.is_empty() || wanted.contains(name);
    Ok(known.into_iter().filter(chosen).collect())
}

async fn at_rest(
    page: &Page,
    name: &str,
    mut enough: impl FnMut(&Picture) -> Result<bool>,
) -> Result<Picture> {
    let figure = page.figure(if name == TOP { "hero" } else { name }).await?;
    let faces = "return document.fonts.ready.then(() => null);";
    page.script::<()>(faces, vec![]).await?;
    let start = Instant::now();
    let (mut last, mut since) = (Vec::new(), start);
    loop {
        let part = if name == TOP {
            top(page).await?
        } else {
            place(&figure).await?
        };
        let png = page.picture_of_part(part).await?;
        if png != last {
            let picture = Picture::from_png(&png)?;
            if enough(&picture)? {
                return Ok(picture);
            }
            (last, since) = (png, Instant::now());
        }
        if since.elapsed() > STILL || start.elapsed() > PATIENCE {
            return Picture::from_png(&last);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Left, top, width and height of the window at the page's top.
async fn top(page: &Page) -> Result<(f64, f64, f64, f64)> {
    let script = "scrollTo(0, 0); return [0, 0, innerWidth, innerHeight];";
    page.script(script, vec![]).await
}

/// Left, top, width and height of a figure, after moving it to whole pixels: what stands above it shall not decide how its lines
/// fall on the grid. On phones the figure's body is wider than the figure.
async fn place(figure: &Figure<'_>) -> Result<(f64, f64, f64, f64)> {
    let script = "
        const figure = arguments[0];
        const style = figure.style;
        Object.assign(style, {position: 'relative', left: '0', top: '0'});
        const at = figure.getBoundingClientRect();
        const onto = value => Math.round(value) - value;
        style.left = onto(at.left + scrollX) + 'px';
        style.top = onto(at.top + scrollY) + 'px';
        const parts = [figure, ...figure.querySelectorAll('.figure-body')].map(part => part.getBoundingClientRect());
        const left = Math.floor(Math.min(...parts.map(part => part.left)) + scrollX + 0.01);
        const right = Math.ceil(Math.max(...parts.map(part => part.right)) + scrollX - 0.01);
        const box = figure.getBoundingClientRect();
        return [left, Math.round(box.top + scrollY), right - left, Math.ceil(box.height - 0.01)];";
    let arguments = vec![figure.element().to_json()?];
    figure.page().script(script, arguments).await
}
