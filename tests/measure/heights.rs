//! How high each live figure is, at five widths of the window: written to `assets/css/31-heights.css`, so that the page keeps that
//! room while a figure is on its way and nothing moves when it comes.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;
use support::{Error, Look, Page, Result, on_page};

/// Widths in CSS pixels, each with the widest window that it stands for.
const WIDTHS: [(u32, Option<u32>); 5] = [
    (1280, None),
    (800, Some(1024)),
    (640, Some(768)),
    (480, Some(576)),
    (360, Some(416)),
];
/// Text may still wrap and charts settle.
const REST: Duration = Duration::from_millis(800);

/// Measures and writes.
pub async fn run() -> Result {
    let mut sheet = String::from(
        "/* Room for each figure while it is on its way, as it is high once it lives. Written by `cargo xtask bench heights`. */\n",
    );
    for (width, most) in WIDTHS {
        let phone = Look::phone();
        let look = Look {
            width,
            touch: width < 500,
            height: phone.height,
            ..phone
        };
        let mut rules = String::new();
        on_page(look, async |page| {
            for (name, rem) in heights(page).await? {
                let rule =
                    format!(".figure[data-figure=\"{name}\"] {{ --figure-height: {rem}rem; }}");
                println!("{width:>5}  {name:<10} {rem:>7.2}");
                let _ = writeln!(rules, "{}{rule}", if most.is_some() { "  " } else { "" });
            }
            Ok(())
        })
        .await?;
        match most {
            Some(most) => {
                let _ = writeln!(sheet, "@media (max-width: {}rem) {{\n{rules}}}", most / 16);
            }
            None => sheet.push_str(&rules),
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/css/31-heights.css");
    std::fs::write(&file, sheet).map_err(Error::io(file.display()))
}

/// Name and height in rem, rounded up to a quarter.
async fn heights(page: &Page) -> Result<Vec<(String, f64)>> {
    let names: Vec<String> = page
        .script(
            "return [...document.querySelectorAll('figure[data-figure]')].map(f => f.dataset.figure)",
            vec![],
        )
        .await?;
    let script = "
        const body = arguments[0].querySelector('.figure-body');
        const style = getComputedStyle(body);
        const frame = ['paddingTop', 'paddingBottom', 'borderTopWidth', 'borderBottomWidth'];
        const around = frame.reduce((sum, side) => sum + parseFloat(style[side]), 0);
        return (body.querySelector('.figure-live').getBoundingClientRect().height + around) / 16;";
    let mut heights = Vec::new();
    for name in names {
        let figure = page.figure(&name).await?;
        tokio::time::sleep(REST).await;
        let element = figure.element().to_json()?;
        let height: f64 = page.script(script, vec![element]).await?;
        heights.push((name, (4.0 * height).ceil() / 4.0));
    }
    Ok(heights)
}
