//! Mouse, touch and keyboard as a person uses them: trusted events at a human pace, through the
//! browser's own input path.

use crate::{Figure, Page, Result};
use serde_json::{Value, json};
use std::time::Duration;
use thirtyfour::prelude::*;

/// What a drag is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// The left mouse button.
    Mouse,
    /// One finger.
    Finger,
}

/// Moves of one drag; a display shows about so many in a quarter of a second.
const MOVES: u32 = 15;

impl Figure<'_> {
    /// Drags the middle of a part by (right, down) CSS pixels and lets go.
    pub async fn drag(&self, css: &str, by: (f64, f64), with: With) -> Result {
        self.drag_slowly(css, by, with, MOVES).await
    }

    /// As [`Figure::drag`], in so many moves, each one frame of a 60 Hz display apart.
    pub async fn drag_slowly(&self, css: &str, by: (f64, f64), with: With, moves: u32) -> Result {
        let (x, y) = self.middle(css).await?;
        let page = self.page();
        page.pointer(with, Phase::Down, x, y).await?;
        for step in 1..=moves {
            let part = f64::from(step) / f64::from(moves);
            page.pointer(with, Phase::Move, x + by.0 * part, y + by.1 * part)
                .await?;
            tokio::time::sleep(Duration::from_millis(16)).await;
        }
        page.pointer(with, Phase::Up, x + by.0, y + by.1).await
    }

    /// Taps or clicks the middle of a part.
    pub async fn tap(&self, css: &str, with: With) -> Result {
        self.tap_part(&self.part(css).await?, with).await
    }

    /// Taps or clicks the button, or the check box, that says this.
    pub async fn tap_on(&self, says: &str, with: With) -> Result {
        self.tap_part(&self.pressable(says).await?, with).await
    }

    /// Taps or clicks an option of a switch (radio buttons) by the switch's legend and its own label.
    pub async fn tap_option(&self, legend: &str, option: &str, with: With) -> Result {
        self.tap_part(&self.option(legend, option).await?, with)
            .await
    }

    async fn tap_part(&self, part: &WebElement, with: With) -> Result {
        let (x, y) = self.middle_of(part).await?;
        self.page().pointer(with, Phase::Down, x, y).await?;
        self.page().pointer(with, Phase::Up, x, y).await
    }

    /// Focuses a part and presses keys, one after the other; `Key::Shift` is held down for the key
    /// after it.
    pub async fn press(&self, css: &str, keys: &[Key]) -> Result {
        self.part(css).await?.focus().await?;
        self.page().keys(keys).await
    }

    /// The middle of a part on the page, wherever the page is scrolled to.
    pub async fn place(&self, css: &str) -> Result<(f64, f64)> {
        let script = "
            const box = arguments[0].getBoundingClientRect();
            return [box.left + box.width / 2 + scrollX, box.top + box.height / 2 + scrollY];";
        let part = self.part(css).await?;
        self.page().script(script, vec![part.to_json()?]).await
    }

    /// The middle of a part in the window, after scrolling it there.
    pub async fn middle(&self, css: &str) -> Result<(f64, f64)> {
        self.middle_of(&self.part(css).await?).await
    }

    async fn middle_of(&self, part: &WebElement) -> Result<(f64, f64)> {
        part.scroll_into_view().await?;
        let script = "
            const box = arguments[0].getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];";
        self.page().script(script, vec![part.to_json()?]).await
    }
}

/// A moment of a drag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The button or finger goes down.
    Down,
    /// It moves while down.
    Move,
    /// It is lifted.
    Up,
}

impl Page {
    /// One event at a place in the window.
    pub async fn pointer(&self, with: With, phase: Phase, x: f64, y: f64) -> Result {
        let (method, event) = match with {
            With::Mouse => ("Input.dispatchMouseEvent", mouse(phase, x, y)),
            With::Finger => ("Input.dispatchTouchEvent", touch(phase, x, y)),
        };
        self.driver.cdp().send_raw(method, event).await?;
        Ok(())
    }

    /// Presses a key wherever the focus is.
    pub async fn key(&self, key: Key) -> Result {
        self.keys(&[key]).await
    }

    /// Presses keys wherever the focus is, one after the other; `Key::Shift` is held down for the key after it.
    pub async fn keys(&self, keys: &[Key]) -> Result {
        let mut chain = self.driver.action_chain();
        let mut shifted = false;
        for key in keys {
            if matches!(key, Key::Shift) {
                shifted = true;
                continue;
            }
            if std::mem::take(&mut shifted) {
                let held = chain.key_down(Key::Shift).send_keys(key.clone());
                chain = held.key_up(Key::Shift);
            } else {
                chain = chain.send_keys(key.clone());
            }
        }
        chain.perform().await?;
        Ok(())
    }
}

fn mouse(phase: Phase, x: f64, y: f64) -> Value {
    let kind = match phase {
        Phase::Down => "mousePressed",
        Phase::Move => "mouseMoved",
        Phase::Up => "mouseReleased",
    };
    let buttons = u8::from(phase != Phase::Up);
    json!({
        "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1,
    })
}

fn touch(phase: Phase, x: f64, y: f64) -> Value {
    let kind = match phase {
        Phase::Down => "touchStart",
        Phase::Move => "touchMove",
        Phase::Up => "touchEnd",
    };
    let points = match phase {
        Phase::Up => json!([]),
        _ => json!([{"x": x, "y": y, "id": 1}]),
    };
    json!({"type": kind, "touchPoints": points})
}
