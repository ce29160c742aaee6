//! Figure 1: both lenses on one prompt.

use support::{Error, Figure, Keyboard, Look, Result, Row, With, on_page};
use thirtyfour::prelude::*;

const PROMPT: &str = "#hero-prompt";
const OUTPUT: &str = "table.readout[data-lens='output']";

/// The cell that is looked at, as (layer, position).
async fn chosen(figure: &Figure<'_>) -> Result<(usize, usize)> {
    let cell = "button.cell[aria-pressed='true']";
    let number = async |name| -> Result<usize> {
        let text = figure.attribute(cell, name).await?;
        text.parse()
            .map_err(|_| Error::page(format!("{name} is `{text}`")))
    };
    Ok((number("data-layer").await?, number("data-position").await?))
}

/// Halfway up the J-lens says `spider`, the logit lens does not, and the model answers 8.
pub async fn spider_is_read(hero: &Figure<'_>) -> Result<[Vec<Row>; 2]> {
    let (layer, _) = chosen(hero).await?;
    let jacobian = hero.readout("jacobian", layer).await?;
    let logit = hero.readout("logit", layer).await?;
    assert_eq!(jacobian[0].word, "spider", "{jacobian:?}");
    assert_ne!(logit[0].word, "spider", "{logit:?}");
    assert_eq!(hero.top(OUTPUT).await?, "8");
    Ok([jacobian, logit])
}

/// By keys alone: another sentence is asked, the first is taken back, and the cells are walked to where the spider is read.
pub async fn by_keys(keys: &Keyboard<'_>, hero: &Figure<'_>) -> Result {
    let answers = async |word: &str| {
        let answers = async || Ok(hero.top(OUTPUT).await? == word);
        hero.page()
            .until(&format!("the model answers `{word}`"), answers)
            .await
    };
    let prompt = "the capital of the country that built the eiffel tower is";
    keys.write("Prompt", prompt).await?;
    answers("paris").await?;
    keys.push("Undo").await?;
    answers("8").await?;
    keys.to_part("table.lens-map[data-lens='jacobian'] button.cell")
        .await?;
    let (layer, position) = chosen(hero).await?;
    keys.press(&[Key::Up, Key::Left]).await?;
    assert_eq!(chosen(hero).await?, (layer + 1, position - 1));
    keys.press(&[Key::Down, Key::Right]).await?;
    spider_is_read(hero).await?;
    Ok(())
}

