//! A reader who has only a keyboard: walks the page by Tab from wherever it was opened, and at every step sees where the focus
//! is. Nothing here clicks, scrolls or sets the focus by script.

use crate::{Error, Figure, Page, Result};
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use thirtyfour::prelude::*;

/// More stops than the longest way between two figures has.
const FAR: usize = 400;
/// An outline that fades in is there after a few of these.
const FRAMES: usize = 30;

/// Where the focus is: what it is on (1), whether it shows (2), and what is still on its way (3).
///
/// 1. A radio button is named by its group, a field by its label, anything else by its label or text.
/// 2. The element, or what stands for it (the text or the label of a switch, the ring of a handle), has an outline, and is in the
///    window.
/// 3. A figure near the window that is not live yet: a reader would wait for it.
const FOCUS: &str = "
    const e = document.activeElement, moved = e !== window.__focus;
    window.__focus = e;
    const near = f => { const b = f.getBoundingClientRect(); return b.bottom > -400 && b.top < innerHeight + 400; };
    const waits = [...document.querySelectorAll('figure[data-figure]')].some(f => near(f) && f.dataset.ready !== 'true');
    const text = part => part?.textContent.trim().replace(/\\s+/g, ' ');
    const label = e.labels?.[0]?.querySelector('.field-label, .slider-label, span') ?? e.labels?.[0];
    const says = e.type === 'radio' ? text(e.closest('fieldset')?.querySelector('legend'))
        : e.getAttribute('aria-label') ?? text(label) ?? text(e);
    const style = part => part ? getComputedStyle(part) : null;
    const ring = s => s && s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 && s.opacity > 0 && s.visibility === 'visible';
    const handle = style(e.querySelector('.handle-ring'));
    const drawn = [e, e.nextElementSibling, e.closest('label')].some(part => ring(style(part))) || parseFloat(handle?.strokeWidth) >= 4;
    const box = e.getBoundingClientRect();
    const inside = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
    return {
        figure: e.closest('figure[data-figure]')?.dataset.figure ?? '', says: says ?? '', tag: e.tagName.toLowerCase(),
        moved, waits, shows: drawn && inside,
    };";

/// What has the focus.
#[derive(Clone, Debug, Deserialize)]
pub struct Focus {
    /// The figure around it; empty where there is none.
    pub figure: String,
    /// What it is called.
    pub says: String,
    /// Its element's name; `body` when nothing has the focus.
    pub tag: String,
    moved: bool,
    waits: bool,
    shows: bool,
}

/// The keyboard of a page.
#[derive(Debug)]
pub struct Keyboard<'p> {
    page: &'p Page,
}

impl<'p> Keyboard<'p> {
    /// Of a page that has just been opened, once what is in sight is live.
    pub async fn of(page: &'p Page) -> Result<Self> {
        let keys = Self { page };
        keys.live().await?;
        Ok(keys)
    }

    async fn live(&self) -> Result {
        let live = async || Ok(!self.focus().await?.waits);
        self.page.until("the figures in sight are live", live).await
    }

    /// One stop on. It is an error when the focus does not move or cannot be seen.
    pub async fn tab(&self) -> Result<Focus> {
        self.step(&[Key::Tab]).await
    }

    /// One stop back.
    pub async fn back(&self) -> Result<Focus> {
        self.step(&[Key::Shift, Key::Tab]).await
    }

    async fn step(&self, keys: &[Key]) -> Result<Focus> {
        self.page.keys(keys).await?;
        let focus = self.focus().await?;
        match focus.moved {
            true => self.seen(focus).await,
            false => Err(Error::page(format!("a trap: {keys:?} stays at {focus:?}"))),
        }
    }

    /// What has the focus now.
    pub async fn focus(&self) -> Result<Focus> {
        self.page.script(FOCUS, vec![]).await
    }

