//! One live figure of the page.

use crate::{Page, Result};
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use thirtyfour::prelude::*;

/// A figure that is ready.
#[derive(Debug)]
pub struct Figure<'a> {
    page: &'a Page,
    name: String,
    element: WebElement,
}

/// A row of a readout table.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Row {
    /// The word.
    pub word: String,
    /// Its rank, the most probable word having the lowest.
    pub rank: usize,
    /// Its probability.
    pub prob: f64,
}

impl<'a> Figure<'a> {
    /// Waits until `figure[data-figure=NAME]` has `data-ready="true"`, and scrolls to it.
    pub(crate) async fn find(page: &'a Page, name: &str) -> Result<Self> {
        let ready = format!("figure[data-figure='{name}'][data-ready='true']");
        // Figures may start their work only when they come near the window.
        let script = "document.querySelector(arguments[0])?.scrollIntoView({block: 'center'});";
        let any = json!(format!("figure[data-figure='{name}']"));
        page.driver.execute(script, vec![any]).await?;
        page.until(&format!("figure `{name}` is ready"), async || {
            Ok(!page.driver.find_all(By::Css(&ready)).await?.is_empty())
        })
        .await?;
        let figure = Self::here(page, name).await?;
        figure.element.scroll_into_view().await?;
        Ok(figure)
    }

    /// A figure that is ready already, where it stands.
    pub(crate) async fn here(page: &'a Page, name: &str) -> Result<Self> {
        let ready = format!("figure[data-figure='{name}'][data-ready='true']");
        Ok(Self {
            page,
            name: name.to_owned(),
            element: page.driver.find(By::Css(ready)).await?,
        })
    }

