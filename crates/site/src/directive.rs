//! Splits a chapter into blocks. Between `::NAME ARGUMENT` and `::end` (each alone on its line) stands a block:
//!
//! ```text
//! ::figure hero            a live figure; the first paragraph is its caption, the rest its still
//! ::predict Which word?    a question with the answer folded away (predict, then reveal)
//! ::note                   fine print beside the text
//! ::claims                 one claim per line: see `claims`
//! ::measurements           every stored number that the page quotes; the text is its caption
//! ::end
//! ```
//! Blocks do not nest. Everything else is prose.

use crate::SiteError;

/// A piece of a chapter, its text still Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Running text.
    Prose(String),
    /// A live figure.
    Figure {
        /// Registered name.
        name: String,
        /// One paragraph.
        caption: String,
        /// What stands there without the live figure.
        still: String,
    },
    /// A question and its hidden answer.
    Predict {
        /// Shown.
        question: String,
        /// Behind the disclosure.
        answer: String,
    },
    /// Fine print.
    Note(String),
    /// Claims beside our measurements.
    Claims(String),
    /// All stored numbers of the page.
    Measurements(String),
}

/// A block and the line it starts on (1-based).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The block.
    pub block: Block,
    /// Its first line of text.
    pub line: usize,
}

/// Splits `text`; `file` names the chapter in errors.
pub fn split(text: &str, file: &str) -> Result<Vec<Placed>, SiteError> {
    let mut blocks = Vec::new();
    let mut prose = String::new();
    let mut prose_line = 1;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let Some(head) = line.strip_prefix("::") else {
            if prose.is_empty() {
                prose_line = index + 1;
            }
            prose.push_str(line);
            prose.push('\n');
            continue;
        };
        let place = format!("{file}:{}", index + 1);
        flush(&mut blocks, &mut prose, prose_line);
        let mut body = String::new();
        loop {
            match lines.next() {
                Some((_, "::end")) => break,
                Some((_, inner)) if inner.starts_with("::") => {
                    return Err(syntax(
                        &place,
                        format!(
                            "`::{head}` is still open at `{inner}`; blocks don't nest, write `::end` first"
                        ),
                    ));
                }
                Some((_, inner)) => {
                    body.push_str(inner);
                    body.push('\n');
                }
                None => return Err(syntax(&place, format!("`::{head}` has no `::end`"))),
            }
        }
        blocks.push(Placed {
            block: block(head.trim(), &body, &place)?,
            line: index + 2,
        });
    }
    flush(&mut blocks, &mut prose, prose_line);
    Ok(blocks)
}

fn flush(blocks: &mut Vec<Placed>, prose: &mut String, line: usize) {
    let text = std::mem::take(prose);
    if !text.trim().is_empty() {
        blocks.push(Placed {
            block: Block::Prose(text),
            line,
        });
    }
}

fn block(head: &str, body: &str, place: &str) -> Result<Block, SiteError> {
    let (kind, argument) = head.split_once(' ').unwrap_or((head, ""));
    let argument = argument.trim();
    match kind {
        "figure" => {
            let (caption, still) = body.trim().split_once("\n\n").unwrap_or((body.trim(), ""));
            if argument.is_empty() || caption.is_empty() || still.trim().is_empty() {
                return Err(syntax(
                    place,
                    "a figure needs a name, a caption paragraph and a still".into(),
                ));
            }
            Ok(Block::Figure {
                name: argument.to_string(),
                caption: caption.to_string(),
                still: still.to_string(),
            })
        }
        "predict" if !argument.is_empty() => Ok(Block::Predict {
            question: argument.to_string(),
            answer: body.to_string(),
        }),
        "predict" => Err(syntax(
            place,
            "`::predict` needs its question on the same line".into(),
        )),
        "note" => Ok(Block::Note(body.to_string())),
        "claims" => Ok(Block::Claims(body.to_string())),
        "measurements" => Ok(Block::Measurements(body.to_string())),
        other => Err(syntax(
            place,
            format!(
                "unknown block `::{other}`; there are figure, predict, note, claims and measurements"
            ),
        )),
    }
}

fn syntax(place: &str, message: String) -> SiteError {
    SiteError::Syntax {
        place: place.to_string(),
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stand_between_prose() {
        let text = "one\n\n::figure hero\nCaption.\n\nStill.\n::end\ntwo\n::predict Why?\nBecause.\n::end\n";
        let blocks = split(text, "a.md").unwrap();
        assert_eq!(blocks.len(), 4);
        assert_eq!(
            blocks[1].block,
            Block::Figure {
                name: "hero".into(),
                caption: "Caption.".into(),
                still: "Still.".into()
            }
        );
        assert_eq!(blocks[1].line, 4);
        assert!(matches!(&blocks[3].block, Block::Predict { question, .. } if question == "Why?"));
    }

    #[test]
    fn mistakes_name_their_line() {
        for (text, wanted) in [
            ("x\n::figure hero\nc", "a.md:2"),
            ("::figure hero\nonly a caption\n::end\n", "still"),
            ("::boom\n::end\n", "unknown block"),
            ("::note\n::note\n::end\n", "nest"),
            ("::predict\n::end\n", "question"),
        ] {
            let error = split(text, "a.md").unwrap_err().to_string();
            assert!(error.contains(wanted), "{text:?}: {error}");
        }
    }
}
