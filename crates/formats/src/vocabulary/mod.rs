//! The tokenizer of a word-level model: a list of words, one token each, and prompts split at spaces.
//!
//! File: `{"format": "jlens.words", "version": 1, "words": ["<s>", ...]}`; a word's place in the list is its token id.

mod suggest;

use crate::error::{Error, Result};
use crate::hash;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

const WHAT: &str = "tokenizer file";
const FORMAT: &str = "jlens.words";
const VERSION: u32 = 1;
/// Most words in a list.
pub const MAX_WORDS: usize = 1 << 20;
/// Longest word, in bytes.
pub const MAX_WORD: usize = 256;
/// Largest tokenizer file, in bytes.
pub const MAX_FILE: usize = 64 << 20;

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    words: Vec<String>,
}

/// A checked word list: every word once, none empty, none with white space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    words: Vec<String>,
    ids: HashMap<String, u32>,
}

/// A piece of a prompt: one token, or a word that the model does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// As it stands in the prompt.
    pub text: &'t str,
    /// Byte at which it starts there.
    pub start: usize,
    /// Its token; `None` for an unknown word.
    pub id: Option<u32>,
}

impl Vocabulary {
    /// Checks a word list.
    ///
    /// # Errors
    /// [`Error::Field`] or [`Error::TooLarge`], naming the word and its place.
    pub fn new(words: Vec<String>) -> Result<Self> {
        let bad = |why: String| Error::Field {
            what: WHAT,
            field: "words",
            why,
        };
        if words.is_empty() {
            return Err(bad("is empty; a model needs at least one word".into()));
        }
        if words.len() > MAX_WORDS {
            return Err(Error::TooLarge {
                what: "number of words",
                got: words.len(),
                limit: MAX_WORDS,
            });
        }
        let mut ids = HashMap::with_capacity(words.len());
        for (word, id) in words.iter().zip(0u32..) {
            if word.is_empty() || word.len() > MAX_WORD || word.contains(char::is_whitespace) {
                let start: String = word.chars().take(20).collect();
                return Err(bad(format!(
                    "has {start:?} at place {id}; a word has 1 to {MAX_WORD} bytes and no white space"
                )));
            }
            if let Some(first) = ids.insert(word.clone(), id) {
                return Err(bad(format!(
                    "has {word:?} twice, at places {first} and {id}"
                )));
            }
        }
        Ok(Self { words, ids })
    }

