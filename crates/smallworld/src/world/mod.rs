//! Facts, grammar, split, vocabulary and evaluation prompts of the small world.
//!
//! * [`tables`]: the facts. * [`templates`]: the sentence patterns. * [`recipe`]: how often each kind of document is written.
//! * [`split`]: what is held out of training, and which half of that is for choosing and which for reporting.
//! * [`vocabulary`]: the words and the tokenizer. * [`generator`] with its three parts: documents and token streams.
//! * [`prompts`]: the evaluation sets. * [`trials`]: which words the swap experiments exchange. * [`experiments`]: what other
//!   experiments run on.

mod adjectives;
mod couplets;
mod entities;
pub mod experiments;
pub mod generator;
pub mod prompts;
pub mod recipe;
pub mod split;
pub mod tables;
pub mod templates;
pub mod trials;
pub mod vocabulary;

pub use generator::Generator;
pub use recipe::Recipe;
pub use split::{Part, Split};
pub use vocabulary::{Unknown, UnknownWords, Vocabulary};

use tables::{ANIMALS, COUNTRIES, Domain};

/// The two families of entities that questions are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// 28 animals, 8 relations.
    Animals,
    /// 16 countries, 5 relations.
    Countries,
}

impl Family {
    /// Both families, in the order used everywhere.
    pub const BOTH: [Self; 2] = [Self::Animals, Self::Countries];

    /// The family's facts.
    #[must_use]
    pub const fn domain(self) -> &'static Domain {
        match self {
            Self::Animals => &ANIMALS,
            Self::Countries => &COUNTRIES,
        }
    }

    /// Name used in row ids and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Animals => "animals",
            Self::Countries => "countries",
        }
    }
}
