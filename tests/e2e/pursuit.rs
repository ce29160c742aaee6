//! Figure 13: an activation as a sparse nonnegative sum of lens vectors.

use support::{Error, Figure, Keyboard, Look, Result, With, on_page};
use thirtyfour::prelude::*;

/// A row of the explained shares: words, pursuit, inner products, random.
async fn shares(pursuit: &Figure<'_>) -> Result<Vec<[f64; 3]>> {
    let summary = pursuit.part("details.figure-data > summary").await?;
    if pursuit
        .parts("details.figure-data table.data tbody tr")
        .await?
        .is_empty()
    {
        summary.click().await?;
    }
    // numbers are printed with a true minus sign
    let script = "return [...arguments[0].querySelectorAll('details.figure-data table.data tbody tr')].map(row => \
                  [2, 4, 5].map(i => row.children[i].textContent));";
    let element = pursuit.element().to_json()?;
    let texts: Vec<[String; 3]> = pursuit.page().script(script, vec![element]).await?;
    let number = |text: &String| text.replace('−', "-").parse::<f64>();
    texts
        .iter()
        .map(|[a, b, c]| match (number(a), number(b), number(c)) {
            (Ok(a), Ok(b), Ok(c)) => Ok([a, b, c]),
            _ => Err(Error::page(format!("no numbers in {texts:?}"))),
        })
        .collect()
}

/// What more words explain is never less.
fn never_fall(shares: &[[f64; 3]]) -> bool {
    let grows = |two: &[[f64; 3]]| {
        two[1]
            .iter()
            .zip(two[0])
            .all(|(now, then)| *now >= then - 1e-4)
    };
    shares.windows(2).all(grows)
}

/// By keys alone: words are taken one by one and given back; no amount is negative, and what is explained never falls.
pub async fn by_keys(keys: &Keyboard<'_>, pursuit: &Figure<'_>) -> Result {
    let page = pursuit.page();
    let table = "table[data-lens='pursuit']";
    let until = async |n: usize| {
        let taken = async || Ok(pursuit.rows(table).await?.len() == n);
        page.until(&format!("{n} words are taken"), taken).await
    };
    let n = pursuit.rows(table).await?.len();
    keys.to("Take the next word").await?;
    keys.press(&[Key::Enter, Key::Enter, Key::Space]).await?;
    until(n + 3).await?;
    keys.push("Give the last one back").await?;
    until(n + 2).await?;
    let rows = pursuit.rows(table).await?;
    assert!(rows.iter().all(|row| row.prob >= 0.0), "{rows:?}"); // the amounts
    keys.open_table(pursuit).await?;
    let shares = shares(pursuit).await?;
    assert!(shares.len() >= 10 && never_fall(&shares), "{shares:?}");
    Ok(())
}

#[tokio::test]
async fn coefficients_are_never_negative_and_words_add_up() -> Result {
    on_page(Look::desktop(), async |page| {
        let pursuit = page.figure("pursuit").await?;
        let table = "table[data-lens='pursuit']";
        assert_eq!(pursuit.rows(table).await?.len(), 3);
        pursuit.press_button("Take the next word").await?;
        pursuit.press_button("Take the next word").await?;
        let rows = pursuit.rows(table).await?;
        assert_eq!(rows.len(), 5);
        for row in rows
            .iter()
            .chain(&pursuit.rows("table[data-lens='plain']").await?)
        {
            assert!(row.prob >= 0.0, "{row:?}"); // the coefficient
        }
        pursuit.press_button("Give the last one back").await?;
        assert_eq!(pursuit.rows(table).await?.len(), 4);
        let shares = shares(&pursuit).await?;
        assert!(shares.len() >= 10, "{shares:?}");
        assert!(never_fall(&shares), "{shares:?}");
        // The first word is the same for both lists; later the pursuit is ahead.
        assert!((shares[0][0] - shares[0][1]).abs() < 1e-3, "{shares:?}");
        assert!(shares[2][0] >= shares[2][1] - 1e-3, "{shares:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn centring_and_the_number_of_words_change_the_lists_by_touch_on_a_phone() -> Result {
    on_page(Look::phone(), async |page| {
        let pursuit = page.figure("pursuit").await?;
        let table = "table[data-lens='pursuit']";
        let raw = pursuit.rows(table).await?;
        pursuit.tap_on("centred vectors", With::Finger).await?;
        page.until("the vectors are centred", async || {
            Ok(pursuit.rows(table).await? != raw)
        })
        .await?;
        pursuit.tap_on("Take the next word", With::Finger).await?;
        page.until("one more word is taken", async || {
            Ok(pursuit.rows(table).await?.len() == raw.len() + 1)
        })
        .await?;
        let rows = pursuit.rows(table).await?;
        assert!(rows.iter().all(|row| row.prob >= 0.0), "{rows:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_sentence_follows_at_once_and_is_spoken_at_rest() -> Result {
    on_page(Look::desktop(), async |page| {
        let pursuit = page.figure("pursuit").await?;
        let (line, spoken) = (".summary-line", ".visually-hidden[role='status']");
        assert_eq!(pursuit.attribute(line, "role").await?, "");
        let first = pursuit.content(line).await?;
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
        assert_eq!(pursuit.content(spoken).await?, "", "nobody has asked");
        pursuit.press_button("Take the next word").await?;
        page.until("the new sentence is in sight and spoken", async || {
            let said = pursuit.content(line).await?;
            Ok(said != first && pursuit.content(spoken).await? == said)
        })
        .await
    })
    .await
}
