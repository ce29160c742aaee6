//! The words of the small world and the tokenizer: one word, one token.

use super::tables::{CONCEPTS, LANGUAGES, NAMES, OBJECTS, SOUNDS, THEMES};
use super::{Family, templates};
use std::collections::{BTreeSet, HashMap};

/// Marks that are words of their own even when written against another word, as in "webs,".
const PUNCTUATION: [char; 8] = ['.', ',', ':', ';', '=', '?', '!', '/'];

/// The words, numbered: 0 is `<s>`, the rest follow in code-point order.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    words: Vec<String>,
    ids: HashMap<String, u32>,
}

/// A word of the input as the tokenizer sees it: lower-cased, with its byte range in the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The word, lower-cased.
    pub word: String,
    /// First byte in the input.
    pub start: usize,
    /// One past the last byte in the input.
    pub end: usize,
}

/// A word that the vocabulary lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Which word of the input, from 0.
    pub index: usize,
    /// The word and where it stands.
    pub piece: Piece,
    /// Up to three known words near it by edit distance, nearest first.
    pub suggestions: Vec<String>,
}

/// The input has words that the vocabulary lacks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", describe(.0))]
pub struct UnknownWords(
    /// All of them, in order.
    pub Vec<Unknown>,
);

fn describe(unknown: &[Unknown]) -> String {
    let one = |unknown: &Unknown| {
        let known = if unknown.suggestions.is_empty() {
            "no similar word is known".to_owned()
        } else {
            format!("did you mean {}?", unknown.suggestions.join(", "))
        };
        format!(
            "word {} \"{}\" is not in the vocabulary ({known})",
            unknown.index + 1,
            unknown.piece.word
        )
    };
    unknown.iter().map(one).collect::<Vec<_>>().join("; ")
}

impl Vocabulary {
    /// The vocabulary of the small world, collected from its tables and sentence patterns.
    #[must_use]
    pub fn standard() -> Self {
        let words: BTreeSet<&str> = texts()
            .into_iter()
            .flat_map(str::split_whitespace)
            .collect();
        let spoken = words
            .into_iter()
            .filter(|word| !word.starts_with('{') && *word != templates::START);
        Self::from_words(
            std::iter::once(templates::START)
                .chain(spoken)
                .map(str::to_owned)
                .collect(),
        )
    }

    /// A vocabulary from words in the order of their ids (for a vocabulary that was read from a file).
    #[must_use]
    pub fn from_words(words: Vec<String>) -> Self {
        let ids = words
            .iter()
            .enumerate()
            .map(|(id, word)| (word.clone(), id as u32))
            .collect();
        Self { words, ids }
    }

    /// Number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no words at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words in the order of their ids.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The id of a word, if known.
    #[must_use]
    pub fn id(&self, word: &str) -> Option<u32> {
        self.ids.get(word).copied()
    }

    /// The word with this id; "?" for an id that there is not.
    #[must_use]
    pub fn word(&self, id: u32) -> &str {
        self.words.get(id as usize).map_or("?", String::as_str)
    }

    /// Token ids of a text.
    ///
    /// # Errors
    /// [`UnknownWords`] lists every word that is not in the vocabulary, where it stands and what was perhaps meant.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, UnknownWords> {
        let mut unknown = Vec::new();
        let mut ids = Vec::new();
        for (index, piece) in pieces(text).into_iter().enumerate() {
            match self.id(&piece.word) {
                Some(id) => ids.push(id),
                None => {
                    let suggestions = self.suggest(&piece.word);
                    unknown.push(Unknown {
                        index,
                        piece,
                        suggestions,
                    });
                }
            }
        }
        if unknown.is_empty() {
            Ok(ids)
        } else {
            Err(UnknownWords(unknown))
        }
    }

    /// The text of token ids, words separated by spaces.
    #[must_use]
    pub fn decode(&self, ids: &[u32]) -> String {
        ids.iter()
            .map(|&id| self.word(id))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Up to three known words whose edit distance is at most half the word's length, nearest first, then alphabetically.
    #[must_use]
    pub fn suggest(&self, word: &str) -> Vec<String> {
        let limit = (word.chars().count() / 2).max(1);
        let mut near: Vec<(usize, &String)> = self
            .words
            .iter()
            .map(|known| (edit_distance(word, known), known))
            .filter(|(d, _)| *d <= limit)
            .collect();
        near.sort();
        near.into_iter()
            .take(3)
            .map(|(_, known)| known.clone())
            .collect()
    }
}

