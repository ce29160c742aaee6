//! The harness itself, on a page made for it: a test tool that could not fail would prove nothing.

use std::path::Path;
use support::page::on_site;
use support::{Keyboard, Look, Page, Result, Row, With};
use thirtyfour::prelude::*;

async fn on_fixture<F>(look: Look, test: F) -> Result
where
    F: AsyncFnOnce(&Page) -> Result,
{
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/fixture");
    on_site(folder, look, "/", test).await
}

#[tokio::test]
async fn drags_and_keys_arrive_as_a_persons_do() -> Result {
    on_fixture(Look::desktop(), async |page| {
        let figure = page.figure("box").await?;
        figure
            .drag("[data-handle]", (40.0, -20.0), With::Mouse)
            .await?;
        assert_eq!(figure.text("output").await?, "mouse true 40 -20");
        let keys = [Key::Right, Key::Shift, Key::Up, Key::Home];
        figure.press("[data-handle]", &keys).await?;
        let text = figure.text("output").await?;
        assert!(
            text.ends_with("ArrowRight Shift+Shift Shift+ArrowUp Home"),
            "{text}"
        );
        Ok(())
    })
    .await?;
    on_fixture(Look::phone(), async |page| {
        let figure = page.figure("box").await?;
        figure
            .drag("[data-handle]", (-10.0, 30.0), With::Finger)
            .await?;
        assert_eq!(figure.text("output").await?, "touch true -10 30");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_keyboard_reader_notices_a_focus_that_is_unseen_lost_or_held() -> Result {
    on_fixture(Look::desktop(), async |page| {
        let keys = Keyboard::of(page).await?;
        assert_eq!(keys.tab().await?.figure, "box");
        assert_eq!(keys.tab().await?.says, "seen");
        let unseen = keys.tab().await.unwrap_err().to_string();
        assert!(unseen.contains("not seen"), "{unseen}");
        let lost = keys.push("goes").await.unwrap_err().to_string();
        assert!(lost.contains("is lost"), "{lost}");
        assert_eq!(keys.tab().await?.says, "trap");
        let held = keys.tab().await.unwrap_err().to_string();
        assert!(held.contains("a trap"), "{held}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn readouts_come_ordered_by_rank() -> Result {
    on_fixture(Look::desktop(), async |page| {
        let rows = page.figure("box").await?.readout("j", 3).await?;
        let row = |word: &str, rank, prob| Row {
            word: word.into(),
            rank,
            prob,
        };
        assert_eq!(rows, [row("spider", 1, 0.5), row("web", 2, 0.25)]);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn logged_errors_fail_a_test_unless_taken() -> Result {
    let throw = "setTimeout(() => { throw new Error('on purpose') }); return null;";
    let result = on_fixture(Look::desktop(), async |page| {
        page.driver.execute(throw, vec![]).await?;
        page.figure("box").await.map(|_| ())
    })
    .await;
    let message = result.unwrap_err().to_string();
    assert!(message.contains("on purpose"), "{message}");

    on_fixture(Look::desktop(), async |page| {
        page.driver.execute(throw, vec![]).await?;
        page.figure("box").await?;
        assert_eq!(page.take_errors().await?.len(), 1);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn axe_sees_a_fault_when_there_is_one() -> Result {
    on_fixture(Look::desktop().dark(), async |page| {
        page.figure("box").await?;
        page.check_accessibility().await?;
        let fade = "document.querySelector('h1').style.color = '#333'; return null;";
        page.driver.execute(fade, vec![]).await?;
        let message = page.check_accessibility().await.unwrap_err().to_string();
        assert!(message.contains("color-contrast"), "{message}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_figure_that_is_never_ready_is_reported_with_a_photograph() -> Result {
    let look = Look::desktop().without_scripting();
    let result = on_fixture(look, async |page| {
        let limit = std::time::Duration::from_millis(300);
        page.until_within(limit, "pigs fly", async || Ok(false))
            .await
    })
    .await;
    let message = result.unwrap_err().to_string();
    assert!(message.contains("pigs fly"), "{message}");
    let (_, path) = message.split_once("photograph: ").unwrap();
    let path = path.lines().next().unwrap();
    assert!(Path::new(path).is_file(), "{path}");
    std::fs::remove_file(path).unwrap();
    Ok(())
}
