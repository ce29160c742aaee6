//! Figure 17: one unspoken word swapped for another.

use support::{Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

const HEADLINE: &str = ".swap-headline";

async fn answers(swap: &Figure<'_>) -> Result<(String, String)> {
    Ok((
        swap.attribute(HEADLINE, "data-before").await?,
        swap.attribute(HEADLINE, "data-after").await?,
    ))
}

fn table(lens: &str) -> String {
    format!("table.readout[data-lens='{lens}']")
}

/// Swapping spider for ant turns 8 into 6, a random pair of directions leaves it.
pub async fn eight_becomes_six(page: &Page) -> Result {
    let swap = page.figure("swap").await?;
    page.until("the answer is there", async || {
        Ok(answers(&swap).await? == ("8".into(), "6".into()))
    })
    .await?;
    assert_eq!(swap.attribute(HEADLINE, "data-verdict").await?, "wanted");
    assert_eq!(swap.top(&table("output")).await?, "8");
    assert_eq!(swap.top(&table("jacobian")).await?, "6");
    // The control: random directions of the same length and angle change nothing.
    page.until("the control is there", async || {
        Ok(swap.top(&table("random")).await? == "8")
    })
    .await
}

/// By keys alone: another target gives its number of legs, the ant's (mistyped and mended) turns 8 into 6; one layer alone does not.
pub async fn by_keys(keys: &Keyboard<'_>, swap: &Figure<'_>) -> Result {
    let until = async |after: &str| {
        let there = async || Ok(answers(swap).await? == ("8".into(), after.into()));
        swap.page()
            .until(&format!("8 becomes {after}"), there)
            .await
    };
    keys.write("for", "dog").await?;
    keys.tab().await?;
    until("4").await?;
    keys.back().await?;
    keys.write("for", "antt").await?;
    keys.press(&[Key::Enter]).await?;
    keys.push("ant").await?;
    assert_eq!(keys.focus().await?.says, "for", "the field takes over");
    until("6").await?;
    keys.to("Last layer").await?;
    keys.press(&[Key::Home]).await?;
    until("8").await?;
    keys.press(&[Key::End]).await?;
    keys.push("Count over the held-out set").await?;
    keys.press(&[Key::Enter]).await?;
    swap.page()
        .until("counting has stopped", async || {
            Ok(swap.content(".swap-tally").await?.contains("stopped"))
        })
        .await
}

#[tokio::test]
async fn spider_for_ant_turns_eight_into_six_and_random_directions_do_not() -> Result {
    on_page(Look::desktop(), async |page| eight_becomes_six(page).await).await
}

#[tokio::test]
async fn the_same_on_a_phone_and_another_language_by_touch() -> Result {
    on_page(Look::phone().dark(), async |page| {
        eight_becomes_six(page).await?;
        let swap = page.figure("swap").await?;
        swap.tap_option("Task", "languages", With::Finger).await?;
        page.until("small becomes short, in Chinese", async || {
            Ok(answers(&swap).await? == ("小".into(), "短".into()))
        })
        .await?;
        swap.tap_on("Undo", With::Finger).await?;
        page.until("the six is back", async || {
            Ok(answers(&swap).await? == ("8".into(), "6".into()))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn the_first_layer_alone_changes_nothing_and_reset_brings_the_six_back() -> Result {
    on_page(Look::desktop(), async |page| {
        let swap = page.figure("swap").await?;
        let last = "input[type='range'][max]";
        let sliders = swap.parts(last).await?;
        assert!(sliders.len() >= 2, "two ends of a band");
        // One block has not brought the spider together yet: there is nothing to exchange.
        sliders[1].focus().await?;
        page.key(Key::Home).await?;
        page.until("the eight stays", async || {
            Ok(answers(&swap).await? == ("8".into(), "8".into()))
        })
        .await?;
        swap.press_button("Reset").await?;
        page.until("the six is back", async || {
            Ok(answers(&swap).await? == ("8".into(), "6".into()))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn one_swap_of_countries_turns_several_questions() -> Result {
    on_page(Look::desktop(), async |page| {
        let swap = page.figure("swap").await?;
        swap.choose("Task", "flexible use").await?;
        let rows = ".swap-relations tbody tr";
        page.until("all five questions are answered", async || {
            let answered = swap
                .parts(".swap-relations tbody td:nth-child(3)[data-verdict]")
                .await?;
            Ok(swap.parts(rows).await?.len() == 5 && answered.len() == 5)
        })
        .await?;
        let turned = ".swap-relations tbody td:nth-child(3)[data-verdict='wanted']";
        assert!(swap.parts(turned).await?.len() >= 2);
        let random = ".swap-relations tbody td:nth-child(5)[data-verdict='wanted']";
        page.until("the control is answered", async || {
            let all = ".swap-relations tbody td:nth-child(5)[data-verdict]";
            Ok(swap.parts(all).await?.len() == 5)
        })
        .await?;
        assert!(swap.parts(random).await?.is_empty());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_unknown_word_is_refused_with_suggestions() -> Result {
    on_page(Look::desktop(), async |page| {
        let swap = page.figure("swap").await?;
        swap.write("#swap-target", "antt").await?;
        page.key(Key::Tab).await?;
        page.until("the word is marked", async || {
            Ok(swap.attribute("#swap-target", "aria-invalid").await? == "true")
        })
        .await?;
        // The old word is still in force.
        page.until("the answer is that of the old word", async || {
            Ok(answers(&swap).await? == ("8".into(), "6".into()))
        })
        .await?;
        let unmarked =
            async || Ok(swap.attribute("#swap-target", "aria-invalid").await? == "false");
        swap.press_button("ant").await?;
        page.until("the mark is gone", unmarked).await?;
        // So it goes when the word is changed from elsewhere.
        swap.write("#swap-target", "antt").await?;
        page.key(Key::Tab).await?;
        swap.choose("About", "countries").await?;
        page.until("the mark has gone with its word", unmarked)
            .await?;
        let word = swap.part("#swap-target").await?.prop("value").await?;
        assert_ne!(word.as_deref(), Some("antt"));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_refused_swap_shows_no_old_answer() -> Result {
    on_page(Look::desktop(), async |page| {
        let swap = page.figure("swap").await?;
        eight_becomes_six(page).await?;
        swap.write("#swap-target", "spider").await?;
        page.key(Key::Tab).await?;
        page.until("it is refused, and the old answer is gone", async || {
            let refused = !swap.parts(".error-box").await?.is_empty();
            let lists = swap.content(&table("jacobian")).await?;
            let headline = swap.parts(HEADLINE).await?;
            Ok(refused && headline.is_empty() && !lists.contains('6'))
        })
        .await?;
        swap.write("#swap-target", "ant").await?;
        page.key(Key::Tab).await?;
        eight_becomes_six(page).await?;
        page.until("no refusal is left", async || {
            Ok(swap.parts(".error-box").await?.is_empty())
        })
        .await
    })
    .await
}

#[tokio::test]
async fn an_english_word_turns_a_chinese_answer() -> Result {
    on_page(Look::desktop(), async |page| {
        let swap = page.figure("swap").await?;
        swap.choose("Task", "languages").await?;
        page.until("small becomes short, in Chinese", async || {
            Ok(answers(&swap).await? == ("小".into(), "短".into()))
        })
        .await?;
        swap.choose("Asked in", "French").await?;
        page.until("it is asked in French", async || {
            Ok(answers(&swap).await?.0 == "petite")
        })
        .await
    })
    .await
}

#[tokio::test]
async fn the_control_is_one_click_away_and_keeps_the_eight() -> Result {
    on_page(Look::desktop(), async |page| {
        let swap = page.figure("swap").await?;
        eight_becomes_six(page).await?;
        swap.choose("Model", "sees all, as a control").await?;
        let long = std::time::Duration::from_secs(120);
        page.until_within(long, "the control answers", async || {
            Ok(answers(&swap).await.ok() == Some(("8".into(), "8".into())))
        })
        .await?;
        swap.choose("Model", "sees 5 tokens").await?;
        page.until("the six is back", async || {
            Ok(answers(&swap).await.ok() == Some(("8".into(), "6".into())))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn the_sweep_counts_every_layer() -> Result {
    on_page(Look::desktop(), async |page| {
        let swap = page.figure("swap").await?;
        let said = ".swap-sweep .summary-line";
        let stored = swap.content(said).await?;
        assert!(
            stored.contains("unspoken animal works best in layer 2"),
            "{stored}"
        );
        assert!(stored.contains("of 404"), "{stored}");
        swap.press_button("Count every layer in this tab").await?;
        let long = std::time::Duration::from_secs(300);
        page.until_within(long, "all layers are counted", async || {
            let text = swap.content(".swap-sweep").await?;
            let counting = swap.parts(".swap-sweep progress").await?;
            Ok(text.contains("counted in this tab")
                && counting.is_empty()
                && swap.content(said).await? == stored)
        })
        .await
    })
    .await
}