    /// The same once it can be seen and the figures around it are live.
    async fn seen(&self, mut focus: Focus) -> Result<Focus> {
        if focus.waits {
            self.live().await?;
        }
        for _ in 0..FRAMES {
            match focus.tag.as_str() {
                "body" => return Err(Error::page("the focus is lost")),
                _ if focus.shows => return Ok(focus),
                _ => tokio::time::sleep(Duration::from_millis(16)).await,
            }
            focus = self.focus().await?;
        }
        Err(Error::page(format!("the focus is not seen: {focus:?}")))
    }

    /// On to the end of the page, where the browser takes the focus back.
    pub async fn to_the_end(&self) -> Result {
        for _ in 0..FAR {
            self.page.key(Key::Tab).await?;
            let focus = self.focus().await?;
            if focus.tag == "body" {
                return Ok(());
            }
            self.seen(focus).await?;
        }
        Err(Error::page("the page has no end"))
    }

    /// On to the first stop in a figure.
    pub async fn to_figure(&self, name: &str) -> Result<Figure<'p>> {
        for _ in 0..FAR {
            if self.tab().await?.figure == name {
                return Figure::here(self.page, name).await;
            }
        }
        Err(Error::page(format!("figure `{name}` is not on the way")))
    }

    /// On to what is called this, in the figure that has the focus, or stay there.
    pub async fn to(&self, says: &str) -> Result {
        self.find(says, async |focus: &Focus| Ok(focus.says == says))
            .await
    }

    /// On to a part of the figure, by CSS selector.
    pub async fn to_part(&self, css: &str) -> Result {
        let fits = "return document.activeElement.matches(arguments[0]);";
        self.find(css, async |_: &Focus| {
            self.page.script(fits, vec![json!(css)]).await
        })
        .await
    }

    async fn find(&self, what: &str, fits: impl AsyncFn(&Focus) -> Result<bool>) -> Result {
        let mut focus = self.focus().await?;
        let figure = focus.figure.clone();
        let mut passed = Vec::new();
        while focus.figure == figure && passed.len() < FAR {
            if fits(&focus).await? {
                return Ok(());
            }
            passed.push(focus.says);
            focus = self.tab().await?;
        }
        let problem = format!("`{what}` is not on the way in `{figure}`: {passed:?}");
        Err(Error::page(problem))
    }

    /// Presses keys where the focus is, which must stay in the figure and in sight; `Key::Shift` is held down for the key after it.
    pub async fn press(&self, keys: &[Key]) -> Result {
        let before = self.focus().await?;
        self.page.keys(keys).await?;
        // the page takes the focus from what has gone in the next frame
        let frames = "
            const done = arguments[arguments.length - 1];
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20)));";
        self.page.driver.execute_async(frames, vec![]).await?;
        let after = self.focus().await?;
        let lost = |error| Error::page(format!("after {keys:?} at {before:?}: {error}"));
        let after = self.seen(after).await.map_err(lost)?;
        match after.figure == before.figure {
            true => Ok(()),
            false => Err(lost(Error::page(format!("the focus is at {after:?}")))),
        }
    }

    /// Goes on to a button and presses it by Enter.
    pub async fn push(&self, says: &str) -> Result {
        self.to(says).await?;
        self.press(&[Key::Enter]).await
    }

    /// Goes on to the data table of the figure that has the focus, and opens it.
    pub async fn open_table(&self, figure: &Figure<'_>) -> Result {
        self.to_part("details.figure-data > summary").await?;
        self.press(&[Key::Enter]).await?;
        let rows = ".figure-live details.figure-data[open] tbody tr";
        let open = async || Ok(!figure.parts(rows).await?.is_empty());
        self.page.until("the data table is open", open).await
    }

    /// Goes on to a field and types instead of what stood there.
    pub async fn write(&self, says: &str, text: &str) -> Result {
        self.to(says).await?;
        let chain = self.page.driver.action_chain();
        let all = chain
            .key_down(Key::Control)
            .send_keys("a")
            .key_up(Key::Control);
        all.send_keys(text).perform().await?;
        Ok(())
    }
}