/// Splits a text into words at white space and around punctuation, in lower case.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut start = None;
    let mut push = |start: usize, end: usize| {
        found.push(Piece {
            word: text[start..end].to_lowercase(),
            start,
            end,
        });
    };
    for (at, c) in text.char_indices() {
        let mark = PUNCTUATION.contains(&c);
        if mark || c.is_whitespace() {
            if let Some(start) = start.take() {
                push(start, at);
            }
            if mark {
                push(at, at + c.len_utf8());
            }
        } else if start.is_none() {
            start = Some(at);
        }
    }
    if let Some(start) = start {
        push(start, text.len());
    }
    found
}

/// Insertions, deletions, replacements and swaps of neighbours needed to turn one word into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Everything that can be said: tables and patterns.
fn texts() -> Vec<&'static str> {
    let mut texts = templates::all();
    for domain in Family::BOTH.map(Family::domain) {
        texts.push(domain.kind);
        for relation in domain.relations {
            texts.extend([relation.name, relation.fact]);
            texts.extend(relation.questions);
        }
        for entity in domain.entities {
            texts.push(entity.name);
            texts.extend(entity.answers);
            texts.extend(entity.descriptors);
        }
    }
    texts.extend(CONCEPTS.iter().chain(&OBJECTS).flatten());
    texts.extend(LANGUAGES);
    texts.extend(NAMES);
    for theme in &THEMES {
        texts.extend(theme.subjects);
        texts.extend(
            theme
                .endings
                .iter()
                .flat_map(|ending| [ending.noun, ending.verb, ending.adjective]),
        );
    }
    texts.extend(SOUNDS.iter().flat_map(|sound| sound.cues));
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_and_decodes() {
        let vocabulary = Vocabulary::standard();
        assert_eq!(vocabulary.id("<s>"), Some(0));
        assert_eq!(vocabulary.len(), 794);
        let ids = vocabulary
            .encode("<s> The animal that spins webs, let me think, is")
            .unwrap();
        assert_eq!(
            vocabulary.decode(&ids),
            "<s> the animal that spins webs , let me think , is"
        );
        assert_eq!(vocabulary.encode("").unwrap(), Vec::<u32>::new());
    }

    #[test]
    fn unknown_words_are_located_with_suggestions() {
        let vocabulary = Vocabulary::standard();
        let text = "the spidre spins webs, qqqqzz";
        let UnknownWords(unknown) = vocabulary.encode(text).unwrap_err();
        assert_eq!(unknown.len(), 2);
        assert_eq!((unknown[0].index, unknown[1].index), (1, 5));
        assert_eq!(unknown[0].suggestions[0], "spider");
        assert_eq!(
            &text[unknown[0].piece.start..unknown[0].piece.end],
            "spidre"
        );
        assert!(unknown[1].suggestions.is_empty());
        let message = UnknownWords(unknown).to_string();
        assert!(
            message.contains("word 2 \"spidre\"") && message.contains("spider"),
            "{message}"
        );
    }

    #[test]
    fn distances() {
        assert_eq!(edit_distance("spider", "spider"), 0);
        assert_eq!(edit_distance("spidre", "spider"), 1);
        assert_eq!(edit_distance("", "ant"), 3);
        assert_eq!(edit_distance("大", "小"), 1);
    }
}
