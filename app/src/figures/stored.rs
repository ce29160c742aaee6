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

    /// The interval of a share. The report has none for its baselines; there it is Wilson's (1927), as everywhere in the report:
    /// with as many independent trials as there are questions, each of which is tried `times` times.
    #[must_use]
    pub fn bounds(&self, times: u32) -> [f32; 2] {
        const Z: f64 = 1.959_963_984_540_054;
        let (p, n) = (
            self.value,
            f64::from(self.n.max(1)) / f64::from(times.max(1)),
        );
        let middle = p + Z * Z / (2.0 * n);
        let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let wilson = [middle - half, middle + half];
        let wilson = wilson.map(|x| (x / (1.0 + Z * Z / n)).clamp(0.0, 1.0));
        self.interval.unwrap_or(wilson).map(|x| x as f32)
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

    #[test]
    fn intervals_count_questions() {
        let of = |value, n, interval| Stored { value, n, interval };
        // 194 of 202 in pairs, as the report has it
        let [low, high] = of(194.0 / 202.0, 202, None).bounds(2);
        assert!((low - 0.902_560_8).abs() < 1e-6 && (high - 0.984_492_9).abs() < 1e-6);
        // none of 404 in fours
        let [low, high] = of(0.0, 404, None).bounds(4);
        assert!(low == 0.0 && (high - 0.036_640_6).abs() < 1e-6, "{high}");
        assert_eq!(of(0.0, 9, Some([0.25, 0.5])).bounds(1), [0.25, 0.5]);
    }
}
