//! The loaded model and its words, on the page's side.

use engine::protocol::ModelInfo;
use smallworld::Vocabulary;
use smallworld::world::vocabulary::pieces;

/// What [`super::Client::model`] gives: the worker's description and the word list.
#[derive(Debug)]
pub struct Model {
    /// As the worker reported it.
    pub info: ModelInfo,
    vocabulary: Vocabulary,
}

/// A word of a prompt as it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Lower-cased.
    pub text: String,
    /// First byte in the prompt.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Token id; `None` marks an unknown word.
    pub id: Option<u32>,
    /// Up to three known words near an unknown one, nearest first; empty for known words.
    pub suggestions: Vec<String>,
}

impl Model {
    pub(super) fn new(info: ModelInfo) -> Self {
        let vocabulary = Vocabulary::from_words(info.words.clone());
        Self { info, vocabulary }
    }

    /// The text of a token.
    pub fn word(&self, id: u32) -> &str {
        self.vocabulary.word(id)
    }

    /// The token of a word, if it is known.
    pub fn id(&self, word: &str) -> Option<u32> {
        self.vocabulary.id(word)
    }

    /// Splits a prompt into words and looks each up; adds nothing (a prompt for the model begins with `<s>`, see
    /// [`Model::tokens`]).
    pub fn words(&self, prompt: &str) -> Vec<Word> {
        let look_up = |piece: smallworld::world::vocabulary::Piece| {
            let id = self.vocabulary.id(&piece.word);
            let suggestions = match id {
                Some(_) => Vec::new(),
                None => self.vocabulary.suggest(&piece.word),
            };
            Word {
                text: piece.word,
                start: piece.start,
                end: piece.end,
                id,
                suggestions,
            }
        };
        pieces(prompt).into_iter().map(look_up).collect()
    }

    /// Token ids of a prompt, with `<s>` in front if it is not there; `None` if a word is unknown or the context is too small.
    pub fn tokens(&self, prompt: &str) -> Option<Vec<u32>> {
        let start = self.vocabulary.id("<s>")?;
        let mut ids: Vec<u32> = self
            .words(prompt)
            .iter()
            .map(|word| word.id)
            .collect::<Option<_>>()?;
        if ids.first() != Some(&start) {
            ids.insert(0, start);
        }
        (ids.len() <= self.info.max_context).then_some(ids)
    }
}
