//! Figure 10: logit lens, tuned lens and Jacobian lens on one sentence.

use support::page::on_address;
use support::{Error, Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

/// Ranks of both words in a layer: bridge and answer, through the three lenses.
async fn ranks(relatives: &Figure<'_>, layer: usize) -> Result<Vec<[u32; 2]>> {
    let mut all = Vec::new();
    for cell in relatives
        .parts(&format!("tr[data-layer='{layer}'] td[data-bridge]"))
        .await?
    {
        let number = async |name| -> Result<u32> {
            let text = cell.attr(name).await?.unwrap_or_default();
            text.parse()
                .map_err(|_| Error::page(format!("{name} is `{text}`")))
        };
        all.push([number("data-bridge").await?, number("data-answer").await?]);
    }
    Ok(all)
}

async fn with_tuned<'p>(page: &'p Page) -> Result<Figure<'p>> {
    let relatives = page.figure("relatives").await?;
    page.until("all three lenses have read", async || {
        Ok(ranks(&relatives, 3).await?.len() == 3)
    })
    .await?;
    Ok(relatives)
}

/// By keys alone: a token is chosen and read in the place of the best one; at the output all lenses still agree.
pub async fn by_keys(keys: &Keyboard<'_>, relatives: &Figure<'_>) -> Result {
    let page = relatives.page();
    page.until("all three lenses have read", async || {
        Ok(ranks(relatives, 3).await?.len() == 3)
    })
    .await?;
    let best = ranks(relatives, 1).await?;
    keys.to_part(".token[data-position='3']").await?;
    keys.press(&[Key::Enter]).await?;
    keys.to("Look at").await?;
    keys.press(&[Key::Right]).await?;
    page.until("that token is read", async || {
        Ok(ranks(relatives, 1).await? != best)
    })
    .await?;
    let top = ranks(relatives, 8).await?;
    assert!(top.iter().all(|ranks| *ranks == top[0]), "{top:?}");
    Ok(())
}

#[tokio::test]
async fn all_three_lenses_agree_at_the_output_and_differ_below() -> Result {
    on_page(Look::desktop(), async |page| {
        let relatives = with_tuned(page).await?;
        let top = ranks(&relatives, 8).await?;
        assert!(top.iter().all(|ranks| *ranks == top[0]), "{top:?}");
        assert_eq!(top[0][1], 1, "the answer is on top at the output");
        // In some early layer only the Jacobian lens has the unspoken word on top.
        let mut alone = 0;
        for layer in 1..=5 {
            let [logit, tuned, jacobian] = ranks(&relatives, layer).await?[..] else {
                return Err(Error::page(format!("layer {layer} has not three cells")));
            };
            alone += u32::from(jacobian[0] == 1 && logit[0] > 1 && tuned[0] > 1);
        }
        assert!(alone >= 1);
        // The tuned lens was really trained: what is left falls towards the top.
        let left = async |layer: usize| -> Result<f64> {
            let cell = format!("tr[data-layer='{layer}'] td.num");
            let text = relatives.content(&cell).await?;
            text.parse()
                .map_err(|_| Error::page(format!("nats `{text}`")))
        };
        assert!(left(7).await? < left(1).await?);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_word_that_the_model_lacks_is_named() -> Result {
    let prompt = "the+animal+that+spins+webs+is";
    let path = format!("/#?v1&relatives=best;future;spidder;8;3;{prompt}");
    on_address(Look::desktop(), &path, async |page| {
        let relatives = page.figure("relatives").await?;
        page.until("it says which", async || {
            let text = relatives.text(".status-warn").await?;
            Ok(text.contains("“spidder” is not a word"))
        })
        .await?;
        relatives.write("#relatives-bridge", "spider").await?;
        page.key(Key::Tab).await?;
        page.until("the word is read", async || {
            let said = relatives.parts(".status-warn").await?;
            Ok(said.is_empty() && ranks(&relatives, 3).await?.len() == 3)
        })
        .await
    })
    .await
}

async fn the_chosen_token_is_read(page: &Page, with: With) -> Result {
    let relatives = with_tuned(page).await?;
    let best = ranks(&relatives, 1).await?;
    let chosen = "the chosen token";
    relatives.tap_option("Look at", chosen, with).await?;
    relatives.tap(".token[data-position='3']", with).await?;
    page.until("that token is read", async || {
        Ok(ranks(&relatives, 1).await? != best)
    })
    .await?;
    let there = ranks(&relatives, 1).await?;
    for (there, best) in there.iter().zip(&best) {
        assert!(there[0] >= best[0], "{there:?} {best:?}");
    }
    Ok(())
}

#[tokio::test]
async fn the_chosen_token_is_read_by_mouse() -> Result {
    on_page(Look::desktop(), async |page| {
        the_chosen_token_is_read(page, With::Mouse).await
    })
    .await
}

#[tokio::test]
async fn the_chosen_token_is_read_by_touch_on_a_phone() -> Result {
    on_page(Look::phone().dark(), async |page| {
        the_chosen_token_is_read(page, With::Finger).await
    })
    .await
}
