//! Figure 7: one nudge in many sentences, and their mean.

use serde_json::json;
use support::{Figure, Keyboard, Look, Result, With, on_page};
use thirtyfour::prelude::*;

/// The data table, numbers only: along, across, outside, cosine, distance to all, distance to the lens.
async fn numbers(average: &Figure<'_>) -> Result<Vec<[f64; 6]>> {
    if average.parts("table.data tbody tr").await?.is_empty() {
        average.click("details.figure-data > summary").await?;
    }
    let script = "return [...arguments[0].querySelectorAll('table.data tbody tr')].map(row => \
                  [...row.querySelectorAll('td')].map(cell => +cell.textContent.replace('−', '-')));";
    let element = average.element().to_json()?;
    average
        .page()
        .script(script, vec![element, json!(null)])
        .await
}

/// By keys alone: sentences are added, one is left out, and the table says how the mean settles.
pub async fn by_keys(keys: &Keyboard<'_>, average: &Figure<'_>) -> Result {
    let page = average.page();
    keys.to("Sentences added").await?;
    keys.press(&vec![Key::Right; 5]).await?;
    keys.push("Add a sentence").await?;
    page.until("twelve sentences are in", async || {
        Ok(average.parts(".average-arrow").await?.len() == 12)
    })
    .await?;
    keys.to_part(".average-list input").await?;
    keys.press(&[Key::Space]).await?;
    let out = ".average-arrow[data-out='true']";
    page.until("one has left", async || {
        Ok(average.parts(out).await?.len() == 1)
    })
    .await?;
    keys.open_table(average).await?;
    let table = numbers(average).await?;
    assert_eq!(table.len(), 11);
    assert!(table[10][4] < table[0][4], "the mean settles: {table:?}");
    Ok(())
}

#[tokio::test]
async fn the_mean_settles_and_agrees_with_the_lens() -> Result {
    on_page(Look::desktop(), async |page| {
        let average = page.figure("average").await?;
        assert_eq!(average.parts(".average-arrow").await?.len(), 6);
        average.press_button("Add a sentence").await?;
        assert_eq!(average.parts(".average-arrow").await?.len(), 7);
        average
            .press("[aria-label='Sentences'] input[type='range']", &[Key::End])
            .await?;
        page.until("all sentences are in", async || {
            Ok(average.parts(".average-arrow").await?.len() == 24)
        })
        .await?;
        let table = numbers(&average).await?;
        assert_eq!(table.len(), 24);
        let last = table[23];
        assert!(
            last[4] < 1e-3,
            "the mean of all is the mean of all: {last:?}"
        );
        // one sentence alone is more than twice as far from the lens
        assert!(
            table[0][4] > last[4] && last[5] < table[0][5] / 2.0,
            "{table:?}"
        );
        // x points along the mean of all, so the mean has no y.
        let across: f64 = table.iter().map(|row| row[1]).sum::<f64>() / 24.0;
        let along: f64 = table.iter().map(|row| row[0]).sum::<f64>() / 24.0;
        assert!(across.abs() < 0.01 * along, "{across} {along}");
        assert!(
            table.iter().all(|row| row[3] > 0.0),
            "every effect points the lens's way"
        );
        Ok(())
    })
    .await
}

#[tokio::test]
async fn sentences_leave_by_arrow_and_return_by_box() -> Result {
    on_page(Look::phone(), async |page| {
        let average = page.figure("average").await?;
        assert_eq!(numbers(&average).await?.len(), 6);
        average
            .tap(
                ".average-arrow[data-sentence='5'] .average-tip",
                With::Finger,
            )
            .await?;
        page.until("a sentence has left", async || {
            Ok(average
                .parts(".average-arrow[data-out='true']")
                .await?
                .len()
                == 1)
        })
        .await?;
        assert_eq!(numbers(&average).await?.len(), 5);
        let boxes = average.parts(".average-list input").await?;
        let mut back = None;
        for field in boxes {
            if field.prop("checked").await?.as_deref() == Some("false") {
                back = Some(field);
            }
        }
        let back = back.expect("one box is empty");
        back.focus().await?;
        page.key(Key::Space).await?;
        let out = async || -> Result<usize> {
            Ok(average
                .parts(".average-arrow[data-out='true']")
                .await?
                .len())
        };
        page.until("it is back", async || Ok(out().await? == 0))
            .await?;
        // Each press is a step of its own.
        average.tap_on("Undo", With::Finger).await?;
        page.until("it has left again", async || Ok(out().await? == 1))
            .await
    })
    .await
}
