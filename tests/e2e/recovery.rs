//! A worker that panics or vanishes is replaced, the request is sent again, and the page says so.

use support::{Look, Page, Result, on_page};

const OUTPUT: &str = "table.readout[data-lens='output']";

async fn recovers(page: &Page, accident: &str) -> Result {
    let hero = page.figure("hero").await?;
    page.hook(accident).await?;
    // The request goes to a worker that is dead or about to die.
    let prompt = "the capital of the country that built the eiffel tower is";
    hero.write("#hero-prompt", prompt).await?;
    page.until("the new worker answers `paris`", async || {
        Ok(hero.top(OUTPUT).await? == "paris")
    })
    .await?;
    page.until("the page says what happened", async || {
        Ok(hero.text(".status-warn").await?.contains("restarted"))
    })
    .await?;
    let said = "return document.getElementById('announcements').textContent";
    let said: String = page.script(said, vec![]).await?;
    assert!(said.contains("restarted"), "and has it spoken: {said}");
    hero.press_button("Got it").await?;
    // what the other program's worker had to say may still stand where it is spoken
    page.until("the notice is gone", async || {
        Ok(hero.parts(".status-warn").await?.is_empty())
    })
    .await
}

#[tokio::test]
async fn a_worker_that_panics_is_replaced() -> Result {
    on_page(Look::desktop(), async |page| {
        recovers(page, "crash-worker").await?;
        // The panic itself may be logged; nothing else.
        let errors = page.take_errors().await?;
        let other: Vec<_> = errors
            .iter()
            .filter(|error| !error.contains("panicked") && !error.contains("unreachable"))
            .collect();
        assert!(other.is_empty(), "{other:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_worker_that_vanishes_is_replaced() -> Result {
    on_page(Look::desktop(), async |page| {
        recovers(page, "kill-worker").await
    })
    .await
}
