//! A prompt as the model would read it: its filler phrase, its unknown words, its length.

use crate::client::Word;
use smallworld::world::templates::FILLERS;

/// The filler phrase that the figure puts in: a long one, so that there are words to hand a thought along.
const PHRASE: &str = FILLERS[1];

fn phrase_in(prompt: &str) -> Option<&'static str> {
    FILLERS.into_iter().find(|phrase| prompt.contains(phrase))
}

/// Whether the prompt contains a filler phrase; `None` if there is no place for one (it stands before the last "is").
#[must_use]
pub fn filler(prompt: &str) -> Option<bool> {
    if phrase_in(prompt).is_some() {
        return Some(true);
    }
    before_is(prompt).map(|_| false)
}

/// The prompt with a filler phrase put in, or with its own taken out.
#[must_use]
pub fn toggle_filler(prompt: &str) -> String {
    if let Some(phrase) = phrase_in(prompt) {
        let without = prompt.replace(phrase, " ");
        return without.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    match before_is(prompt) {
        Some(at) => format!("{} {PHRASE} {}", prompt[..at].trim_end(), &prompt[at..]),
        None => prompt.to_owned(),
    }
}

/// The prompt with another word in the place of one; `word` says where that one stands.
#[must_use]
pub fn replaced(prompt: &str, word: &Word, by: &str) -> String {
    match (prompt.get(..word.start), prompt.get(word.end..)) {
        (Some(before), Some(after)) => format!("{before}{by}{after}"),
        _ => prompt.to_owned(),
    }
}

/// Where the last "is" begins, if it is among the last two words.
fn before_is(prompt: &str) -> Option<usize> {
    let at = prompt.rfind(" is")? + 1;
    let rest = prompt[at + 2..].split_whitespace().count();
    let whole = prompt[at + 2..]
        .chars()
        .next()
        .is_none_or(char::is_whitespace);
    (whole && rest <= 1 && at > 1).then_some(at)
}

/// Why a prompt cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Words that the model does not know, with near ones.
    Unknown(Vec<Word>),
    /// More tokens than the model takes.
    TooLong {
        /// Tokens, `<s>` counted.
        got: usize,
        /// Longest context.
        most: usize,
    },
}

/// A prompt as the model would read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The words as they stand.
    pub words: Vec<Word>,
    /// What stands in the way.
    pub problem: Option<Problem>,
}

impl Reading {
    /// Looks at a prompt's words; `most` is the longest context.
    #[must_use]
    pub fn new(words: Vec<Word>, most: usize) -> Self {
        let unknown: Vec<Word> = words
            .iter()
            .filter(|word| word.id.is_none())
            .cloned()
            .collect();
        let got = words.len() + usize::from(words.first().is_none_or(|word| word.text != "<s>"));
        let problem = if !unknown.is_empty() {
            Some(Problem::Unknown(unknown))
        } else if got > most {
            Some(Problem::TooLong { got, most })
        } else {
            None
        };
        Self { words, problem }
    }

    /// The words as the model gets them: with the start mark.
    #[must_use]
    pub fn with_start(self) -> Vec<Word> {
        let mut words = self.words;
        if words.first().is_none_or(|word| word.text != "<s>") {
            let start = Word {
                text: "<s>".into(),
                start: 0,
                end: 0,
                id: Some(0),
                suggestions: Vec::new(),
            };
            words.insert(0, start);
        }
        words
    }

    /// A remark on a prompt that can be read but surprises.
    #[must_use]
    pub fn remark(&self) -> Option<&'static str> {
        match self.words.len() {
            0 => Some(
                "The prompt is empty: this is what the model expects at the very start of a text.",
            ),
            1 => Some("One word: there is little to think about yet, and the lenses show it."),
            _ => None,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::figures::hero::presets::PRESETS;
    use smallworld::Vocabulary;
    use smallworld::world::vocabulary::pieces;

    /// Looks words up as the client would.
    pub fn words(prompt: &str) -> Vec<Word> {
        let vocabulary = Vocabulary::standard();
        let word = |piece: smallworld::world::vocabulary::Piece| Word {
            id: vocabulary.id(&piece.word),
            suggestions: vocabulary.suggest(&piece.word),
            text: piece.word,
            start: piece.start,
            end: piece.end,
        };
        pieces(prompt).into_iter().map(word).collect()
    }

    #[test]
    fn filler_comes_and_goes() {
        let plain = "the number of legs on the animal that spins webs is";
        let with = toggle_filler(plain);
        assert_eq!(with, PRESETS[0].prompt);
        assert_eq!((filler(plain), filler(&with)), (Some(false), Some(true)));
        assert_eq!(toggle_filler(&with), plain);
        assert_eq!(toggle_filler("x , let me think , is"), "x is");
        assert_eq!(
            toggle_filler("the home of the spider is the"),
            "the home of the spider , let me think for a while , is the"
        );
        for without_place in [
            "",
            "is",
            "the farmer counted to four , /",
            "he is a king here",
            "the island",
        ] {
            assert_eq!(filler(without_place), None, "{without_place}");
            assert_eq!(toggle_filler(without_place), without_place);
        }
    }

    #[test]
    fn unknown_words_are_replaced_where_they_stand() {
        let prompt = "the spidre, spins";
        let Some(Problem::Unknown(unknown)) = Reading::new(words(prompt), 64).problem else {
            panic!("spidre is unknown");
        };
        assert_eq!(unknown[0].suggestions[0], "spider");
        assert_eq!(replaced(prompt, &unknown[0], "spider"), "the spider, spins");
    }

    #[test]
    fn lengths() {
        assert!(Reading::new(words(""), 64).remark().is_some());
        assert!(Reading::new(words("the"), 64).remark().is_some());
        let long = vec!["the"; 64].join(" ");
        assert_eq!(
            Reading::new(words(&long), 64).problem,
            Some(Problem::TooLong { got: 65, most: 64 })
        );
        assert_eq!(Reading::new(words(&long), 65).problem, None);
        assert_eq!(
            Reading::new(words(&format!("<s> {long}")), 65).problem,
            None
        );
    }
}
