//! "The paper says, our model shows": one claim per line of a `::claims` block,
//!
//! ```text
//! what the paper found | what is measured here | ours | baseline | control | expectation, expectation
//! ```
//! The first five are Markdown with the macros of [`crate::live`]; n is that of the first measured number of *ours*. An expectation
//! is `ID > ID` or `ID < 0.1` (also with `#control` and `#baseline`), and the verdict follows from the measurements: none of the
//! table's words says by itself how an experiment came out.

use crate::SiteError;
use crate::measured::Measurements;

/// A line of the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Line in the chapter.
    pub line: usize,
    /// Claim, measurement, ours, baseline, control.
    pub cells: Vec<String>,
    /// Sample size of ours.
    pub n: u64,
    /// Id of ours in the table of all stored numbers.
    pub anchor: String,
    /// Expectations that hold, of how many.
    pub holds: (usize, usize),
}

/// Heads of the columns.
const HEADS: [&str; 7] = [
    "The paper",
    "Measured here",
    "Our model",
    "Baseline",
    "Control",
    "n",
    "Seen here?",
];

/// Reads the lines of a block; an empty cell is an error.
pub fn parse(
    text: &str,
    measured: &Measurements,
    file: &str,
    first: usize,
) -> Result<Vec<Claim>, SiteError> {
    let mut claims = Vec::new();
    for (i, text) in text.lines().enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        let line = first + i;
        let wrong = |message: String| SiteError::Syntax {
            place: format!("{file}:{line}"),
            message,
        };
        let cells: Vec<&str> = text.split(" | ").map(str::trim).collect();
        let &[claim, what, ours, baseline, control, expected] = &cells[..] else {
            let message = format!(
                "a claim has 6 cells between ` | `, this line has {}",
                cells.len()
            );
            return Err(wrong(message));
        };
        if cells.iter().any(|cell| cell.is_empty()) {
            return Err(wrong("a claim has an empty cell".into()));
        }
        let row = live_id(ours).and_then(|id| measured.row(id));
        let row = row.ok_or_else(|| wrong(format!("`{ours}` quotes no measured number")))?;
        let mut holds = (0, 0);
        for expectation in expected.split(',') {
            holds.1 += 1;
            holds.0 += usize::from(expects(expectation, measured).map_err(&wrong)?);
        }
        claims.push(Claim {
            line,
            cells: [claim, what, ours, baseline, control]
                .map(str::to_owned)
                .to_vec(),
            n: row.n,
            anchor: row.anchor(),
            holds,
        });
    }
    Ok(claims)
}

/// Id of the first `{{live:ID...}}`.
fn live_id(cell: &str) -> Option<&str> {
    let (_, rest) = cell.split_once("{{live:")?;
    rest.split([':', '#', '}']).next()
}

fn expects(text: &str, measured: &Measurements) -> Result<bool, String> {
    let (left, op, right) = ['<', '>']
        .into_iter()
        .find_map(|op| {
            text.split_once(op)
                .map(|(left, right)| (left.trim(), op, right.trim()))
        })
        .ok_or_else(|| format!("`{text}` is no expectation; write `ID > ID` or `ID < 0.1`"))?;
    let value = |name: &str| {
        name.parse()
            .ok()
            .or_else(|| measured.value(name))
            .ok_or_else(|| format!("`{name}` is neither a number nor a measurement"))
    };
    let (left, right): (f64, f64) = (value(left)?, value(right)?);
    Ok(if op == '<' {
        left < right
    } else {
        left > right
    })
}

/// A rendered row.
pub fn row(cells: &[String], claim: &Claim) -> String {
    let (verdict, said) = match claim.holds {
        (held, of) if held == of => ("yes", "yes"),
        (0, _) => ("no", "no"),
        _ => ("part", "in part"),
    };
    let mut html = format!(
        "<tr data-verdict=\"{verdict}\"><th scope=\"row\">{}</th>",
        cells[0]
    );
    for cell in &cells[1..] {
        html.push_str(&format!("<td>{cell}</td>"));
    }
    let (n, anchor) = (claim.n, &claim.anchor);
    html.push_str(&format!(
        "<td class=\"num\"><a href=\"#{anchor}\">{n}</a></td><td>{said}</td></tr>\n"
    ));
    html
}

/// The table.
pub fn table(rows: &[String]) -> String {
    let heads: String = HEADS
        .map(|head| format!("<th scope=\"col\">{head}</th>"))
        .concat();
    format!(
        "<div class=\"table-scroll claims\" tabindex=\"0\" role=\"region\" aria-label=\"Claims of the paper and our measurements\">\n\
         <table class=\"data claims-table\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n",
        rows.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Measurements {
        serde_json::from_str(
            r#"{"model": "m", "weights_hash": "0", "software": "0", "split": "test", "rows": [
                {"id": "a", "value": 0.9, "n": 168, "low": 0.8, "high": 1, "control": 0.01, "baseline": 0.95}]}"#,
        )
        .unwrap()
    }

    fn one(expected: &str) -> Result<Vec<Claim>, SiteError> {
        let line = format!("\nIt works. | Shares. | {{{{live:a}}}} | b | c | {expected}\n");
        parse(&line, &measured(), "x.md", 10)
    }

    #[test]
    fn verdicts_follow_the_numbers() {
        let claim = &one("a > a#control, a > a#baseline").unwrap()[0];
        assert_eq!((claim.holds, claim.n, claim.line), ((1, 2), 168, 11));
        let html = row(&claim.cells, claim);
        assert!(
            html.contains("data-verdict=\"part\"") && html.contains(">168<"),
            "{html}"
        );
        assert_eq!(one("a < 0.5").unwrap()[0].holds, (0, 1));
        assert_eq!(one("a > 0.5").unwrap()[0].holds, (1, 1));
    }

    #[test]
    fn empty_cells_and_unknown_numbers_are_errors() {
        for bad in ["a = 3", "a > zebra", ""] {
            assert!(one(bad).is_err(), "{bad}");
        }
        for bad in [
            "a | b",
            "x |  | {{live:a}} | b | c | a > 0",
            "x | y | words | b | c | a > 0",
        ] {
            let error = parse(bad, &measured(), "x.md", 3).unwrap_err().to_string();
            assert!(error.contains("x.md:3"), "{error}");
        }
    }
}
