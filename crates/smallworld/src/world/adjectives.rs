//! Documents about adjectives in three languages: opposites, translations, uses, flash cards.

use super::tables::{CONCEPTS, LANGUAGES, NAMES, OBJECTS};
use super::templates::{
    CARD, CARD_BREAK, CARDS, CROSS_OPPOSITE, FILLERS, MEANING, OPPOSITE, OPPOSITE_CARDS,
    OPPOSITE_END, OPPOSITE_FILLERS, TRANSLATION, USE_CHINESE, USE_ENGLISH, USE_FRENCH, fill,
};
use super::{Generator, Part};

const ENGLISH: usize = 0;

impl Generator {
    pub(super) fn adjective_document(&mut self) -> String {
        let concept = self.dice.below(CONCEPTS.len());
        match self.dice.weighted(&self.recipe.adjectives) {
            0 => self.opposite(concept),
            1 => self.translation(concept),
            2 => self.adjective_use(concept),
            3 => self.cross_opposite(concept),
            _ => self.adjective_cards(),
        }
    }

    fn held(&self, concept: usize, language: usize) -> bool {
        self.split.opposite(concept, language) != Part::Trained
    }

    fn adjective_filler(&mut self) -> &'static str {
        if self.dice.chance(self.recipe.adjective_filler) {
            self.dice.pick(&FILLERS)
        } else {
            ""
        }
    }

    fn opposite(&mut self, concept: usize) -> String {
        let drawn = self.dice.below(LANGUAGES.len());
        let language = if self.held(concept, drawn) {
            ENGLISH
        } else {
            drawn
        };
        let filler = if self.dice.chance(self.recipe.adjective_filler) {
            self.dice.pick(OPPOSITE_FILLERS[language])
        } else {
            ""
        };
        let question = fill(
            OPPOSITE[language],
            &[("c", CONCEPTS[concept][language]), ("f", filler)],
        );
        fill(
            OPPOSITE_END,
            &[("q", &question), ("a", CONCEPTS[concept ^ 1][language])],
        )
    }

    /// From one language to another; half of the time into English.
    fn translation(&mut self, concept: usize) -> String {
        let words = CONCEPTS[concept];
        let mut order = [0, 1, 2];
        self.dice.shuffle(&mut order);
        let (from, to) = if self.dice.chance(0.5) {
            (1 + self.dice.below(2), ENGLISH)
        } else {
            (order[0], order[1])
        };
        let filler = self.adjective_filler();
        let choices = if from == ENGLISH { 2 } else { 4 };
        let choice = self.dice.below(choices);
        if choice >= TRANSLATION.len() {
            return fill(
                MEANING,
                &[("c", words[from]), ("f", filler), ("a", words[ENGLISH])],
            );
        }
        fill(
            TRANSLATION[choice],
            &[
                ("c", words[from]),
                ("f", filler),
                ("language", LANGUAGES[to]),
                ("a", words[to]),
            ],
        )
    }

    fn adjective_use(&mut self, concept: usize) -> String {
        let object = self.dice.pick(&OBJECTS);
        let language = self.dice.weighted(&[3.0, 1.0, 1.0]);
        let pattern = match language {
            ENGLISH => self.dice.pick(&USE_ENGLISH),
            1 => USE_FRENCH,
            _ => USE_CHINESE,
        };
        let (word, opposite) = (CONCEPTS[concept][language], CONCEPTS[concept ^ 1][language]);
        let name = self.dice.pick(&NAMES);
        fill(
            pattern,
            &[
                ("o", object[language]),
                ("c", word),
                ("opposite", opposite),
                ("n", name),
            ],
        )
    }

    /// The opposite in another language, which needs a concept that belongs to neither.
    fn cross_opposite(&mut self, concept: usize) -> String {
        let (drawn, to) = (self.dice.below(3), self.dice.below(3));
        let from = if drawn == to && self.held(concept, drawn) {
            ENGLISH
        } else {
            drawn
        };
        let filler = self.adjective_filler();
        let slots = [
            ("c", CONCEPTS[concept][from]),
            ("f", filler),
            ("language", LANGUAGES[to]),
            ("a", CONCEPTS[concept ^ 1][to]),
        ];
        fill(CROSS_OPPOSITE, &slots)
    }

    fn adjective_cards(&mut self) -> String {
        let language = 1 + self.dice.below(2);
        let title = self.dice.pick(&[
            LANGUAGES[ENGLISH],
            LANGUAGES[ENGLISH],
            OPPOSITE_CARDS,
            LANGUAGES[language],
        ]);
        let count = 2 + self.dice.below(3);
        let items: Vec<String> = (0..count)
            .map(|_| self.adjective_card(title, language))
            .collect();
        fill(CARDS, &[("k", title), ("items", &items.join(CARD_BREAK))])
    }

    fn adjective_card(&mut self, title: &str, language: usize) -> String {
        let concept = self.dice.below(CONCEPTS.len());
        let words = CONCEPTS[concept];
        let (left, right) = if title == OPPOSITE_CARDS {
            let spoken = if self.held(concept, language) {
                ENGLISH
            } else {
                language
            };
            (words[spoken], CONCEPTS[concept ^ 1][spoken])
        } else if title == LANGUAGES[ENGLISH] {
            (words[language], words[ENGLISH])
        } else {
            (words[ENGLISH], words[language])
        };
        fill(CARD, &[("l", left), ("r", right)])
    }
}
