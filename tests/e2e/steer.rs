//! Figure 15: steering and ablation against random directions.

use support::{Figure, Keyboard, Look, Result, With, on_page};
use thirtyfour::prelude::*;

fn table(lens: &str) -> String {
    format!("table.readout[data-lens='{lens}']")
}

/// Probability of a word in a list; 0 if it is not there.
async fn prob(steer: &Figure<'_>, lens: &str, word: &str) -> Result<f64> {
    let rows = steer.rows(&table(lens)).await?;
    Ok(rows
        .iter()
        .find(|row| row.word == word)
        .map_or(0.0, |row| row.prob))
}

/// By keys alone: strength 0 changes nothing; without the spider the eight is gone, without a random direction it stays.
pub async fn by_keys(keys: &Keyboard<'_>, steer: &Figure<'_>) -> Result {
    let page = steer.page();
    keys.to("Do this").await?;
    keys.press(&[Key::Right]).await?;
    page.until("the word is taken out", async || {
        let said = steer.content(".summary-line").await?;
        Ok(said.starts_with("Without the direction of “spider”"))
    })
    .await?;
    assert_ne!(steer.top(&table("steered")).await?, "8");
    assert_eq!(steer.top(&table("random")).await?, "8");
    keys.press(&[Key::Left]).await?;
    keys.to("Strength a, in mean lengths of an activation")
        .await?;
    keys.press(&vec![Key::Left; 15]).await?;
    page.until("nothing is added", async || {
        let clean = steer.rows(&table("output")).await?;
        Ok(steer.rows(&table("steered")).await? == clean
            && steer.rows(&table("random")).await? == clean)
    })
    .await
}

#[tokio::test]
async fn steering_towards_ant_raises_six_and_random_directions_do_not() -> Result {
    on_page(Look::desktop(), async |page| {
        let steer = page.figure("steer").await?;
        assert_eq!(steer.top(&table("output")).await?, "8");
        let clean = prob(&steer, "output", "6").await?;
        let (lens, random) = (
            prob(&steer, "steered", "6").await?,
            prob(&steer, "random", "6").await?,
        );
        assert!(
            lens > clean + 0.05 && lens > random + 0.05,
            "{clean} {lens} {random}"
        );
        // Strength 0 changes nothing.
        let slider = ".figure-live [aria-label='Strength'] input[type='range']";
        let left = vec![Key::Left; 15];
        steer.press(slider, &left).await?;
        page.until("nothing is added", async || {
            let (a, b) = (
                steer.rows(&table("output")).await?,
                steer.rows(&table("steered")).await?,
            );
            Ok(a == b)
        })
        .await?;
        assert_eq!(
            steer.rows(&table("random")).await?,
            steer.rows(&table("output")).await?
        );
        Ok(())
    })
    .await
}

#[tokio::test]
async fn without_spider_the_eight_is_gone_and_without_a_random_direction_it_stays() -> Result {
    on_page(Look::desktop(), async |page| {
        let steer = page.figure("steer").await?;
        steer.choose("Do this", "take the word out").await?;
        page.until("the word is taken out", async || {
            let said = steer.text(".summary-line").await?;
            Ok(said.starts_with("Without the direction of “spider”"))
        })
        .await?;
        assert_ne!(steer.top(&table("steered")).await?, "8");
        assert_eq!(steer.top(&table("random")).await?, "8");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn all_top_words_are_taken_out_by_touch_on_a_phone() -> Result {
    on_page(Look::phone(), async |page| {
        let steer = page.figure("steer").await?;
        let all = "take out all top words";
        steer.tap_option("Do this", all, With::Finger).await?;
        page.until("the words are named", async || {
            let text = steer.content("[data-taken]").await?;
            Ok(text.contains("layer 3:"))
        })
        .await?;
        let text = steer.content("[data-taken]").await?;
        let first = text.split("layer 3:").nth(1).unwrap_or_default();
        let first = first.split(['.', ';']).next().unwrap_or_default();
        assert_eq!(first.split(", ").count(), 5, "{text}");
        assert_ne!(
            steer.rows(&table("steered")).await?,
            steer.rows(&table("output")).await?
        );
        steer.tap_on("Reset", With::Finger).await?;
        page.until("all is as before", async || {
            Ok(steer.content("[data-taken]").await?.is_empty())
        })
        .await
    })
    .await
}