#[tokio::test]
async fn the_unspoken_spider_is_read_halfway_by_the_jacobian_lens() -> Result {
    on_page(Look::desktop(), async |page| {
        let hero = page.figure("hero").await?;
        let [jacobian, logit] = spider_is_read(&hero).await?;
        for rows in [&jacobian, &logit] {
            assert!(rows.len() >= 5, "{rows:?}");
            assert!(
                rows.windows(2).all(|two| two[0].prob >= two[1].prob),
                "{rows:?}"
            );
            assert!(
                rows.iter().map(|row| row.prob).sum::<f64>() <= 1.001,
                "{rows:?}"
            );
        }
        let root = page.driver.find(By::Css("html")).await?;
        assert_eq!(root.attr("data-backend").await?.as_deref(), Some("cpu"));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn another_prompt_is_answered_while_typing() -> Result {
    on_page(Look::desktop(), async |page| {
        let hero = page.figure("hero").await?;
        let prompt = "the capital of the country that built the eiffel tower is";
        hero.write(PROMPT, prompt).await?;
        page.until("the model answers `paris`", async || {
            Ok(hero.top(OUTPUT).await? == "paris")
        })
        .await?;
        let tokens = hero.parts(".token-strip .token").await?.len();
        assert_eq!(tokens, prompt.split(' ').count() + 1, "with the start mark");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_unknown_word_is_marked_and_mended() -> Result {
    on_page(Look::desktop(), async |page| {
        let hero = page.figure("hero").await?;
        hero.write(
            PROMPT,
            "the number of legs on the animal that spins wbes is",
        )
        .await?;
        let marked = ".token[data-unknown='true']";
        page.until("the word is marked", async || {
            Ok(hero.text(marked).await? == "wbes")
        })
        .await?;
        // The last prompt that could be read is still there.
        assert!(!hero.top(OUTPUT).await?.is_empty());
        let mend = By::XPath(".//*[@id='hero-prompt-hint']//button[normalize-space()='webs']");
        hero.element().find(mend).await?.click().await?;
        page.until("the prompt is mended", async || {
            let field = hero.part(PROMPT).await?;
            let text = field.prop("value").await?.unwrap_or_default();
            Ok(text.ends_with("that spins webs is") && hero.parts(marked).await?.is_empty())
        })
        .await?;
        page.until("the model answers", async || {
            Ok(hero.top(OUTPUT).await? == "8")
        })
        .await
    })
    .await
}

#[tokio::test]
async fn empty_single_and_overlong_prompts_break_nothing() -> Result {
    on_page(Look::desktop(), async |page| {
        let hero = page.figure("hero").await?;
        let tokens = async || -> Result<usize> {
            Ok(hero
                .parts("table.lens-map[data-lens='jacobian'] thead th")
                .await?
                .len()
                - 1)
        };
        hero.write(PROMPT, "the").await?;
        page.until("one word and the start mark are read", async || {
            Ok(tokens().await? == 2)
        })
        .await?;
        hero.part(PROMPT)
            .await?
            .send_keys(Key::Backspace + Key::Backspace + Key::Backspace)
            .await?;
        page.until("the start mark alone is read", async || {
            Ok(tokens().await? == 1)
        })
        .await?;
        hero.write(PROMPT, &"the ".repeat(200)).await?;
        page.until("the length is refused", async || {
            let hint = hero.text("#hero-prompt-hint").await?;
            Ok(hint.contains("201 tokens"))
        })
        .await?;
        hero.press_button("Reset").await?;
        page.until("all is as before", async || {
            Ok(hero.top(OUTPUT).await? == "8")
        })
        .await
    })
    .await
}

#[tokio::test]
async fn cells_are_chosen_by_mouse_and_keyboard_in_both_maps_at_once() -> Result {
    on_page(Look::desktop(), async |page| {
        let hero = page.figure("hero").await?;
        let (layer, position) = chosen(&hero).await?;
        let cell = format!(
            "table.lens-map[data-lens='jacobian'] button.cell[data-layer='{}'][data-position='{position}']",
            layer + 1
        );
        hero.click(&cell).await?;
        assert_eq!(chosen(&hero).await?, (layer + 1, position));
        let linked = "table.lens-map[data-lens='logit'] button.cell[data-linked='true']";
        let other = (
            hero.attribute(linked, "data-layer").await?,
            hero.attribute(linked, "data-position").await?,
        );
        assert_eq!(other, ((layer + 1).to_string(), position.to_string()));
        for lens in ["jacobian", "logit"] {
            assert!(!hero.readout(lens, layer + 1).await?.is_empty());
        }
        page.key(Key::Up).await?;
        assert_eq!(chosen(&hero).await?, (layer + 2, position));
        page.key(Key::Left).await?;
        assert_eq!(chosen(&hero).await?, (layer + 2, position - 1));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_depth_slider_walks_the_layers() -> Result {
    on_page(Look::desktop(), async |page| {
        let hero = page.figure("hero").await?;
        let (layer, position) = chosen(&hero).await?;
        hero.press("input[type='range']", &[Key::Right, Key::Right, Key::Left])
            .await?;
        assert_eq!(chosen(&hero).await?, (layer + 1, position));
        hero.press("input[type='range']", &[Key::End]).await?;
        let (last, _) = chosen(&hero).await?;
        // At the model output both lenses are the model itself.
        let (jacobian, logit) = (
            hero.readout("jacobian", last).await?,
            hero.readout("logit", last).await?,
        );
        assert_eq!(jacobian[0].word, logit[0].word);
        assert!((jacobian[0].prob - logit[0].prob).abs() < 1e-3);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn cells_are_chosen_by_touch_on_a_phone() -> Result {
    on_page(Look::phone(), async |page| {
        let hero = page.figure("hero").await?;
        let (layer, position) = chosen(&hero).await?;
        let cell = format!(
            "table.lens-map[data-lens='jacobian'] button.cell[data-layer='{}'][data-position='{position}']",
            layer + 1
        );
        hero.tap(&cell, With::Finger).await?;
        page.until("the cell is chosen", async || {
            Ok(chosen(&hero).await? == (layer + 1, position))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn the_target_switch_changes_what_the_lens_reads() -> Result {
    on_page(Look::desktop(), async |page| {
        let hero = page.figure("hero").await?;
        let (layer, _) = chosen(&hero).await?;
        let before = hero.readout("jacobian", layer).await?;
        let logit = hero.readout("logit", layer).await?;
        hero.choose("Jacobian lens looks at", "same position")
            .await?;
        page.until("the readout changes", async || {
            Ok(hero.readout("jacobian", layer).await? != before)
        })
        .await?;
        assert_eq!(hero.readout("logit", layer).await?, logit);
        Ok(())
    })
    .await
}
