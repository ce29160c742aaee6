//! Chapters to HTML: prose through CommonMark, formulas through [`crate::math`], figures and questions in their shells.

use std::{collections::BTreeSet, fs, path::Path};

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::{
    SiteError, claims,
    directive::{self, Block},
    figures, live,
    math::MathRenderer,
    measured::Measurements,
    rows,
    stills::{self, Stills},
    toc::{self, Anchors, Heading},
};

/// One Markdown file.
#[derive(Debug, Clone)]
pub struct Chapter {
    /// File name, for errors.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// The rendered article.
#[derive(Debug, Clone)]
pub struct Article {
    /// Table of contents, then one `<section>` per chapter.
    pub html: String,
    /// Rules for the classes that the formulas use.
    pub css: String,
    /// Headings of level 2 and 3, in order.
    pub headings: Vec<Heading>,
}

/// Reads `*.md` in name order.
pub fn read_chapters(folder: &Path) -> Result<Vec<Chapter>, SiteError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(SiteError::io("listing", folder))? {
        let path = entry.map_err(SiteError::io("listing", folder))?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).map_err(SiteError::io("reading", &path))?;
            let file = path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            Ok(Chapter { file, text })
        })
        .collect()
}

/// Renders all chapters. The table of contents comes after the first one (the introduction).
pub fn render(
    chapters: &[Chapter],
    measured: Option<&Measurements>,
    stills: Option<&Stills>,
) -> Result<Article, SiteError> {
    let mut renderer = Renderer {
        measured,
        stills,
        math: MathRenderer::new()?,
        anchors: Anchors::default(),
        headings: Vec::new(),
        placed: BTreeSet::new(),
    };
    let mut sections = Vec::new();
    for chapter in chapters {
        sections.push(renderer.chapter(chapter)?);
    }
    let contents = toc::render(&renderer.headings);
    let mut html = String::new();
    for (index, section) in sections.iter().enumerate() {
        html.push_str(section);
        if index == 0 {
            html.push_str(&contents);
        }
    }
    let html = rows::fill(&html, measured);
    Ok(Article {
        html,
        css: renderer.math.css(),
        headings: renderer.headings,
    })
}

struct Renderer<'a> {
    measured: Option<&'a Measurements>,
    stills: Option<&'a Stills>,
    math: MathRenderer,
    anchors: Anchors,
    headings: Vec<Heading>,
    placed: BTreeSet<String>,
}

