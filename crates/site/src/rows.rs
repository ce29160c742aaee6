//! The table of all stored numbers that the page quotes: where "n = ..." beside a number leads.

use std::collections::BTreeSet;

use crate::measured::{Measurements, Row};

const MARK: &str = "<!--measurements:";
const END: &str = "-->";

/// Holds the table's place until the whole page is there.
pub fn placeholder(caption: &str) -> String {
    format!("{MARK}{caption}{END}\n")
}

/// Puts the table in its place, with the rows that the page quotes; without measurements there is none.
pub fn fill(html: &str, measured: Option<&Measurements>) -> String {
    let Some((before, rest)) = html.split_once(MARK) else {
        return html.to_owned();
    };
    let (caption, after) = rest.split_once(END).unwrap_or(("", rest));
    let table = measured.map_or_else(String::new, |measured| table(html, measured, caption));
    format!("{before}{table}{after}")
}

fn table(html: &str, measured: &Measurements, caption: &str) -> String {
    let quoted: BTreeSet<&str> = html
        .split("data-live=\"")
        .skip(1)
        .filter_map(|rest| rest.split(['"', '#']).next())
        .collect();
    let rows: String = measured
        .rows
        .iter()
        .filter(|row| quoted.contains(row.id.as_str()))
        .map(row)
        .collect();
    format!(
        "<details class=\"figure-data stored-numbers\"><summary>All stored numbers of this page</summary>\n\
         <div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All stored numbers of this page\">\n\
         <table class=\"data\"><caption>{caption}</caption>\n<thead><tr><th scope=\"col\">row</th><th scope=\"col\">value</th>\
         <th scope=\"col\">95 % interval</th><th scope=\"col\">n</th><th scope=\"col\">no window</th><th scope=\"col\">baseline</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table>\n</div></details>\n"
    )
}

fn row(row: &Row) -> String {
    let three = |x: f64| format!("{x:.3}").replace('-', "−");
    let beside = |x: Option<f64>| x.map_or_else(|| "none".to_owned(), three);
    let interval = if row.low < row.high {
        format!("{} to {}", three(row.low), three(row.high))
    } else {
        "none".to_owned()
    };
    format!(
        "<tr id=\"{}\"><th scope=\"row\"><code>{}</code></th><td class=\"num\">{}</td><td class=\"num\">{interval}</td>\
         <td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td></tr>\n",
        row.anchor(),
        row.id,
        three(row.value),
        row.n,
        beside(row.control),
        beside(row.baseline)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quoted_rows_are_listed_and_links_arrive() {
        let measured: Measurements = serde_json::from_str(
            r#"{"model": "m", "weights_hash": "0", "software": "0", "split": "test", "rows": [
                {"id": "a.b", "value": 0.9, "n": 16, "low": 0.8, "high": 1, "control": 0.25},
                {"id": "c", "value": -0.9, "n": 1, "low": -0.9, "high": -0.9}]}"#,
        )
        .unwrap();
        let span = measured
            .row("a.b")
            .unwrap()
            .span("control", None, true)
            .unwrap();
        let html = format!("<p>{span}</p>{}", placeholder("Caption."));
        let filled = fill(&html, Some(&measured));
        assert!(
            filled.contains("href=\"#row-a.b\"") && filled.contains("id=\"row-a.b\""),
            "{filled}"
        );
        assert!(
            !filled.contains("row-c") && filled.contains("Caption."),
            "{filled}"
        );
        assert!(!fill(&html, None).contains("Caption."));
    }
}
