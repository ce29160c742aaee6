//! LaTeX to MathML Core, with one colour per idea and without inline styles.
//!
//! `\act{h}`, `\trans{J}`, `\tok{v}` and `\outp{y}` mark the four ideas. The converter only knows colours, so each idea has a
//! marker colour that is replaced by a `data-idea` attribute afterwards; the style sheet then chooses the colour for the theme.
//! What other inline styles the converter writes become classes, because the page's content policy forbids inline styles.

use std::collections::BTreeMap;

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

use crate::SiteError;

/// Idea, macro name and marker colour.
const IDEAS: [(&str, &str, &str); 4] = [
    ("activation", "act", "0000a1"),
    ("transport", "trans", "0000a2"),
    ("token", "tok", "0000a3"),
    ("output", "outp", "0000a4"),
];

/// Renders formulas and collects the classes that they need.
pub struct MathRenderer {
    converter: LatexToMathML,
    /// Style text to class name.
    classes: BTreeMap<String, String>,
}

impl MathRenderer {
    /// A renderer that knows our macros.
    pub fn new() -> Result<Self, SiteError> {
        let mut macros: Vec<(String, String)> = IDEAS
            .iter()
            .map(|(_, name, colour)| {
                let body = format!(r"{{\color[HTML]{{{colour}}}#1}}");
                ((*name).to_string(), body)
            })
            .collect();
        macros.push(("R".into(), r"\mathbb{R}".into()));
        macros.push(("norm".into(), r"\operatorname{norm}".into()));
        macros.push(("softmax".into(), r"\operatorname{softmax}".into()));
        macros.push(("mean".into(), r"\operatorname*{mean}".into()));
        // `MathCoreConfig` is non-exhaustive in spirit: only the fields that we care about are named.
        let config = MathCoreConfig {
            macros,
            ..MathCoreConfig::default()
        };
        let converter = LatexToMathML::new(config).map_err(|(error, _, body)| SiteError::Math {
            place: "crates/site/src/math.rs".into(),
            latex: body,
            message: error.to_string(),
        })?;
        Ok(Self {
            converter,
            classes: BTreeMap::new(),
        })
    }

    /// One formula as MathML. `place` names the chapter for the error message.
    pub fn render(&mut self, latex: &str, display: bool, place: &str) -> Result<String, SiteError> {
        let mode = if display {
            MathDisplay::Block
        } else {
            MathDisplay::Inline
        };
        let result = self
            .converter
            .convert_with_local_state(latex.trim(), mode)
            .map_err(|error| SiteError::Math {
                place: place.to_string(),
                latex: latex.to_string(),
                message: error.to_string(),
            })?;
        Ok(self.without_styles(&plain_primes(&result.mathml)))
    }

    /// Replaces every `style="…"` by a `data-idea` (marker colours) or a class.
    fn without_styles(&mut self, mathml: &str) -> String {
        const OPEN: &str = " style=\"";
        let mut out = String::with_capacity(mathml.len());
        let mut rest = mathml;
        while let Some(at) = rest.find(OPEN) {
            let after = &rest[at + OPEN.len()..];
            let Some(close) = after.find('"') else { break };
            out.push_str(&rest[..at]);
            out.push_str(&self.attribute_for(&after[..close]));
            rest = &after[close + 1..];
        }
        out.push_str(rest);
        out
    }

    fn attribute_for(&mut self, style: &str) -> String {
        for (idea, _, colour) in IDEAS {
            if style
                .trim_end_matches(';')
                .eq_ignore_ascii_case(&format!("color:#{colour}"))
            {
                return format!(" data-idea=\"{idea}\"");
            }
        }
        let next = format!("mm{}", self.classes.len());
        let class = self.classes.entry(style.to_string()).or_insert(next);
        format!(" class=\"{class}\"")
    }

    /// The rules for the classes used so far.
    pub fn css(&self) -> String {
        self.classes
            .iter()
            .map(|(style, class)| format!(".{class}{{{style}}}\n"))
            .collect()
    }
}

/// `x'` as a base and a full-size prime side by side. As a superscript (what the converter writes) browsers shrink a glyph that is
/// small and raised already, and it all but disappears.
fn plain_primes(mathml: &str) -> String {
    const PRIME: &str = "<mo>′</mo></msup>";
    let mut out = mathml.to_string();
    while let Some(end) = out.find(PRIME) {
        let Some(start) = out[..end].rfind("<msup>") else {
            break;
        };
        let base = out[start + "<msup>".len()..end].to_string();
        if base.contains("</msup>") {
            break; // the superscript found is not the one that the prime closes
        }
        let side_by_side = format!("<mrow>{base}<mo lspace=\"0\" rspace=\"0\">′</mo></mrow>");
        out.replace_range(start..end + PRIME.len(), &side_by_side);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ideas_become_data_attributes_and_nothing_keeps_a_style() {
        let mut math = MathRenderer::new().unwrap();
        let html = math
            .render(
                r"\trans{J_\ell} \act{h} \quad \begin{pmatrix} a & b \\ c & d \end{pmatrix}",
                true,
                "test",
            )
            .unwrap();
        assert!(html.starts_with("<math display=\"block\">"), "{html}");
        assert!(html.contains("data-idea=\"transport\""), "{html}");
        assert!(html.contains("data-idea=\"activation\""), "{html}");
        assert!(html.contains("<mtable"), "{html}");
        assert!(!html.contains(" style="), "{html}");
        assert!(!html.contains("0000a"), "{html}");
    }

    #[test]
    fn other_styles_move_to_the_sheet() {
        let mut math = MathRenderer::new().unwrap();
        let html = math
            .render(
                r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
                true,
                "test",
            )
            .unwrap();
        assert!(html.contains("class=\"mm0\""), "{html}");
        assert!(math.css().contains(".mm0{"), "{}", math.css());
    }

    #[test]
    fn primes_keep_their_size() {
        let html = MathRenderer::new()
            .unwrap()
            .render("h_{L,t'} \\ge f'(x)", false, "test")
            .unwrap();
        assert!(!html.contains("<msup>"), "{html}");
        assert_eq!(html.matches("rspace=\"0\">′</mo>").count(), 2, "{html}");
    }

    #[test]
    fn a_broken_formula_names_itself() {
        let error = MathRenderer::new()
            .unwrap()
            .render(r"\nosuchcommand", false, "chapter.md")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("chapter.md") && error.contains("nosuchcommand"),
            "{error}"
        );
    }
}
