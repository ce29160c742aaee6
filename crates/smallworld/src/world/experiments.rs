//! What some experiments run on, so that the command line and the page measure the same things.

use super::prompts::{self, FILLER, Question};
use super::tables::Domain;
use super::trials::{Swap, entity_swaps};
use super::{Family, Generator, Part, Split, Vocabulary};
use crate::dice::Dice;
use std::ops::RangeInclusive;

/// Layers at which concepts are exchanged.
pub const CONCEPT_BAND: RangeInclusive<usize> = 1..=4;
/// Positions from the end of the descriptor on that a concept vector covers.
pub const CONCEPT_REACH: usize = 9;
/// Other animals tried per prompt when concepts are exchanged.
pub const CONCEPT_TARGETS: usize = 2;
/// Positions at the end of a prompt at which an unspoken word is looked for: the filler and the question's end.
pub const TAIL: usize = 8;
/// Seed of the text over which lenses are compared layer by layer; used for nothing else.
pub const TEXT_SEED: u64 = 778;
/// Positions at the start of a window of that text that see too little to count.
pub const TEXT_SKIP: usize = 8;
/// Seed of the text that lenses are fitted on; no training run uses it.
pub const FIT_SEED: u64 = 777;
/// Tokens per window of that text.
pub const FIT_WINDOW: usize = 64;
/// Positions at the start of a window of that text that see too little to count.
pub const FIT_SKIP: usize = 4;
/// Layers at which both sides of Stein's lemma are compared.
pub const STEIN_LAYERS: [usize; 3] = [1, 2, 4];
/// Share of the mean variance that is added to the covariance, for directions in which states do not vary.
pub const STEIN_RIDGE: f64 = 1e-3;

/// Questions about described entities, of one part of the split.
#[must_use]
pub fn questions(split: &Split, family: Family, filler: &str, part: Part) -> Vec<Question> {
    let mut questions = prompts::two_hop(split, family, filler);
    questions.retain(|q| q.part == part);
    questions
}

/// The questions that concept vectors are made of, and those at which they are exchanged, with the exchanges.
#[must_use]
pub fn concepts(split: &Split, part: Part) -> (Vec<Question>, Vec<Question>, Vec<Swap>) {
    let trained = questions(split, Family::Animals, FILLER, Part::Trained);
    let asked = questions(split, Family::Animals, FILLER, part);
    let swaps = entity_swaps(&asked, CONCEPT_TARGETS);
    (trained, asked, swaps)
}

/// Index of an animal or country in its table.
#[must_use]
pub fn class(family: Family, name: &str) -> Option<usize> {
    let Domain { entities, .. } = family.domain();
    entities.iter().position(|entity| entity.name == name)
}

/// Filler questions that end in "is", so that positions line up.
#[must_use]
pub fn bridge_questions(split: &Split, family: Family, part: Part) -> Vec<Question> {
    let mut questions = questions(split, family, FILLER, part);
    questions.retain(|q| q.prompt.ends_with(" is"));
    questions
}

/// For each question the name of another entity, to show how easily a name is found that is not there.
#[must_use]
pub fn wrong_bridges(questions: &[Question]) -> Vec<&'static str> {
    let mut dice = Dice::new("wrong bridges", 0, 0);
    let other = |q: &Question| {
        let entities = &q.family.domain().entities;
        let shift = 1 + dice.below(entities.len() - 1);
        entities[(q.entity + shift) % entities.len()].name
    };
    questions.iter().map(other).collect()
}

/// Windows of fresh text over which lenses are compared layer by layer.
#[must_use]
pub fn text(words: &Vocabulary) -> Vec<Vec<u32>> {
    Generator::new(TEXT_SEED).windows(words, 10, 64)
}

/// The first windows of the text that lenses are fitted on.
#[must_use]
pub fn fit_text(words: &Vocabulary, windows: usize) -> Vec<Vec<u32>> {
    Generator::new(FIT_SEED).windows(words, windows, FIT_WINDOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_what_they_say() {
        let split = Split::standard();
        let (trained, asked, swaps) = concepts(&split, Part::Test);
        assert_eq!((trained.len(), asked.len(), swaps.len()), (728, 101, 202));
        assert!(trained.iter().all(|q| q.part == Part::Trained));
        let questions = bridge_questions(&split, Family::Animals, Part::Test);
        let wrong = wrong_bridges(&questions);
        assert!(wrong.iter().zip(&questions).all(|(w, q)| *w != q.bridge));
        assert_eq!(class(Family::Animals, "spider").map(|i| i < 28), Some(true));
        assert_eq!(class(Family::Countries, "spider"), None);
    }
}
