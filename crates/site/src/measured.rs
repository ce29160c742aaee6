//! The file of measured numbers, `assets/measurements.json`, as `jlens eval --json` prints it.

use std::{fs, path::Path};

use serde::Deserialize;

use crate::SiteError;

/// What `jlens eval --json` prints.
#[derive(Debug, Clone, Deserialize)]
pub struct Measurements {
    /// Name of the model.
    pub model: String,
    /// Hash of its weights.
    pub weights_hash: String,
    /// Software version.
    pub software: String,
    /// Which held-out split, `test` for published numbers.
    pub split: String,
    /// One row per number.
    pub rows: Vec<Row>,
}

/// One measured number.
#[derive(Debug, Clone, Deserialize)]
pub struct Row {
    /// Stable name, e.g. `swap.animals.plain`.
    pub id: String,
    /// The number, usually a proportion.
    pub value: f64,
    /// Sample size.
    pub n: u64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The same on the control model (no attention window).
    #[serde(default)]
    pub control: Option<f64>,
    /// The same with the logit lens or its vectors, where that makes sense.
    #[serde(default)]
    pub baseline: Option<f64>,
}

impl Measurements {
    /// Reads the file; `None` if it does not exist yet.
    pub fn read(path: &Path) -> Result<Option<Self>, SiteError> {
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(path).map_err(SiteError::io("reading", path))?;
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|source| SiteError::Measurements {
                path: path.to_path_buf(),
                source,
            })
    }
}

/// Per cent without decimals, or a plain number with some; a real minus sign, a non-breaking space.
pub fn number(value: f64, decimals: Option<usize>) -> String {
    let text = match decimals {
        Some(digits) => format!("{value:.digits$}"),
        None => format!("{:.0}\u{a0}%", value * 100.0),
    };
    text.replace('-', "−")
}
