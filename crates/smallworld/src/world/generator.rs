//! Writes documents and token streams. Pure: a recipe and a seed determine every byte.

use super::templates::START;
use super::{Family, Recipe, Split, Vocabulary};
use crate::dice::Dice;

/// An endless supply of documents.
#[derive(Debug, Clone)]
pub struct Generator {
    pub(super) recipe: Recipe,
    pub(super) split: Split,
    pub(super) dice: Dice,
}

impl Generator {
    /// Documents of the default recipe for this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with_recipe(Recipe::default(), seed, 0)
    }

    /// Documents of a recipe; `index` separates independent pieces of text under one seed.
    #[must_use]
    pub fn with_recipe(recipe: Recipe, seed: u64, index: u64) -> Self {
        Self {
            recipe,
            split: Split::standard(),
            dice: Dice::new("corpus", seed, index),
        }
    }

    /// The next document: words separated by single spaces, without the start token.
    pub fn document(&mut self) -> String {
        match self.dice.weighted(&self.recipe.families) {
            0 => self.entity_document(Family::Animals),
            1 => self.entity_document(Family::Countries),
            2 => self.adjective_document(),
            _ => self.couplet_document(),
        }
    }

    /// The next `n` tokens of documents set one after the other, each preceded by `<s>`; the last may be cut.
    pub fn tokens(&mut self, vocabulary: &Vocabulary, n: usize) -> Vec<u32> {
        let start = vocabulary.id(START).unwrap_or(0);
        let mut tokens = Vec::with_capacity(n + 64);
        while tokens.len() < n {
            tokens.push(start);
            // Every word the grammar can say is in the standard vocabulary (a test below holds this).
            tokens.extend(
                self.document()
                    .split(' ')
                    .filter_map(|word| vocabulary.id(word)),
            );
        }
        tokens.truncate(n);
        tokens
    }

    /// `count` windows of `length` tokens cut from one stream; for fitting lenses.
    pub fn windows(
        &mut self,
        vocabulary: &Vocabulary,
        count: usize,
        length: usize,
    ) -> Vec<Vec<u32>> {
        let stream = self.tokens(vocabulary, count * length);
        stream
            .chunks_exact(length.max(1))
            .map(<[u32]>::to_vec)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Part;
    use crate::world::tables::{CONCEPTS, SOUNDS, THEMES};
    use sha2::{Digest, Sha256};
    use std::collections::HashSet;

    const DOCUMENTS: usize = 60_000;

    fn padded(text: &str) -> String {
        format!(" {text} ")
    }

    #[test]
    fn vocabulary_and_corpus_are_the_same_set() {
        let vocabulary = Vocabulary::standard();
        let mut generator = Generator::new(99);
        let mut seen: HashSet<String> = HashSet::from([START.to_owned()]);
        for _ in 0..DOCUMENTS {
            let document = generator.document();
            for word in document.split(' ') {
                assert!(vocabulary.id(word).is_some(), "{word:?} in {document:?}");
                if !seen.contains(word) {
                    seen.insert(word.to_owned());
                }
            }
        }
        let never: Vec<&String> = vocabulary
            .words()
            .iter()
            .filter(|word| !seen.contains(*word))
            .collect();
        assert!(never.is_empty(), "never said: {never:?}");
    }

    /// Descriptors are cut out first, since some contain a word that is an answer elsewhere ("catches fish").
    #[test]
    fn no_document_gives_away_a_held_out_triple() {
        let split = Split::standard();
        let mut generator = Generator::new(7);
        let mut with_descriptor = 0usize;
        for _ in 0..DOCUMENTS {
            let document = padded(&generator.document());
            for family in Family::BOTH {
                let domain = family.domain();
                let mut rest = document.clone();
                let mut described = Vec::new();
                for (e, entity) in domain.entities.iter().enumerate() {
                    for (d, descriptor) in entity.descriptors.iter().enumerate() {
                        if document.contains(&padded(descriptor)) {
                            described.push((e, d));
                            rest = rest.replace(&padded(descriptor), " ");
                        }
                    }
                }
                with_descriptor += usize::from(!described.is_empty());
                for (e, d) in described {
                    for (r, answer) in domain.entities[e].answers.iter().enumerate() {
                        let trained = |r| split.triple(family, e, d, r) == Part::Trained;
                        // Three entities answer two relations alike (a turtle's home and place are both the beach).
                        let answers = domain.entities[e].answers;
                        let alike = (0..answers.len())
                            .any(|other| answers[other] == *answer && trained(other));
                        let held = !trained(r) && !alike;
                        // Cards list several things; there the answer may be another entity's.
                        let stated = if rest.contains(" cards : ") {
                            let card = format!("{} = {answer}", domain.entities[e].descriptors[d]);
                            document.contains(&padded(&card))
                        } else {
                            rest.contains(&padded(answer))
                        };
                        assert!(!(held && stated), "{document:?} gives away {answer:?}");
                    }
                }
            }
        }
        assert!(with_descriptor > DOCUMENTS / 3);
    }

    #[test]
    fn no_document_gives_away_a_held_out_opposite() {
        let split = Split::standard();
        let mut generator = Generator::new(8);
        let mut checked = 0usize;
        for _ in 0..DOCUMENTS {
            let document = padded(&generator.document());
            for (i, words) in CONCEPTS.iter().enumerate() {
                for language in [1, 2] {
                    let (c, o) = (words[language], CONCEPTS[i ^ 1][language]);
                    if !(document.contains(&padded(c)) && document.contains(&padded(o))) {
                        continue;
                    }
                    checked += 1;
                    // The other direction may be trained; what must not happen is this word followed by its opposite.
                    let after = document.find(&padded(c)).map_or("", |at| &document[at..]);
                    let card = document.contains(" cards : ");
                    let stated = if card {
                        document.contains(&format!(" {c} = {o} "))
                    } else {
                        after.contains(&padded(o))
                    };
                    assert!(
                        !(split.opposite(i, language) != Part::Trained && stated),
                        "{document:?}"
                    );
                }
            }
        }
        assert!(checked > 500, "{checked}");
    }

    #[test]
    fn no_document_contains_a_held_out_first_line() {
        let split = Split::standard();
        let mut generator = Generator::new(9);
        let mut trained = 0usize;
        for _ in 0..DOCUMENTS {
            let document = padded(&generator.document());
            for (t, theme) in THEMES.iter().enumerate() {
                for (s, subject) in theme.subjects.iter().enumerate() {
                    if !document.contains(&padded(subject)) {
                        continue;
                    }
                    for (k, sound) in SOUNDS.iter().enumerate() {
                        for (c, cue) in sound.cues.iter().enumerate() {
                            let last = cue.rsplit(' ').next().unwrap();
                            let line = document.contains(&padded(cue))
                                || document.contains(&format!(" rhymes with {last} "));
                            if line {
                                trained += 1;
                                assert_eq!(
                                    split.couplet(t, s, k, c),
                                    Part::Trained,
                                    "{document:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
        assert!(trained > 1000);
    }

    #[test]
    fn a_seed_is_a_text_for_ever() {
        let vocabulary = Vocabulary::standard();
        let tokens = Generator::new(0).tokens(&vocabulary, 20_000);
        let bytes: Vec<u8> = tokens
            .iter()
            .flat_map(|token| token.to_le_bytes())
            .collect();
        let hash: String = Sha256::digest(&bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(
            hash,
            "44446a6d14daef844622f87b07a61755d88a9793db32a847b7da48637e426c0a"
        );
        assert_ne!(tokens, Generator::new(1).tokens(&vocabulary, 20_000));
        assert_ne!(
            tokens,
            Generator::with_recipe(Recipe::default(), 0, 1).tokens(&vocabulary, 20_000)
        );
    }

    #[test]
    fn windows_are_cut_from_the_stream() {
        let vocabulary = Vocabulary::standard();
        let windows = Generator::new(3).windows(&vocabulary, 5, 64);
        assert_eq!(windows.concat(), Generator::new(3).tokens(&vocabulary, 320));
        assert!(windows.iter().all(|window| window.len() == 64));
    }
}
