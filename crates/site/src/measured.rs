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

impl Row {
    /// The number, or the one beside it.
    pub fn field(&self, field: &str) -> Option<f64> {
        match field {
            "value" => Some(self.value),
            "control" => self.control,
            "baseline" => self.baseline,
            _ => None,
        }
    }

    /// What figures read back from the page: id, number, n and interval, as attributes.
    fn attributes(&self, field: &str) -> Option<String> {
        let value = self.field(field)?;
        let name = match field {
            "value" => self.id.clone(),
            other => format!("{}#{other}", self.id),
        };
        let mut text = format!(
            "data-live=\"{name}\" data-value=\"{value}\" data-n=\"{}\"",
            self.n
        );
        if field == "value" && self.low < self.high {
            text.push_str(&format!(
                " data-low=\"{}\" data-high=\"{}\"",
                self.low, self.high
            ));
        }
        Some(text)
    }

    /// Mark of a measured number, with a link to its row of the table of all stored numbers; `with_n` prints the sample size.
    pub fn span(&self, field: &str, decimals: Option<usize>, with_n: bool) -> Option<String> {
        let (value, attributes) = (self.field(field)?, self.attributes(field)?);
        let title = if field == "value" && self.low < self.high {
            let (low, high) = (number(self.low, decimals), number(self.high, decimals));
            format!("measured on n = {}; 95 % interval {low} to {high}", self.n)
        } else {
            format!("measured on n = {}", self.n)
        };
        let shown = format!("<data value=\"{value}\">{}</data>", number(value, decimals));
        let n = if with_n {
            let (n, anchor) = (self.n, self.anchor());
            format!("<span class=\"live-n\"> (<a href=\"#{anchor}\">n = {n}</a>)</span>")
        } else {
            String::new()
        };
        Some(format!(
            "<span class=\"live\" {attributes} title=\"{title}\">{shown}{n}</span>"
        ))
    }

    /// The number for a figure alone: nothing to see.
    pub fn datum(&self, field: &str) -> Option<String> {
        let (value, attributes) = (self.field(field)?, self.attributes(field)?);
        Some(format!(
            "<data hidden {attributes} value=\"{value}\"></data>"
        ))
    }

    /// Id of its row in the table of all stored numbers.
    pub fn anchor(&self) -> String {
        format!("row-{}", self.id)
    }
}

impl Measurements {
    /// A row by its id.
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }

    /// The number behind `ID` or `ID#field`.
    pub fn value(&self, name: &str) -> Option<f64> {
        let (id, field) = name.split_once('#').unwrap_or((name, "value"));
        self.row(id)?.field(field)
    }

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