impl Renderer<'_> {
    fn chapter(&mut self, chapter: &Chapter) -> Result<String, SiteError> {
        let file = chapter.file.as_str();
        let stem = file.trim_end_matches(".md");
        let stem = stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        let mut out = format!("<section class=\"chapter\" data-chapter=\"{stem}\">\n");
        for placed in directive::split(&chapter.text, file)? {
            let line = placed.line;
            match placed.block {
                Block::Prose(text) => out.push_str(&self.markdown(&text, file, line)?),
                Block::Note(text) => {
                    let body = self.markdown(&text, file, line)?;
                    out.push_str(&format!("<aside class=\"note\">\n{body}</aside>\n"));
                }
                Block::Predict { question, answer } => {
                    let question = self.inline(&question, file, line)?;
                    let body = self.markdown(&answer, file, line)?;
                    out.push_str(&format!(
                        "<details class=\"predict\"><summary><span class=\"predict-cue\">Predict</span> {question}</summary>\n\
                         <div class=\"predict-answer\">\n{body}</div></details>\n"
                    ));
                }
                Block::Figure {
                    name,
                    caption,
                    still,
                } => out.push_str(&self.figure(&name, &caption, &still, file, line)?),
                Block::Claims(text) => out.push_str(&self.claims(&text, file, line)?),
                Block::Measurements(text) => {
                    let caption = self.inline(&text, file, line)?;
                    out.push_str(&rows::placeholder(&caption));
                }
            }
        }
        out.push_str("</section>\n");
        Ok(out)
    }

    fn figure(
        &mut self,
        name: &str,
        caption: &str,
        still: &str,
        file: &str,
        line: usize,
    ) -> Result<String, SiteError> {
        let place = format!("{file}:{line}");
        let figure = figures::find(name, &place)?;
        if !self.placed.insert(name.to_string()) {
            return Err(SiteError::Syntax {
                place,
                message: format!("figure `{name}` stands on the page already"),
            });
        }
        let caption = self.inline(caption, file, line)?;
        let table = self
            .stills
            .map(|stills| stills.html(name, figure.title))
            .unwrap_or_default();
        let still = stills::picture(name, self.measured)
            + &focusable(&self.markdown(still, file, line)?)
            + &table;
        Ok(figures::shell(figure, &caption, &still))
    }

    /// The table of claims; nothing without measurements.
    fn claims(&mut self, text: &str, file: &str, line: usize) -> Result<String, SiteError> {
        let Some(measured) = self.measured else {
            return Ok(String::new());
        };
        let claims = claims::parse(text, measured, file, line)?;
        let mut rows = Vec::with_capacity(claims.len());
        for claim in claims {
            let mut cells = Vec::with_capacity(claim.cells.len());
            for cell in &claim.cells {
                cells.push(self.inline(cell, file, claim.line)?);
            }
            rows.push(claims::row(&cells, &claim));
        }
        Ok(claims::table(&rows))
    }

    /// Markdown of one paragraph without the `<p>`.
    fn inline(&mut self, text: &str, file: &str, line: usize) -> Result<String, SiteError> {
        let html = self.markdown(text, file, line)?;
        let html = html.trim();
        let inner = html
            .strip_prefix("<p>")
            .and_then(|rest| rest.strip_suffix("</p>"));
        Ok(inner.unwrap_or(html).to_string())
    }

    fn markdown(&mut self, text: &str, file: &str, line: usize) -> Result<String, SiteError> {
        let text = live::expand(text, self.measured, file, line)?;
        let options = Options::ENABLE_MATH
            | Options::ENABLE_TABLES
            | Options::ENABLE_SMART_PUNCTUATION
            | Options::ENABLE_HEADING_ATTRIBUTES
            | Options::ENABLE_DEFINITION_LIST;
        let mut events = Vec::new();
        let mut heading: Option<(HeadingLevel, Option<String>, Vec<Event<'_>>)> = None;
        for event in Parser::new_ext(&text, options) {
            let event = self.with_math(event, file)?;
            match (event, heading.as_mut()) {
                (Event::Start(Tag::Heading { level, id, .. }), _) => {
                    heading = Some((level, id.map(|id| id.to_string()), Vec::new()));
                }
                (Event::End(TagEnd::Heading(_)), _) => {
                    if let Some((level, id, inside)) = heading.take() {
                        events.push(self.heading(level, id, inside));
                    }
                }
                (event, Some((_, _, inside))) => inside.push(event),
                (event, None) => events.push(event),
            }
        }
        let mut out = String::new();
        html::push_html(&mut out, events.into_iter());
        Ok(scrollable_tables(&out))
    }

    fn with_math<'e>(&mut self, event: Event<'e>, file: &str) -> Result<Event<'e>, SiteError> {
        Ok(match event {
            Event::InlineMath(latex) => {
                Event::InlineHtml(self.math.render(&latex, false, file)?.into())
            }
            Event::DisplayMath(latex) => {
                let math = self.math.render(&latex, true, file)?;
                Event::InlineHtml(format!("<span class=\"formula\">{math}</span>").into())
            }
            other => other,
        })
    }

    /// A heading with its anchor; levels 2 and 3 go into the table of contents.
    fn heading<'e>(
        &mut self,
        level: HeadingLevel,
        id: Option<String>,
        inside: Vec<Event<'e>>,
    ) -> Event<'e> {
        let words: String = inside
            .iter()
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        let id = self.anchors.claim(id.as_deref().unwrap_or(&words));
        let mut html = String::new();
        html::push_html(&mut html, inside.into_iter());
        let rank = level as u8;
        if (2..=3).contains(&rank) {
            self.headings.push(Heading {
                level: rank,
                id: id.clone(),
                html: html.clone(),
            });
        }
        let link = if rank == 1 {
            String::new()
        } else {
            let words = words.replace('&', "&amp;").replace('"', "&quot;");
            format!(" <a class=\"anchor\" href=\"#{id}\" aria-label=\"link to: {words}\">#</a>")
        };
        Event::Html(CowStr::from(format!(
            "<{level} id=\"{id}\">{html}{link}</{level}>\n"
        )))
    }
}

