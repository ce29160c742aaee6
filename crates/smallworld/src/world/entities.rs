//! Documents about animals and countries: questions, names, stories, flash cards.

use super::tables::{Domain, Entity, NAMES};
use super::templates::{
    CARD, CARD_BREAK, CARDS, DESCRIPTION, DESCRIPTION_ADJECTIVES, DESCRIPTION_ADVERBS, FILLERS,
    MEMO, MEMO_NAME, NAME_CARDS, NAMING, PLAIN, QUIZ, STATEMENT, STORY_DEED, STORY_NAME,
    STORY_START, THINKING, THINKING_NAME, TWO_HOP, fill,
};
use super::{Family, Generator, Part};

/// The entity that a document is about, with the descriptor that it uses and the relations that may be answered beside it.
struct Topic {
    family: Family,
    domain: &'static Domain,
    index: usize,
    entity: &'static Entity,
    descriptor: usize,
    open: Vec<usize>,
}

impl Topic {
    fn text(&self) -> &'static str {
        self.entity.descriptors[self.descriptor]
    }

    fn fact(&self, relation: usize) -> String {
        let fact = fill(
            self.domain.relations[relation].fact,
            &[("a", self.entity.answers[relation])],
        );
        fill(STATEMENT, &[("f", &fact)])
    }
}

impl Generator {
    pub(super) fn entity_document(&mut self, family: Family) -> String {
        let domain = family.domain();
        let index = self.dice.below(domain.entities.len());
        let kind = self.dice.weighted(&self.recipe.entities);
        let descriptor = self.dice.below(domain.entities[index].descriptors.len());
        let open = self.open(family, index, &[descriptor]);
        let topic = Topic {
            family,
            domain,
            index,
            entity: &domain.entities[index],
            descriptor,
            open,
        };
        match kind {
            0 => self.two_hop(&topic),
            1 => self.named(&topic),
            2 => self.naming(&topic),
            3 => self.plain(&topic),
            4 => self.thinking(&topic),
            5 => self.story(&topic),
            6 => self.quiz(&topic),
            7 => self.cards(&topic),
            _ => self.memo(&topic),
        }
    }

    /// Relations that training may state beside these descriptors of an entity.
    fn open(&self, family: Family, entity: usize, descriptors: &[usize]) -> Vec<usize> {
        let trained = |&r: &usize| {
            descriptors
                .iter()
                .all(|&d| self.split.triple(family, entity, d, r) == Part::Trained)
        };
        (0..family.domain().relations.len())
            .filter(trained)
            .collect()
    }

    /// "the strange animal that often spins webs", without filler.
    fn described(&mut self, domain: &Domain, descriptor: &str) -> String {
        let adverb = if self.dice.chance(0.2) {
            self.dice.pick(&DESCRIPTION_ADVERBS)
        } else {
            ""
        };
        let adjective = if self.dice.chance(0.15) {
            self.dice.pick(&DESCRIPTION_ADJECTIVES)
        } else {
            ""
        };
        fill(
            DESCRIPTION,
            &[
                ("k", domain.kind),
                ("d", descriptor),
                ("adverb", adverb),
                ("adjective", adjective),
            ],
        )
    }

    /// A description, perhaps with a filler behind it.
    fn described_with_filler(&mut self, topic: &Topic) -> String {
        let description = self.described(topic.domain, topic.text());
        let filler = self.filler();
        fill("{x} {f}", &[("x", &description), ("f", filler)])
    }

