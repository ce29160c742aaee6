//! Tables of what the small model says, computed natively by the engine that the page runs, for the places of figures that have
//! no picture of their own: `assets/stills.json`, written and checked by `crates/engine/tests/stills.rs`.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;

use crate::SiteError;

/// The file.
#[derive(Debug, Clone, Deserialize)]
pub struct Stills {
    /// First digits of the hash of the weights that computed them.
    pub weights_hash: String,
    /// One table per figure.
    pub figures: BTreeMap<String, Table>,
}

/// A table of words and numbers.
#[derive(Debug, Clone, Deserialize)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Heads of the columns.
    pub heads: Vec<String>,
    /// Rows; the first cell of each is its head.
    pub rows: Vec<Vec<String>>,
}

impl Stills {
    /// Reads the file; `None` if there is none.
    pub fn read(path: &Path) -> Result<Option<Self>, SiteError> {
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(path).map_err(SiteError::io("reading", path))?;
        let stills: Self = serde_json::from_str(&text).map_err(|source| SiteError::Stills {
            path: path.to_path_buf(),
            source,
        })?;
        Ok(Some(stills))
    }

    /// HTML of a figure's table, empty if it has none; `title` names the figure for those who do not see it.
    pub fn html(&self, figure: &str, title: &str) -> String {
        let Some(table) = self.figures.get(figure) else {
            return String::new();
        };
        let heads: String = table
            .heads
            .iter()
            .map(|head| format!("<th scope=\"col\">{}</th>", escape(head)))
            .collect();
        let rows: String = table.rows.iter().map(|row| self::row(row)).collect();
        format!(
            "<div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}, table\">\
             <table class=\"data still-table\"><caption>{} <span class=\"live\">computed by the small model, weights {}</span></caption>\
             <thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>\n",
            escape(title),
            escape(&table.caption),
            escape(&self.weights_hash),
        )
    }
}

fn row(cells: &[String]) -> String {
    let mut html = String::from("<tr>");
    for (i, cell) in cells.iter().enumerate() {
        let (open, close) = match i {
            0 => ("<th scope=\"row\">", "</th>"),
            _ => ("<td>", "</td>"),
        };
        html.push_str(&format!("{open}{}{close}", escape(cell)));
    }
    html.push_str("</tr>\n");
    html
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped_and_rows_have_heads() {
        let json = r#"{"weights_hash": "ab", "figures": {"hero": {"caption": "a <b>", "heads": ["x", "y"], "rows": [["1", "<s>"]]}}}"#;
        let stills: Stills = serde_json::from_str(json).unwrap();
        let html = stills.html("hero", "Two lenses");
        assert!(
            html.contains("<th scope=\"row\">1</th><td>&lt;s&gt;</td>"),
            "{html}"
        );
        assert!(html.contains("a &lt;b&gt;") && html.contains("weights ab"));
        assert_eq!(stills.html("fit", "Fit"), "");
    }
}
