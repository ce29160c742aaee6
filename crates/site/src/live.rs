//! Numbers in the text. Two kinds, never mixed up:
//!
//! - `{{paper:59 %}}` is cited (large models, the workspace paper), marked `class="paper"` and linked to the reference.
//! - `{{live:ID}}` was measured on our model by `jlens eval --json`, marked `class="live"`, with its sample size. `{{live:ID:3}}` prints
//!   three decimals instead of per cent; `{{live:ID#control}}` (the same on the model without a window) and `{{live:ID#baseline}}` (the same with the logit lens)
//!   print those fields of the row.
//! - `{{live?:ID,ID|text}}` keeps `text` only if the measurements exist, so that no number is ever invented. Once the file is
//!   there, an unknown id is an error here too; `ID#control` keeps the text only if that row has a control.
//! - `{{source:weights}}` (or `model`, `software`, `split`) says where the measurements come from.
//! - `{{fig:NAME}}` links to a figure by its number.
//! - `{{act:words}}`, `{{trans:words}}`, `{{tok:words}}`, `{{outp:words}}` give words the colour and underline of their idea, as the macros
//!   of the same names do in formulas.

use crate::{
    SiteError, figures,
    measured::{Measurements, Row},
};

/// Replaces every `{{…}}` of `text`. `file` and `line` say where the text starts, for errors.
pub fn expand(
    text: &str,
    measured: Option<&Measurements>,
    file: &str,
    line: usize,
) -> Result<String, SiteError> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(open) = find_macro(text, at) {
        let place = format!("{file}:{}", line + text[..open].matches('\n').count());
        let Some(close) = matching_close(text, open) else {
            return Err(SiteError::Syntax {
                place,
                message: "`{{` without its `}}`".into(),
            });
        };
        out.push_str(&text[at..open]);
        let expander = Expander {
            measured,
            file,
            place,
            line,
        };
        out.push_str(&expander.one(&text[open + 2..close])?);
        at = close + 2;
    }
    out.push_str(&text[at..]);
    Ok(out)
}

/// The next `{{` that is followed by a word and a colon; other double braces belong to LaTeX.
fn find_macro(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let open = at + text[at..].find("{{")?;
        let word =
            text[open + 2..].trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '?');
        if word.starts_with(':') && word.len() < text.len() - open - 2 {
            return Some(open);
        }
        at = open + 1;
    }
}

fn matching_close(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    while at < text.len() {
        if text[at..].starts_with("{{") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("}}") {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
            at += 2;
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    None
}

struct Expander<'a> {
    measured: Option<&'a Measurements>,
    file: &'a str,
    place: String,
    line: usize,
}

impl Expander<'_> {
    fn one(&self, inner: &str) -> Result<String, SiteError> {
        let (kind, argument) = inner.split_once(':').unwrap_or((inner, ""));
        match kind {
            "paper" => Ok(format!(
                "<span class=\"paper\">{argument}<a class=\"cite\" href=\"#ref-workspace\" aria-label=\"cited: reference 1\">1</a></span>"
            )),
            "fig" => figures::find(argument, &self.place).map(|figure| {
                format!(
                    "<a class=\"figure-ref\" href=\"#fig-{argument}\">Figure {}</a>",
                    figure.number
                )
            }),
            "act" => Ok(idea("activation", argument)),
            "trans" => Ok(idea("transport", argument)),
            "tok" => Ok(idea("token", argument)),
            "outp" => Ok(idea("output", argument)),
            "live" => self.live(argument),
            "live?" => self.optional(argument),
            "source" => self.source(argument),
            other => Err(self.syntax(format!(
                "unknown `{{{{{other}:…}}}}`; there are paper, live, live?, source, fig, act, trans, tok and outp"
            ))),
        }
    }

    fn optional(&self, argument: &str) -> Result<String, SiteError> {
        let (ids, text) = argument
            .split_once('|')
            .ok_or_else(|| self.syntax("`{{live?:` needs `ID|text`".into()))?;
        if self.measured.is_none() {
            return Ok(String::new());
        }
        for name in ids.split(',') {
            let (id, field) = name
                .trim()
                .split_once('#')
                .unwrap_or((name.trim(), "value"));
            if self.field(self.row(id)?, field)?.is_none() {
                return Ok(String::new());
            }
        }
        expand(text, self.measured, self.file, self.line)
    }

    fn live(&self, argument: &str) -> Result<String, SiteError> {
        let (name, decimals) = match argument.split_once(':') {
            None => (argument, None),
            Some((name, digits)) => {
                let digits = digits
                    .parse::<usize>()
                    .map_err(|_| self.syntax(format!("`{digits}` is not a number of decimals")))?;
                (name, Some(digits))
            }
        };
        let (id, field) = name.split_once('#').unwrap_or((name, "value"));
        let row = self.row(id)?;
        self.field(row, field)?;
        row.span(field, decimals, true)
            .ok_or_else(|| self.syntax(format!("measurement `{id}` has no {field}")))
    }

    fn field(&self, row: &Row, field: &str) -> Result<Option<f64>, SiteError> {
        match field {
            "value" | "control" | "baseline" => Ok(row.field(field)),
            other => Err(self.syntax(format!("a measurement has no field `{other}`"))),
        }
    }

    fn source(&self, field: &str) -> Result<String, SiteError> {
        let measured = self
            .measured
            .ok_or_else(|| self.unknown(&format!("source:{field}")))?;
        let value = match field {
            "model" => measured.model.as_str(),
            "weights" => measured
                .weights_hash
                .get(..12)
                .unwrap_or(&measured.weights_hash),
            "software" => &measured.software,
            "split" => &measured.split,
            other => {
                return Err(self.syntax(format!("measurements have no source field `{other}`")));
            }
        };
        Ok(format!("<code>{value}</code>"))
    }

    fn row(&self, id: &str) -> Result<&Row, SiteError> {
        self.measured
            .and_then(|measured| measured.rows.iter().find(|row| row.id == id))
            .ok_or_else(|| self.unknown(id))
    }

    fn unknown(&self, id: &str) -> SiteError {
        let known = match self.measured {
            None => {
                "none yet: assets/measurements.json does not exist, use {{live?:…}}".to_string()
            }
            Some(measured) => {
                let ids: Vec<_> = measured.rows.iter().map(|row| row.id.as_str()).collect();
                ids.join(", ")
            }
        };
        SiteError::UnknownLive {
            place: self.place.clone(),
            id: id.to_string(),
            known,
        }
    }

    fn syntax(&self, message: String) -> SiteError {
        SiteError::Syntax {
            place: self.place.clone(),
            message,
        }
    }
}