    /// Reads a tokenizer file.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Json`] or [`Error::Field`].
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.len() > MAX_FILE {
            return Err(Error::TooLarge {
                what: "tokenizer file in bytes",
                got: bytes.len(),
                limit: MAX_FILE,
            });
        }
        let file: File = serde_json::from_slice(bytes).map_err(|e| Error::json(WHAT, &e))?;
        let wrong = |field, why| Error::Field {
            what: WHAT,
            field,
            why,
        };
        if file.format != FORMAT {
            return Err(wrong(
                "format",
                format!(
                    "is {:?}, expected {FORMAT:?}; choose a word list of this project",
                    file.format
                ),
            ));
        }
        if file.version != VERSION {
            return Err(wrong(
                "version",
                format!(
                    "is {}, this program reads {VERSION}; use the program that wrote it",
                    file.version
                ),
            ));
        }
        Self::new(file.words)
    }

    /// The tokenizer file.
    ///
    /// # Errors
    /// [`Error::Json`], should serialisation fail.
    pub fn write(&self) -> Result<Vec<u8>> {
        let file = File {
            format: FORMAT.into(),
            version: VERSION,
            words: self.words.clone(),
        };
        serde_json::to_vec(&file).map_err(|e| Error::json(WHAT, &e))
    }

    /// Name of this word list, see [`hash::of_words`].
    pub fn hash(&self) -> String {
        hash::of_words(&self.words)
    }

    /// All words in the order of their tokens; never empty.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The word of a token.
    pub fn word(&self, id: u32) -> Option<&str> {
        self.words
            .get(usize::try_from(id).ok()?)
            .map(String::as_str)
    }

    /// The token of a word.
    pub fn id(&self, word: &str) -> Option<u32> {
        self.ids.get(word).copied()
    }

    /// Splits a prompt at white space. What is no word as it stands is tried in lower case, then without punctuation at its
    /// ends where each mark is itself a word (`spider,` gives two tokens).
    pub fn split<'t>(&self, prompt: &'t str) -> Vec<Piece<'t>> {
        let mut out = Vec::new();
        for text in prompt.split_whitespace() {
            // both are parts of one string, so the difference of their addresses is the offset
            let start = text.as_ptr() as usize - prompt.as_ptr() as usize;
            self.split_word(text, start, &mut out);
        }
        out
    }

    fn split_word<'t>(&self, text: &'t str, start: usize, out: &mut Vec<Piece<'t>>) {
        let known = |t: &str| self.id(t).or_else(|| self.id(&t.to_lowercase()));
        let mark = |c: Option<char>| {
            c.filter(|c| !c.is_alphanumeric())
                .and_then(|c| Some((c.len_utf8(), self.id(c.encode_utf8(&mut [0; 4]))?)))
        };
        let (mut from, mut to, mut tail) = (0, text.len(), Vec::new());
        while known(&text[from..to]).is_none() && to > from {
            if let Some((n, id)) = mark(text[from..to].chars().next()) {
                out.push(Piece {
                    text: &text[from..from + n],
                    start: start + from,
                    id: Some(id),
                });
                from += n;
            } else if let Some((n, id)) = mark(text[from..to].chars().next_back()) {
                to -= n;
                tail.push(Piece {
                    text: &text[to..to + n],
                    start: start + to,
                    id: Some(id),
                });
            } else {
                break;
            }
        }
        if to > from {
            let word = &text[from..to];
            out.push(Piece {
                text: word,
                start: start + from,
                id: known(word),
            });
        }
        out.extend(tail.into_iter().rev());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Vocabulary {
        let words = [
            "<s>",
            ",",
            ".",
            "the",
            "spider",
            "spins",
            "webs",
            "ant",
            "小",
            "mother-in-law",
        ];
        Vocabulary::new(words.map(String::from).to_vec()).unwrap()
    }

    fn texts<'t>(v: &Vocabulary, prompt: &'t str) -> Vec<(&'t str, bool)> {
        v.split(prompt)
            .iter()
            .map(|p| (p.text, p.id.is_some()))
            .collect()
    }

    #[test]
    fn round_trip() {
        let v = small();
        assert_eq!(Vocabulary::read(&v.write().unwrap()).unwrap(), v);
        assert_eq!(v.word(4), Some("spider"));
        assert_eq!(v.id("spider"), Some(4));
        assert_eq!(v.word(99), None);
    }

    #[test]
    fn splits_prompts() {
        let v = small();
        assert_eq!(
            texts(&v, "  The spider, ant."),
            [
                ("The", true),
                ("spider", true),
                (",", true),
                ("ant", true),
                (".", true)
            ]
        );
        assert_eq!(
            texts(&v, "the spidre ,"),
            [("the", true), ("spidre", false), (",", true)]
        );
        assert_eq!(
            texts(&v, "<s> mother-in-law 小"),
            [("<s>", true), ("mother-in-law", true), ("小", true)]
        );
        assert_eq!(
            texts(&v, ".,x,."),
            [
                (".", true),
                (",", true),
                ("x", false),
                (",", true),
                (".", true)
            ]
        );
        assert!(v.split(" \n").is_empty());
        assert_eq!(
            v.split("the ant,")[2],
            Piece {
                text: ",",
                start: 7,
                id: Some(1)
            }
        );
    }

    #[test]
    fn refuses_bad_lists() {
        for (list, part) in [
            ("[]", "empty"),
            ("[\"a\",\"a\"]", "twice"),
            ("[\"a b\"]", "white space"),
            ("[\"\"]", "place 0"),
        ] {
            let file = format!("{{\"format\":\"jlens.words\",\"version\":1,\"words\":{list}}}");
            let e = Vocabulary::read(file.as_bytes()).unwrap_err().to_string();
            assert!(e.contains(part), "{e}");
        }
        let newer = br#"{"format":"jlens.words","version":2,"words":["a"]}"#;
        assert!(
            Vocabulary::read(newer)
                .unwrap_err()
                .to_string()
                .contains("version")
        );
    }
}
