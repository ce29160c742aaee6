//! Which words the swap experiments exchange, fixed by seed so that the command line and the page count the same trials.

use super::prompts::{Couplet, Opposite, Question};
use super::tables::{CONCEPTS, THEMES};
use crate::dice::Dice;

const SEED: u64 = 2024;

/// One swap: `from` and `to` exchange places in the prompt's thoughts; it succeeds if the model then says `expected`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// Index of the prompt in the list that the trials were made for.
    pub prompt: usize,
    /// The word that the prompt calls for.
    pub from: &'static str,
    /// The word put in its place.
    pub to: &'static str,
    /// What the model should then say.
    pub expected: &'static str,
}

/// For each question about a relation, up to `per_prompt` other entities whose answer differs.
#[must_use]
pub fn entity_swaps(questions: &[Question], per_prompt: usize) -> Vec<Swap> {
    let mut dice = Dice::new("swap targets", SEED, 0);
    let mut swaps = Vec::new();
    for (prompt, question) in questions.iter().enumerate() {
        let Some(relation) = question.relation else {
            continue;
        };
        let mut others: Vec<_> = question
            .family
            .domain()
            .entities
            .iter()
            .filter(|e| e.answers[relation] != question.answer)
            .collect();
        dice.shuffle(&mut others);
        swaps.extend(others.into_iter().take(per_prompt).map(|other| Swap {
            prompt,
            from: question.bridge,
            to: other.name,
            expected: other.answers[relation],
        }));
    }
    swaps
}

/// The same trials with the two answers exchanged in place of the two entities.
#[must_use]
pub fn answer_swaps(questions: &[Question], swaps: &[Swap]) -> Vec<Swap> {
    let answer = |swap: &Swap| Swap {
        from: questions[swap.prompt].answer,
        to: swap.expected,
        ..swap.clone()
    };
    swaps.iter().map(answer).collect()
}

/// For questions about named entities: every other entity of the family, whether or not its answer differs.
#[must_use]
pub fn all_pairs(questions: &[Question]) -> Vec<Swap> {
    let mut swaps = Vec::new();
    for (prompt, question) in questions.iter().enumerate() {
        let Some(relation) = question.relation else {
            continue;
        };
        let others = question
            .family
            .domain()
            .entities
            .iter()
            .filter(|e| e.name != question.bridge);
        swaps.extend(others.map(|other| Swap {
            prompt,
            from: question.bridge,
            to: other.name,
            expected: other.answers[relation],
        }));
    }
    swaps
}

/// For each first line, the rhyme with the same sound of every other theme.
#[must_use]
pub fn couplet_swaps(couplets: &[Couplet]) -> Vec<Swap> {
    let mut swaps = Vec::new();
    for (prompt, couplet) in couplets.iter().enumerate() {
        for (theme, entry) in THEMES.iter().enumerate() {
            if theme != couplet.theme {
                let noun = entry.endings[couplet.sound].noun;
                swaps.push(Swap {
                    prompt,
                    from: couplet.noun,
                    to: noun,
                    expected: noun,
                });
            }
        }
    }
    swaps
}

/// Which English word of an opposite is exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The concept asked about.
    Question,
    /// Its opposite, which is the answer.
    Answer,
}

/// For each opposite, up to `per_prompt` concepts of other pairs, exchanged on the question's or the answer's side; either
/// way the model should then say that concept's opposite.
#[must_use]
pub fn opposite_swaps(opposites: &[Opposite], side: Side, per_prompt: usize) -> Vec<Swap> {
    let mut dice = Dice::new("swap targets", SEED, 1);
    let mut swaps = Vec::new();
    for (prompt, opposite) in opposites.iter().enumerate() {
        let mut others: Vec<usize> = (0..CONCEPTS.len())
            .filter(|i| i / 2 != opposite.concept / 2)
            .collect();
        dice.shuffle(&mut others);
        swaps.extend(others.into_iter().take(per_prompt).map(|other| {
            let (from, to) = match side {
                Side::Question => (opposite.concept, other),
                Side::Answer => (opposite.concept ^ 1, other ^ 1),
            };
            Swap {
                prompt,
                from: CONCEPTS[from][0],
                to: CONCEPTS[to][0],
                expected: CONCEPTS[other ^ 1][opposite.language],
            }
        }));
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Family, Split, prompts};

    #[test]
    fn targets_differ_and_are_fixed() {
        let split = Split::standard();
        let questions = prompts::two_hop(&split, Family::Animals, "");
        let swaps = entity_swaps(&questions, 4);
        assert_eq!(swaps.len(), 4 * questions.len());
        assert!(
            swaps
                .iter()
                .all(|s| s.expected != questions[s.prompt].answer && s.from != s.to)
        );
        assert_eq!(swaps, entity_swaps(&questions, 4));
        assert_eq!(
            all_pairs(&prompts::named(Family::Countries, "")).len(),
            16 * 15 * 5
        );
        assert_eq!(couplet_swaps(&prompts::couplets(&split)).len(), 180 * 4);
    }

    #[test]
    fn big_to_long_turns_small_into_short() {
        let opposites = prompts::opposites(&Split::standard(), false);
        for side in [Side::Question, Side::Answer] {
            let swaps = opposite_swaps(&opposites, side, 26);
            let found = swaps
                .iter()
                .find(|s| opposites[s.prompt].answer == "小" && s.expected == "短")
                .unwrap();
            let expected = if side == Side::Question {
                ("big", "long")
            } else {
                ("small", "short")
            };
            assert_eq!((found.from, found.to), expected);
        }
    }
}
