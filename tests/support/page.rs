//! The page in a browser of its own: opening, waiting, running scripts, console errors,
//! photographs.

use crate::browser::Browser;
use crate::site::Site;
use crate::{Error, Figure, Look, Result, setup};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use thirtyfour::prelude::*;

/// Figures on the page.
pub const FIGURES: usize = 18;

/// How long [`Page::until`] waits. Generous: a test machine may be slow and busy.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Notes when the hero first says that it is ready, in `__heroReady`; to be run before the page's own scripts.
pub const NOTE_HERO: &str = "
    const ready = 'figure[data-figure=hero][data-ready=true]';
    new MutationObserver((_, observer) => {
        if (document.querySelector(ready)) {
            window.__heroReady = performance.now();
            observer.disconnect();
        }
    }).observe(document, {subtree: true, childList: true, attributes: true});";

/// An open page.
#[derive(Debug)]
pub struct Page {
    /// The browser session, for what the helpers do not cover.
    pub driver: WebDriver,
    /// The server behind the page.
    pub site: Site,
}

/// Opens the site's front page in a fresh browser, runs the test on it, and closes the browser.
/// Fails when the test does, or when the page logged an error that the test did not
/// [take](Page::take_errors).
pub async fn on_page<F>(look: Look, test: F) -> Result
where
    F: AsyncFnOnce(&Page) -> Result,
{
    on_address(look, "/", test).await
}

/// As [`on_page`], at a path with query and fragment of the test's choice.
pub async fn on_address<F>(look: Look, path: &str, test: F) -> Result
where
    F: AsyncFnOnce(&Page) -> Result,
{
    on_site(setup::dist()?, look, path, test).await
}

/// As [`on_address`], for a site in another folder.
pub async fn on_site<F>(folder: PathBuf, look: Look, path: &str, test: F) -> Result
where
    F: AsyncFnOnce(&Page) -> Result,
{
    on_served(Site::start(folder).await?, look, path, test).await
}

/// As [`on_site`], for a server of the test's own making.
pub async fn on_served<F>(site: Site, look: Look, path: &str, test: F) -> Result
where
    F: AsyncFnOnce(&Page) -> Result,
{
    let browser = Browser::start(&look).await?;
    let page = Page {
        driver: browser.driver.clone(),
        site,
    };
    let outcome = page
        .driver
        .clone()
        .run_and_quit(|_| page.judge(look, path, test))
        .await;
    browser.stop().await;
    outcome.map_err(|error| match error {
        thirtyfour::WebDriverRunError::Body(body) => body,
        other => Error::page(other.to_string()),
    })
}

impl Page {
    async fn judge<F>(&self, look: Look, path: &str, test: F) -> Result
    where
        F: AsyncFnOnce(&Page) -> Result,
    {
        let result = async {
            look.apply(&self.driver).await?;
            self.open(path).await?;
            test(self).await
        }
        .await;
        let errors = self.take_errors().await?;
        match result {
            Ok(()) if errors.is_empty() => Ok(()),
            Ok(()) => Err(Error::Console(errors.join("\n"))),
            Err(error) => Err(self.failed(error, &errors).await),
        }
    }

    async fn failed(&self, error: Error, errors: &[String]) -> Error {
        let name = std::thread::current()
            .name()
            .unwrap_or("test")
            .replace("::", "-");
        let photograph = match self.photograph(&format!("failed-{name}")).await {
            Ok(path) => path.display().to_string(),
            Err(error) => format!("none ({error})"),
        };
        let console = if errors.is_empty() {
            String::new()
        } else {
            format!("\nthe page logged:\n{}", errors.join("\n"))
        };
        Error::Failed {
            error: Box::new(error),
            photograph,
            console,
        }
    }

    /// Opens a path of the site, with query and fragment.
    pub async fn open(&self, path: &str) -> Result {
        let address = format!("{}{path}", self.site.address());
        self.driver.goto(address).await?;
        Ok(())
    }