    /// The page that it stands on.
    pub fn page(&self) -> &'a Page {
        self.page
    }

    /// The `<figure>` itself.
    pub fn element(&self) -> &WebElement {
        &self.element
    }

    /// A part of it, by CSS selector.
    pub async fn part(&self, css: &str) -> Result<WebElement> {
        Ok(self.element.find(By::Css(css)).await?)
    }

    /// All parts that match.
    pub async fn parts(&self, css: &str) -> Result<Vec<WebElement>> {
        Ok(self.element.find_all(By::Css(css)).await?)
    }

    /// The visible text of a part.
    pub async fn text(&self, css: &str) -> Result<String> {
        Ok(self.part(css).await?.text().await?)
    }

    /// The text of a part whether or not it is in sight.
    pub async fn content(&self, css: &str) -> Result<String> {
        let part = self.part(css).await?;
        Ok(part.prop("textContent").await?.unwrap_or_default())
    }

    /// An attribute of a part; empty when it has none.
    pub async fn attribute(&self, css: &str, name: &str) -> Result<String> {
        Ok(self.part(css).await?.attr(name).await?.unwrap_or_default())
    }

    /// The number that the part `data-measure=ID` shows, as figures write numbers: true minus sign, powers of ten in raised
    /// digits, perhaps a unit after it.
    pub async fn measure(&self, id: &str) -> Result<f64> {
        let text = self.content(&format!("[data-measure='{id}']")).await?;
        read_number(&text).ok_or_else(|| {
            let name = &self.name;
            crate::Error::page(format!("`{id}` of `{name}` is `{text}`, not a number"))
        })
    }

    /// Clicks a part.
    pub async fn click(&self, css: &str) -> Result {
        Ok(self.part(css).await?.click().await?)
    }

    /// Replaces the text of a field by typing, as a person would.
    pub async fn write(&self, css: &str, text: &str) -> Result {
        let field = self.part(css).await?;
        field.click().await?;
        field.send_keys(Key::Control + "a").await?;
        field.send_keys(text).await?;
        Ok(())
    }

    /// The rows of the readout table at a layer, best first. `lens` is the table's `data-lens`.
    pub async fn readout(&self, lens: &str, layer: usize) -> Result<Vec<Row>> {
        let table = format!("table[data-lens='{lens}'][data-layer='{layer}']");
        self.rows(&table).await
    }

    /// The rows of the readout table that a selector names, best first.
    pub async fn rows(&self, table: &str) -> Result<Vec<Row>> {
        let script = "
            const table = arguments[0].querySelector(arguments[1]);
            if (!table) throw new Error('no readout table ' + arguments[1]);
            return [...table.querySelectorAll('[data-word]')].map(row => ({
                word: row.dataset.word, rank: +row.dataset.rank, prob: +row.dataset.prob,
            })).sort((a, b) => a.rank - b.rank);";
        let arguments = vec![self.element.to_json()?, json!(table)];
        self.page.script(script, arguments).await
    }

    /// The first word of a readout table; empty when it has no rows.
    pub async fn top(&self, table: &str) -> Result<String> {
        let rows = self.rows(table).await?;
        Ok(rows
            .into_iter()
            .next()
            .map(|row| row.word)
            .unwrap_or_default())
    }

    /// An option of a switch (radio buttons) by the switch's legend and its own label.
    pub(crate) async fn option(&self, legend: &str, option: &str) -> Result<WebElement> {
        let path = format!(
            ".//fieldset[legend[normalize-space()='{legend}']]//label[normalize-space()='{option}']"
        );
        Ok(self.element.find(By::XPath(path)).await?)
    }

    /// Chooses an option of a switch (radio buttons) by its label.
    pub async fn choose(&self, legend: &str, option: &str) -> Result {
        let label = self.option(legend, option).await?;
        label.scroll_into_view().await?;
        Ok(label.click().await?)
    }

    /// The button, or the check box's label, that says this, once it can be pressed: it may wait for the model.
    pub(crate) async fn pressable(&self, says: &str) -> Result<WebElement> {
        let path = format!(".//*[self::button or self::label][normalize-space()='{says}']");
        let button = self.element.find(By::XPath(path)).await?;
        self.page
            .until(&format!("`{says}` can be pressed"), async || {
                let waits = button.attr("aria-disabled").await?.as_deref() == Some("true");
                Ok(button.is_enabled().await? && !waits)
            })
            .await?;
        Ok(button)
    }

    /// Presses the button that says this.
    pub async fn press_button(&self, says: &str) -> Result {
        let button = self.pressable(says).await?;
        // at once: a page that is still scrolling smoothly puts something else under the pointer
        let script =
            "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'}); return null;";
        let target = vec![button.to_json()?];
        self.page.script::<()>(script, target).await?;
        Ok(button.click().await?)
    }

    /// Photographs it into `target/screenshots/NAME.png`.
    pub async fn photograph(&self, name: &str) -> Result<PathBuf> {
        let script = "
            const box = arguments[0].getBoundingClientRect();
            return [box.left + scrollX, box.top + scrollY, box.width, box.height];";
        let part = self
            .page
            .script(script, vec![self.element.to_json()?])
            .await?;
        self.page.photograph_part(name, part).await
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// `-0.31` in `−0.31°`, `0.0000123` in `1.23 × 10⁻⁵`.
fn read_number(text: &str) -> Option<f64> {
    let (digits, power) = match text.split_once(" × 10") {
        Some((digits, power)) => (digits, lowered(power)?),
        None => (text, 0),
    };
    let number = digits
        .trim()
        .trim_end_matches(['°', '%', '×', '\u{202f}', ' '])
        .replace('−', "-");
    // Rust would read "NaN" and "inf" too.
    let number = number.parse::<f64>().ok().filter(|n| n.is_finite())?;
    Some(number * 10f64.powi(power))
}

/// A whole number in raised digits.
fn lowered(raised: &str) -> Option<i32> {
    let lower = |c: char| match c {
        '⁻' => Some('-'),
        _ => char::from_digit("⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|d| d == c)? as u32, 10),
    };
    raised
        .trim()
        .chars()
        .map(lower)
        .collect::<Option<String>>()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::read_number;

    #[test]
    fn numbers_as_figures_write_them() {
        for (text, number) in [
            ("−0.31°", -0.31),
            ("1.5 × 10⁻⁵", 1.5e-5),
            ("4.00", 4.0),
            ("2 × 10¹²", 2e12),
        ] {
            let got = read_number(text).unwrap_or(f64::NAN);
            assert!((got / number - 1.0).abs() < 1e-12, "{text}: {got}");
        }
        for text in ["none: no gap", "not a number", "∞", "−∞", "NaN", "inf"] {
            assert_eq!(read_number(text), None, "{text}");
        }
    }
}