/// Formulas of a still may be wider than a phone; whatever scrolls must be reached by keyboard. (Once the figure is live they are
/// gone, and no stop on the way.)
fn focusable(still: &str) -> String {
    still.replace(
        "<span class=\"formula\">",
        "<span class=\"formula\" tabindex=\"0\" role=\"group\" aria-label=\"formula\">",
    )
}

/// Wide tables scroll inside a box of their own, reachable by keyboard and named by the table's first heading.
fn scrollable_tables(html: &str) -> String {
    let mut parts = html.split("<table>");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(
            "<div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table by ",
        );
        out.push_str(&first_heading(part));
        out.push_str("\"><table class=\"data\">");
        out.push_str(part);
    }
    out.replace("</table>", "</table></div>")
}

/// The text of a table's first heading, fit for an attribute.
fn first_heading(table: &str) -> String {
    let inside = table
        .split_once("<th")
        .and_then(|(_, rest)| rest.split_once('>'))
        .map_or("", |(_, rest)| rest.split("</th>").next().unwrap_or(""));
    let mut text = String::new();
    for (i, piece) in inside.split('<').enumerate() {
        // what follows a tag's end
        text.push_str(match i {
            0 => piece,
            _ => piece.split_once('>').map_or("", |(_, rest)| rest),
        });
    }
    text.replace('"', "&quot;").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn article(text: &str) -> Result<Article, SiteError> {
        let chapter = Chapter {
            file: "10-part.md".into(),
            text: text.into(),
        };
        render(&[chapter], None, None)
    }

    #[test]
    fn tables_are_named_by_their_first_heading() {
        let made =
            article("## T {#t}\n\n| what *differs* | b |\n| --- | --- |\n| 1 | 2 |\n").unwrap();
        assert!(
            made.html
                .contains("aria-label=\"table by what differs\"><table class=\"data\">"),
            "{}",
            made.html
        );
    }

    #[test]
    fn headings_have_ids_and_formulas_are_mathml() {
        let made = article("## A layer {#layer}\n\n### What is $h$?\n\nLet $\\act{h}$ be\n\n$$\\trans{J}\\act{h}$$\n").unwrap();
        assert_eq!(made.headings.len(), 2);
        assert_eq!(made.headings[0].id, "layer");
        assert!(
            made.html.contains("<h2 id=\"layer\">A layer "),
            "{}",
            made.html
        );
        assert!(
            made.html.contains("<math display=\"block\">"),
            "{}",
            made.html
        );
        assert!(made.html.contains("data-chapter=\"part\""), "{}", made.html);
    }

    #[test]
    fn a_figure_has_shell_caption_and_still_and_stands_once() {
        let text = "::figure hero\nSee $h$.\n\nStill *here*.\n::end\n";
        let made = article(text).unwrap();
        for part in [
            "data-figure=\"hero\"",
            "id=\"fig-hero\"",
            "figure-still",
            "Still <em>here</em>",
            "See <math>",
        ] {
            assert!(made.html.contains(part), "{part}: {}", made.html);
        }
        assert!(article(&text.repeat(2)).is_err());
        assert!(matches!(
            article("::figure nope\nC.\n\nS.\n::end\n"),
            Err(SiteError::UnknownFigure { .. })
        ));
    }

    #[test]
    fn questions_fold_their_answers() {
        let made = article("::predict Which?\nThis one.\n::end\n").unwrap();
        assert!(
            made.html.contains("<details class=\"predict\"><summary>"),
            "{}",
            made.html
        );
        assert!(made.html.contains("<p>This one.</p>"), "{}", made.html);
    }
}