    /// A live figure, by the name in its `data-figure`; waits until it is ready.
    pub async fn figure(&self, name: &str) -> Result<Figure<'_>> {
        Figure::find(self, name).await
    }

    /// A part of the engine panel, by XPath within it, once it is there; scrolled to.
    pub async fn panel_part(&self, path: &str) -> Result<WebElement> {
        let path = format!("//*[@data-panel='engine']{path}");
        self.until("the panel is there", async || {
            Ok(self.driver.find(By::XPath(&path)).await.is_ok())
        })
        .await?;
        let part = self.driver.find(By::XPath(path)).await?;
        part.scroll_into_view().await?;
        Ok(part)
    }

    /// Runs a script's body; `arguments[i]` are the given values; what it returns is read as `T`.
    pub async fn script<T: DeserializeOwned>(
        &self,
        body: &str,
        arguments: Vec<Value>,
    ) -> Result<T> {
        let returned = self.driver.execute(body, arguments).await?;
        Ok(serde_json::from_value(returned.json().clone())?)
    }

    /// Tells the page's test hooks to do something: `crash-worker`, `kill-worker`, ...
    pub async fn hook(&self, name: &str) -> Result {
        let script = "document.dispatchEvent(new Event(arguments[0]));";
        let event = json!(format!("jlens:{name}"));
        self.driver.execute(script, vec![event]).await?;
        Ok(())
    }

    /// Waits until a condition holds.
    pub async fn until<F>(&self, what: &str, condition: F) -> Result
    where
        F: AsyncFn() -> Result<bool>,
    {
        self.until_within(PATIENCE, what, condition).await
    }

    /// Waits until a condition holds, at most so long. An error of the condition counts as "not
    /// yet": the page may be about to show what is asked for.
    pub async fn until_within<F>(&self, limit: Duration, what: &str, condition: F) -> Result
    where
        F: AsyncFn() -> Result<bool>,
    {
        let start = Instant::now();
        loop {
            let seen = match condition().await {
                Ok(true) => return Ok(()),
                Ok(false) => "it does not hold".to_owned(),
                Err(error) => error.to_string(),
            };
            if start.elapsed() > limit {
                return Err(Error::Timeout {
                    what: what.to_owned(),
                    seconds: limit.as_secs_f64(),
                    seen,
                });
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The errors that the page has logged since last asked: uncaught exceptions, failed requests,
    /// refused scripts and styles, `console.error`.
    pub async fn take_errors(&self) -> Result<Vec<String>> {
        let entries = self.driver.browser_log().await?;
        Ok(entries
            .into_iter()
            .filter(|entry| entry.level == "SEVERE")
            .map(|entry| entry.message)
            .collect())
    }

    /// Photographs the window into `target/screenshots/NAME.png`.
    pub async fn photograph(&self, name: &str) -> Result<PathBuf> {
        save(name, self.picture(json!({"format": "png"})).await?)
    }

    /// Photographs the whole page, however long.
    pub async fn photograph_all(&self, name: &str) -> Result<PathBuf> {
        let size: (f64, f64) = self
            .script(
                "const e = document.documentElement; return [e.scrollWidth, e.scrollHeight];",
                vec![],
            )
            .await?;
        self.photograph_part(name, (0.0, 0.0, size.0, size.1)).await
    }

    /// Photographs a part: left, top, width, height in CSS pixels from the page's corner.
    pub async fn photograph_part(&self, name: &str, part: (f64, f64, f64, f64)) -> Result<PathBuf> {
        save(name, self.picture_of_part(part).await?)
    }

    /// A part as a PNG: left, top, width, height in CSS pixels from the page's corner.
    pub async fn picture_of_part(&self, part: (f64, f64, f64, f64)) -> Result<Vec<u8>> {
        let (x, y, width, height) = part;
        let clip = json!({"x": x, "y": y, "width": width, "height": height, "scale": 1});
        self.picture(json!({"format": "png", "captureBeyondViewport": true, "clip": clip}))
            .await
    }

    async fn picture(&self, how: Value) -> Result<Vec<u8>> {
        let answer = self
            .driver
            .cdp()
            .send_raw("Page.captureScreenshot", how)
            .await?;
        let data = answer["data"].as_str().unwrap_or_default();
        STANDARD
            .decode(data)
            .map_err(|error| Error::page(format!("the photograph is not base64: {error}")))
    }
}

fn save(name: &str, png: Vec<u8>) -> Result<PathBuf> {
    let path = setup::shots()?.join(format!("{name}.png"));
    std::fs::write(&path, png).map_err(Error::io(path.display()))?;
    Ok(path)
}
