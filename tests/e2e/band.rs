//! Figure 18: the band from the page, and the same numbers measured in the tab.

use std::time::Duration;
use support::{Figure, Keyboard, Look, Result, With, on_page};
use thirtyfour::prelude::*;

const LONG: Duration = Duration::from_secs(240);

/// The data table, row by row.
async fn rows(band: &Figure<'_>) -> Result<Vec<Vec<String>>> {
    let open = ".figure-live details.figure-data";
    if band.parts(&format!("{open} table")).await?.is_empty() {
        band.click(&format!("{open} > summary")).await?;
    }
    band.page()
        .until("the table is there", async || {
            Ok(!band.parts(&format!("{open} tbody tr")).await?.is_empty())
        })
        .await?;
    let script = "return [...arguments[0].querySelectorAll('.figure-live details.figure-data tbody tr')].map(row => \
                  [...row.children].map(cell => cell.textContent));";
    let element = band.element().to_json()?;
    band.page().script(script, vec![element]).await
}

/// By keys alone: the bridge may be among the first five; then every layer is measured here, as it is stored.
pub async fn by_keys(keys: &Keyboard<'_>, band: &Figure<'_>) -> Result {
    let page = band.page();
    keys.to("Jacobian lens looks at").await?;
    keys.press(&[Key::Left]).await?; // all targets, for which everything is stored
    keys.to("The unspoken word is").await?;
    keys.press(&[Key::Right]).await?;
    page.until("five words count", async || {
        Ok(band
            .content(".summary-line")
            .await?
            .contains("among its first five"))
    })
    .await?;
    let said = band.content(".summary-line").await?;
    keys.push("Measure all layers in this tab").await?;
    page.until_within(LONG, "all layers are measured", async || {
        Ok(!band.parts("[data-here='true']").await?.is_empty())
    })
    .await?;
    assert_eq!(band.content(".summary-line").await?, said);
    keys.open_table(band).await?;
    let here = rows(band).await?;
    assert_eq!(here.len(), 9);
    assert_eq!(here[8][4], here[8][5], "at the output both lenses are one");
    Ok(())
}

#[tokio::test]
async fn the_tab_measures_what_is_stored() -> Result {
    on_page(Look::desktop(), async |page| {
        let band = page.figure("band").await?;
        let stored = rows(&band).await?;
        assert_eq!(stored.len(), 9);
        band.press_button("Measure all layers in this tab").await?;
        page.until_within(LONG, "all layers are measured", async || {
            Ok(!band.parts("[data-here='true']").await?.is_empty())
        })
        .await?;
        let here = rows(&band).await?;
        for (stored, here) in stored.iter().zip(&here) {
            assert_eq!(stored, here, "layer {}", stored[0]);
        }
        // at the output both lenses are one, and no bridge is looked for
        assert_eq!(here[8][4], here[8][5]);
        assert!(here[8][6..].iter().all(|cell| cell == "–"), "{here:?}");
        assert_eq!(here[8][1].replace('\u{202f}', " "), "100 %");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_bridge_is_read_low_down_by_touch_on_a_phone() -> Result {
    on_page(Look::phone().dark(), async |page| {
        let band = page.figure("band").await?;
        let text = band.content(".summary-line").await?;
        assert!(text.contains("puts the unspoken word first"), "{text}");
        let five = "among the first five";
        band.tap_option("The unspoken word is", five, With::Finger)
            .await?;
        page.until("five words count", async || {
            let text = band.content(".summary-line").await?;
            Ok(text.contains("among its first five"))
        })
        .await?;
        band.tap_on("Reset", With::Finger).await?;
        page.until("back on top", async || {
            let text = band.content(".summary-line").await?;
            Ok(text.contains("puts the unspoken word first"))
        })
        .await
    })
    .await
}
