//! "The paper says, our model shows": one claim per line of a `::claims` block,
//!
//! ```text
//! what the paper found | what is measured here | ours | baseline | control | expectation, expectation
//! what the paper found | what is measured here | ours | baseline | control | not comparable: why
//! ```
//! The first five are Markdown with the macros of [`crate::live`]; n is that of the first measured number of *ours*. An expectation
//! is `ID > ID` or `ID < 0.1` (also with `#control` and `#baseline`), and the verdict follows from the measurements: none of the
//! table's words says by itself how an experiment came out. The expectations are printed with their numbers, in as many decimals as
//! *ours*, so that a reader can follow each verdict. Where nothing measured here could decide a claim, the last cell says so.

use crate::SiteError;
use crate::measured::{Measurements, number};

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
    /// What the measurements say about it.
    pub verdict: Verdict,
}

/// How a claim came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Each expectation in numbers, and whether it holds.
    Computed(Vec<(String, bool)>),
    /// Nothing measured here could decide it, and why.
    NotComparable(String),
}

impl Verdict {
    /// Value of `data-verdict`, and the words of the table.
    fn name(&self) -> (&'static str, &'static str) {
        match self {
            Self::NotComparable(_) => ("none", "not comparable"),
            Self::Computed(tests) if tests.iter().all(|(_, holds)| *holds) => ("yes", "yes"),
            Self::Computed(tests) if tests.iter().any(|(_, holds)| *holds) => ("part", "in part"),
            Self::Computed(_) => ("no", "no"),
        }
    }

    /// What the name follows from.
    fn because(&self) -> String {
        match self {
            Self::NotComparable(why) => why.clone(),
            Self::Computed(tests) => {
                let said = tests.iter().map(|(test, holds)| {
                    let end = if *holds { "holds" } else { "fails" };
                    format!("{test} {end}")
                });
                said.collect::<Vec<_>>().join("; ")
            }
        }
    }
}

const NOT_COMPARABLE: &str = "not comparable:";

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
        let (id, decimals) = live_id(ours).unwrap_or_default();
        let row = measured.row(id);
        let row = row.ok_or_else(|| wrong(format!("`{ours}` quotes no measured number")))?;
        let verdict = match expected.strip_prefix(NOT_COMPARABLE).map(str::trim) {
            Some("") => return Err(wrong("say why it is not comparable".into())),
            Some(why) => Verdict::NotComparable(why.to_owned()),
            None => Verdict::Computed(
                expected
                    .split(',')
                    .map(|text| expects(text, decimals, measured))
                    .collect::<Result<_, _>>()
                    .map_err(&wrong)?,
            ),
        };
        claims.push(Claim {
            line,
            cells: [claim, what, ours, baseline, control]
                .map(str::to_owned)
                .to_vec(),
            n: row.n,
            anchor: row.anchor(),
            verdict,
        });
    }
    Ok(claims)
}

/// Id and decimals of the first `{{live:ID:DECIMALS}}`.
fn live_id(cell: &str) -> Option<(&str, Option<usize>)> {
    let (_, rest) = cell.split_once("{{live:")?;
    let (inner, _) = rest.split_once("}}")?;
    let (name, digits) = inner.split_once(':').unwrap_or((inner, ""));
    Some((name.split('#').next()?, digits.parse().ok()))
}

/// An expectation in numbers, ready for HTML, and whether it holds.
fn expects(
    text: &str,
    decimals: Option<usize>,
    measured: &Measurements,
) -> Result<(String, bool), String> {
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
    let (holds, sign) = match op {
        '<' => (left < right, "&lt;"),
        _ => (left > right, "&gt;"),
    };
    let test = format!(
        "{}\u{a0}{sign}\u{a0}{}",
        number(left, decimals),
        number(right, decimals)
    );
    Ok((test, holds))
}

/// A rendered row.
pub fn row(cells: &[String], claim: &Claim) -> String {
    let (verdict, said) = claim.verdict.name();
    let mut html = format!(
        "<tr data-verdict=\"{verdict}\"><th scope=\"row\">{}</th>",
        cells[0]
    );
    for cell in &cells[1..] {
        html.push_str(&format!("<td>{cell}</td>"));
    }
    let (n, anchor, because) = (claim.n, &claim.anchor, claim.verdict.because());
    html.push_str(&format!(
        "<td class=\"num\"><a href=\"#{anchor}\">{n}</a></td>\
         <td>{said} <span class=\"claim-tests\">{because}</span></td></tr>\n"
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
    fn verdicts_follow_the_numbers_and_print_them() {
        let claim = &one("a > a#control, a > a#baseline").unwrap()[0];
        assert_eq!((claim.n, claim.line), (168, 11));
        let html = row(&claim.cells, claim);
        for part in [
            "data-verdict=\"part\"",
            ">168<",
            "90\u{a0}%\u{a0}&gt;\u{a0}1\u{a0}% holds",
            "90\u{a0}%\u{a0}&gt;\u{a0}95\u{a0}% fails",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let verdict = |expected| one(expected).unwrap()[0].verdict.name().0;
        assert_eq!(verdict("a < 0.5"), "no");
        assert_eq!(verdict("a > 0.5"), "yes");
    }

    #[test]
    fn the_numbers_of_a_comparison_have_the_decimals_of_ours() {
        let line = "x | y | {{live:a:2}} | b | c | a > a#control";
        let claim = &parse(line, &measured(), "x.md", 1).unwrap()[0];
        let html = row(&claim.cells, claim);
        assert!(html.contains("0.90\u{a0}&gt;\u{a0}0.01 holds"), "{html}");
    }

    #[test]
    fn what_cannot_be_decided_says_why() {
        let claim = &one("not comparable: another measure").unwrap()[0];
        let html = row(&claim.cells, claim);
        for part in [
            "data-verdict=\"none\"",
            "not comparable",
            ">another measure<",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(one("not comparable:").is_err());
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
