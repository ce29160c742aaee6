//! Numbers that the article quotes from `assets/measurements.json`, read back from the page: stills and tables write them with
//! `data-live`, so that a figure can show what was measured before anything is computed in this tab.

use leptos::prelude::document;

/// A stored number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stored {
    /// The number.
    pub value: f64,
    /// Trials, prompts or positions.
    pub n: u32,
    /// 95 % interval, where there is one.
    pub interval: Option<[f64; 2]>,
}

impl Stored {
    /// Successes, if it is a share of trials.
    #[must_use]
    pub fn hits(&self) -> u32 {
        (self.value * f64::from(self.n)).round() as u32
    }
}

/// The number of a row, or of its `#control` or `#baseline`; `None` where the page does not quote it.
#[must_use]
pub fn stored(id: &str) -> Option<Stored> {
    let found = document()
        .query_selector(&format!("[data-live=\"{id}\"]"))
        .ok()??;
    let number = |name: &str| found.get_attribute(name)?.parse::<f64>().ok();
    let bounds = number("data-low").zip(number("data-high"));
    Some(Stored {
        value: number("data-value")?,
        n: number("data-n")? as u32,
        interval: bounds.map(|(low, high)| [low, high]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counts() {
        let of = |value, n| Stored {
            value,
            n,
            interval: None,
        };
        assert_eq!(of(194.0 / 202.0, 202).hits(), 194);
        assert_eq!(of(0.0, 10).hits(), 0);
    }
}