    /// One of the fillers, or nothing.
    pub(super) fn filler(&mut self) -> &'static str {
        if self.dice.chance(self.recipe.filler) {
            self.dice.pick(&FILLERS)
        } else {
            ""
        }
    }

    fn question(&mut self, topic: &Topic, relation: usize, subject: &str) -> String {
        fill(
            self.dice.pick(&topic.domain.relations[relation].questions),
            &[("x", subject)],
        )
    }

    fn two_hop(&mut self, topic: &Topic) -> String {
        let relation = self.dice.pick(&topic.open);
        let x = self.described_with_filler(topic);
        let question = self.question(topic, relation, &x);
        fill(
            TWO_HOP,
            &[("q", &question), ("a", topic.entity.answers[relation])],
        )
    }

    fn named(&mut self, topic: &Topic) -> String {
        let relation = self.dice.below(topic.domain.relations.len());
        let filler = if self.dice.chance(0.4) {
            self.filler()
        } else {
            ""
        };
        let x = fill(
            "{E} {f}",
            &[("E", &topic.domain.named(topic.entity)), ("f", filler)],
        );
        let question = self.question(topic, relation, &x);
        fill(
            TWO_HOP,
            &[("q", &question), ("a", topic.entity.answers[relation])],
        )
    }

    fn naming(&mut self, topic: &Topic) -> String {
        let x = self.described_with_filler(topic);
        let name = topic.domain.named(topic.entity);
        fill(
            self.dice.pick(&NAMING),
            &[("x", &x), ("E", &name), ("e", topic.entity.name)],
        )
    }

    fn plain(&mut self, topic: &Topic) -> String {
        let x = self.described(topic.domain, topic.text());
        let name = topic.domain.named(topic.entity);
        fill(
            self.dice.pick(&PLAIN),
            &[("x", &x), ("E", &name), ("d", topic.text())],
        )
    }

    fn thinking(&mut self, topic: &Topic) -> String {
        let x = self.described(topic.domain, topic.text());
        let relation = self.dice.pick(&topic.open);
        let name = self.dice.pick(&NAMES);
        let opening = fill(self.dice.pick(&THINKING), &[("x", &x), ("n", name)]);
        let mut parts = Vec::new();
        if self.dice.chance(0.7) {
            let name = topic.domain.named(topic.entity);
            parts.push(fill(
                self.dice.pick(&THINKING_NAME),
                &[("E", &name), ("e", topic.entity.name)],
            ));
        }
        parts.push(topic.fact(relation));
        if self.dice.chance(0.4) {
            self.dice.shuffle(&mut parts);
        }
        format!("{opening} {}", parts.join(" "))
    }

    fn story(&mut self, topic: &Topic) -> String {
        let name = self.dice.pick(&NAMES);
        // One of the three other descriptors.
        let second = (topic.descriptor + 1 + self.dice.below(3)) % 4;
        let open = self.open(topic.family, topic.index, &[topic.descriptor, second]);
        let mut parts = vec![
            fill(
                self.dice.pick(&STORY_START),
                &[("n", name), ("k", topic.domain.kind)],
            ),
            fill(STORY_DEED[0], &[("d", topic.text())]),
        ];
        if self.dice.chance(0.5) {
            parts.push(fill(
                STORY_DEED[1],
                &[("d", topic.entity.descriptors[second])],
            ));
        }
        if !open.is_empty() && self.dice.chance(0.6) {
            parts.push(topic.fact(self.dice.pick(&open)));
        }
        let entity = topic.domain.named(topic.entity);
        parts.push(fill(
            self.dice.pick(&STORY_NAME),
            &[("E", &entity), ("e", topic.entity.name), ("n", name)],
        ));
        parts.join(" ")
    }

    fn quiz(&mut self, topic: &Topic) -> String {
        let relation = self.dice.pick(&topic.open);
        let x = self.described_with_filler(topic);
        if self.dice.chance(0.5) {
            return fill(QUIZ[0], &[("x", &x), ("e", topic.entity.name)]);
        }
        let question = self.question(topic, relation, &x);
        fill(
            QUIZ[1],
            &[("q", &question), ("a", topic.entity.answers[relation])],
        )
    }

    /// A list of two to four flash cards about different entities, all on one subject.
    fn cards(&mut self, topic: &Topic) -> String {
        let relations = topic.domain.relations;
        let mut weights = vec![1.0; relations.len() + 1];
        weights[0] = self.recipe.name_cards;
        let subject = self.dice.weighted(&weights).checked_sub(1);
        let count = 2 + self.dice.below(3);
        let items: Vec<String> = (0..count)
            .map(|_| self.card(topic.family, subject))
            .collect();
        let title = subject.map_or(NAME_CARDS, |relation| relations[relation].name);
        fill(CARDS, &[("k", title), ("items", &items.join(CARD_BREAK))])
    }

    fn card(&mut self, family: Family, subject: Option<usize>) -> String {
        let domain = family.domain();
        let index = self.dice.below(domain.entities.len());
        let entity = &domain.entities[index];
        let Some(relation) = subject else {
            return fill(
                CARD,
                &[
                    ("l", self.dice.pick(&entity.descriptors)),
                    ("r", entity.name),
                ],
            );
        };
        let trained: Vec<usize> = (0..entity.descriptors.len())
            .filter(|&d| self.split.triple(family, index, d, relation) == Part::Trained)
            .collect();
        let left = if self.dice.chance(0.6) {
            entity.descriptors[self.dice.pick(&trained)]
        } else {
            entity.name
        };
        fill(CARD, &[("l", left), ("r", entity.answers[relation])])
    }

    /// Two people see two things, which are named later.
    fn memo(&mut self, topic: &Topic) -> String {
        let domain = topic.domain;
        let other =
            (topic.index + 1 + self.dice.below(domain.entities.len() - 1)) % domain.entities.len();
        let other = &domain.entities[other];
        let mut people = NAMES;
        self.dice.shuffle(&mut people);
        let first = self.described(domain, topic.text());
        let other_descriptor = self.dice.pick(&other.descriptors);
        let second = self.described(domain, other_descriptor);
        let mut named = [(people[0], topic.entity), (people[1], other)]
            .map(|(n, entity)| fill(MEMO_NAME, &[("n", n), ("E", &domain.named(entity))]));
        self.dice.shuffle(&mut named);
        fill(
            MEMO,
            &[
                ("n", people[0]),
                ("m", people[1]),
                ("x", &first),
                ("y", &second),
                ("first", &named[0]),
                ("second", &named[1]),
            ],
        )
    }
}