fn idea(name: &str, words: &str) -> String {
    format!("<span class=\"idea\" data-idea=\"{name}\">{words}</span>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Measurements {
        serde_json::from_str(
            r#"{"model": "m", "weights_hash": "0123456789abcdef", "software": "0.1.0", "split": "test", "rows": [
                {"id": "a.b", "value": 0.839, "n": 168, "low": 0.78, "high": 0.89, "control": 0.01},
                {"id": "cos", "value": -0.97512, "n": 3, "low": -1, "high": -0.9}]}"#,
        )
        .unwrap()
    }

    #[test]
    fn live_numbers_carry_id_value_and_n() {
        let html = expand(
            "It is {{live:a.b}}, chance {{live:a.b#control}}, {{live:cos:3}}.",
            Some(&measured()),
            "a.md",
            1,
        )
        .unwrap();
        assert!(html.contains("data-live=\"a.b\""), "{html}");
        assert!(
            html.contains("84\u{a0}%") && html.contains("n = 168"),
            "{html}"
        );
        assert!(html.contains(">1\u{a0}%<"), "{html}");
        assert!(html.contains("−0.975"), "{html}");
    }

    #[test]
    fn an_unknown_id_is_an_error_with_its_line() {
        for text in [
            "\n\n{{live:no}}",
            "\n\n{{live?:no|x}}",
            "\n\n{{live:cos#control}}",
        ] {
            let error = expand(text, Some(&measured()), "a.md", 5)
                .unwrap_err()
                .to_string();
            assert!(error.contains("a.md:7"), "{error}");
        }
        assert!(matches!(
            expand("{{live:a.b}}", None, "a.md", 1),
            Err(SiteError::UnknownLive { .. })
        ));
    }

    #[test]
    fn optional_text_waits_for_the_measurements() {
        let text = "A.{{live?:a.b,cos| It is {{live:a.b}}.}} B.";
        assert_eq!(expand(text, None, "a.md", 1).unwrap(), "A. B.");
        assert!(
            expand(text, Some(&measured()), "a.md", 1)
                .unwrap()
                .contains(" It is <span")
        );
    }

    #[test]
    fn latex_braces_are_left_alone_and_figures_are_linked() {
        let text = r"$\frac{{a}}{{b}}$ {{fig:hero}} {{paper:59 %}}";
        let html = expand(text, None, "a.md", 1).unwrap();
        assert!(html.starts_with(r"$\frac{{a}}{{b}}$ <a"), "{html}");
        assert!(html.contains("href=\"#fig-hero\">Figure 1<"), "{html}");
        assert!(html.contains("class=\"paper\">59 %<"), "{html}");
        assert!(matches!(
            expand("{{fig:nope}}", None, "a.md", 1),
            Err(SiteError::UnknownFigure { .. })
        ));
    }
}
