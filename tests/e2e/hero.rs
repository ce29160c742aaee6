//! Figure 1: both lenses on one prompt.

use support::{Error, Figure, Keyboard, Look, Page, Result, Row, With, on_page};
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

/// The columns of a map that stand whole in sight, and how many are cut; the width of a border is none of either.
pub async fn columns(page: &Page, figure: &Figure<'_>, map: &str) -> Result<(Vec<usize>, usize)> {
    let script = "
        const frame = arguments[0].getBoundingClientRect();
        const left = arguments[0].querySelector('.map-corner').getBoundingClientRect().right;
        const heads = [...arguments[0].querySelectorAll('thead th:not(.map-corner)')]
            .map((head, i) => ({i, box: head.getBoundingClientRect()}))
            .filter(({box}) => box.right > left + 4 && box.left < frame.right - 4);
        const whole = heads.filter(({box}) => box.left > left - 2 && box.right < frame.right + 2);
        return [whole.map(({i}) => i), heads.length - whole.length];";
    let frame = figure.part(map).await?.to_json()?;
    page.script(script, vec![frame]).await
}

#[tokio::test]
async fn maps_show_whole_columns_with_the_answer_and_lead_to_the_others() -> Result {
    let tablet = Look::special("tablet").ok_or_else(|| Error::page("no tablet"))?;
    for look in [Look::desktop(), tablet, Look::phone()] {
        on_page(look, async |page| {
            let hero = page.figure("hero").await?;
            let shown = ".hero-map[data-lens='jacobian'] .map-scroll";
            page.until("the chosen cell and the answer are in sight", async || {
                let (whole, cut) = columns(page, &hero, shown).await?;
                Ok(cut == 0 && whole.contains(&17) && whole.contains(&19))
            })
            .await?;
            let (whole, _) = columns(page, &hero, shown).await?;
            let before = 20 - whole.len();
            hero.press_button(&format!("‹ {before} earlier")).await?;
            page.until("other columns are in sight", async || {
                let (now, cut) = columns(page, &hero, shown).await?;
                Ok(cut == 0
                    && now.len() == whole.len()
                    && now[0] + whole.len().min(before) == whole[0])
            })
            .await
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn both_maps_move_together() -> Result {
    on_page(Look::desktop(), async |page| {
        let hero = page.figure("hero").await?;
        let map = |lens| format!(".hero-map[data-lens='{lens}'] .map-scroll");
        let scroll = "arguments[0].scrollLeft = 0; return null;";
        let frame = hero.part(&map("logit")).await?.to_json()?;
        page.script::<()>(scroll, vec![frame]).await?;
        page.until("both begin with the first token", async || {
            let both = [
                columns(page, &hero, &map("logit")).await?,
                columns(page, &hero, &map("jacobian")).await?,
            ];
            Ok(both[0] == both[1] && both[0].0.first() == Some(&0))
        })
        .await
    })
    .await
}
