//! The evaluation sets: prompts with what a reader needs to score them. Every prompt begins with `<s>` and stops right before
//! the answer (couplets: right after the line break). `source` is the token position, counting `<s>` as 0, at which the
//! bridge can first be known: the last word of the descriptor, the name, the adjective, or the end of line 1.

use super::tables::{CONCEPTS, SOUNDS, THEMES};
use super::templates::{
    DESCRIPTION, FILLERS, LINE_ONE, NAMING_PROMPT, OPPOSITE, OPPOSITE_FILLERS, START, fill,
};
use super::{Family, Part, Split};

/// A question about an entity that is described or named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The words, from `<s>` to right before the answer.
    pub prompt: String,
    /// Which tables it is about.
    pub family: Family,
    /// Index of the entity.
    pub entity: usize,
    /// Index of its descriptor, if it is described and not named.
    pub descriptor: Option<usize>,
    /// Index of the relation; none when the name itself is asked for.
    pub relation: Option<usize>,
    /// The entity's name, unspoken when described.
    pub bridge: &'static str,
    /// The right next word.
    pub answer: &'static str,
    /// Trained, validation or test. Questions about named entities are all trained.
    pub part: Part,
    /// Token position at which the bridge can first be known.
    pub source: usize,
}

/// "The opposite of ... is" within French or Chinese.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opposite {
    /// The words, from `<s>` to right before the answer.
    pub prompt: String,
    /// Index of the concept asked about; its opposite is `concept ^ 1`.
    pub concept: usize,
    /// 1 French, 2 Chinese.
    pub language: usize,
    /// English word of the concept asked about.
    pub bridge: &'static str,
    /// The right next word.
    pub answer: &'static str,
    /// English word of the answer.
    pub english_answer: &'static str,
    /// Trained, validation or test.
    pub part: Part,
    /// Token position of the adjective.
    pub source: usize,
}

/// Line 1 of a couplet; the model writes line 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Couplet {
    /// The words, from `<s>` to the line break.
    pub prompt: String,
    /// Index of the theme.
    pub theme: usize,
    /// Index of the sound.
    pub sound: usize,
    /// The rhyme word to come, unspoken.
    pub noun: &'static str,
    /// The verb that goes with it.
    pub verb: &'static str,
    /// The adjective that goes with it.
    pub adjective: &'static str,
    /// Trained, validation or test.
    pub part: Part,
    /// Token position of the last word of line 1.
    pub source: usize,
}

/// The filler of the evaluation prompts: ", let me think ,".
pub const FILLER: &str = FILLERS[0];

fn start(text: &str) -> String {
    format!("{START} {text}")
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The question with its subject put in, and the position of the subject's last word.
fn ask(pattern: &str, subject: &str, filler: &str) -> (String, usize) {
    let before = pattern
        .split_whitespace()
        .take_while(|word| *word != "{x}")
        .count();
    let x = fill("{x} {f}", &[("x", subject), ("f", filler)]);
    (start(&fill(pattern, &[("x", &x)])), before + words(subject))
}

/// Described entities: every (entity, descriptor, relation) of the family in table order, asked in the first form.
/// `filler` is [`FILLER`] or "".
#[must_use]
pub fn two_hop(split: &Split, family: Family, filler: &str) -> Vec<Question> {
    let domain = family.domain();
    let mut questions = Vec::new();
    for (e, entity) in domain.entities.iter().enumerate() {
        for (d, descriptor) in entity.descriptors.iter().enumerate() {
            let subject = fill(DESCRIPTION, &[("k", domain.kind), ("d", descriptor)]);
            for (r, relation) in domain.relations.iter().enumerate() {
                let (prompt, source) = ask(relation.questions[0], &subject, filler);
                questions.push(Question {
                    prompt,
                    family,
                    entity: e,
                    descriptor: Some(d),
                    relation: Some(r),
                    bridge: entity.name,
                    answer: entity.answers[r],
                    part: split.triple(family, e, d, r),
                    source,
                });
            }
        }
    }
    questions
}

/// Named entities: every (entity, relation).
#[must_use]
pub fn named(family: Family, filler: &str) -> Vec<Question> {
    let domain = family.domain();
    let mut questions = Vec::new();
    for (e, entity) in domain.entities.iter().enumerate() {
        for (r, relation) in domain.relations.iter().enumerate() {
            let (prompt, source) = ask(relation.questions[0], &domain.named(entity), filler);
            questions.push(Question {
                prompt,
                family,
                entity: e,
                descriptor: None,
                relation: Some(r),
                bridge: entity.name,
                answer: entity.answers[r],
                part: Part::Trained,
                source,
            });
        }
    }
    questions
}

/// "the name of the animal that spins webs is".
#[must_use]
pub fn naming(family: Family) -> Vec<Question> {
    let domain = family.domain();
    let mut questions = Vec::new();
    for (e, entity) in domain.entities.iter().enumerate() {
        for (d, descriptor) in entity.descriptors.iter().enumerate() {
            let subject = fill(DESCRIPTION, &[("k", domain.kind), ("d", descriptor)]);
            let (prompt, source) = ask(NAMING_PROMPT, &subject, "");
            questions.push(Question {
                prompt,
                family,
                entity: e,
                descriptor: Some(d),
                relation: None,
                bridge: entity.name,
                answer: entity.name,
                part: Part::Trained,
                source,
            });
        }
    }
    questions
}

/// Opposites within French and Chinese; with the language's first filler if asked for.
#[must_use]
pub fn opposites(split: &Split, with_filler: bool) -> Vec<Opposite> {
    let mut prompts = Vec::new();
    for (concept, names) in CONCEPTS.iter().enumerate() {
        for language in [1, 2] {
            let filler = if with_filler {
                OPPOSITE_FILLERS[language][0]
            } else {
                ""
            };
            let pattern = OPPOSITE[language];
            let source = 1 + pattern
                .split_whitespace()
                .take_while(|word| *word != "{c}")
                .count();
            prompts.push(Opposite {
                prompt: start(&fill(pattern, &[("c", names[language]), ("f", filler)])),
                concept,
                language,
                bridge: names[0],
                answer: CONCEPTS[concept ^ 1][language],
                english_answer: CONCEPTS[concept ^ 1][0],
                part: split.opposite(concept, language),
                source,
            });
        }
    }
    prompts
}

/// Every first line.
#[must_use]
pub fn couplets(split: &Split) -> Vec<Couplet> {
    let mut prompts = Vec::new();
    for (t, theme) in THEMES.iter().enumerate() {
        for (s, subject) in theme.subjects.iter().enumerate() {
            for (k, sound) in SOUNDS.iter().enumerate() {
                for (c, cue) in sound.cues.iter().enumerate() {
                    let ending = theme.endings[k];
                    prompts.push(Couplet {
                        prompt: start(&fill(LINE_ONE, &[("s", subject), ("cue", cue)])),
                        theme: t,
                        sound: k,
                        noun: ending.noun,
                        verb: ending.verb,
                        adjective: ending.adjective,
                        part: split.couplet(t, s, k, c),
                        source: 2 + words(cue),
                    });
                }
            }
        }
    }
    prompts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Vocabulary;

    fn word(prompt: &str, at: usize) -> &str {
        prompt.split(' ').nth(at).unwrap()
    }

    #[test]
    fn sizes() {
        let split = Split::standard();
        assert_eq!(two_hop(&split, Family::Animals, "").len(), 28 * 4 * 8);
        assert_eq!(named(Family::Countries, "").len(), 16 * 5);
        assert_eq!(naming(Family::Animals).len(), 28 * 4);
        assert_eq!(
            (opposites(&split, false).len(), couplets(&split).len()),
            (56, 180)
        );
    }

    #[test]
    fn sources_point_at_the_deciding_word() {
        let split = Split::standard();
        let question = &two_hop(&split, Family::Animals, FILLER)[2];
        assert_eq!(
            question.prompt,
            "<s> the sound made by the animal that spins webs , let me think , is"
        );
        assert_eq!(
            (
                word(&question.prompt, question.source),
                question.bridge,
                question.answer
            ),
            ("webs", "spider", "nothing")
        );
        for family in Family::BOTH {
            for q in two_hop(&split, family, FILLER)
                .iter()
                .chain(&naming(family))
            {
                let descriptor =
                    family.domain().entities[q.entity].descriptors[q.descriptor.unwrap()];
                assert_eq!(
                    word(&q.prompt, q.source),
                    descriptor.rsplit(' ').next().unwrap(),
                    "{}",
                    q.prompt
                );
            }
            for q in named(family, FILLER) {
                assert_eq!(word(&q.prompt, q.source), q.bridge);
            }
        }
        for o in opposites(&split, true) {
            assert_eq!(word(&o.prompt, o.source), CONCEPTS[o.concept][o.language]);
        }
        for c in couplets(&split) {
            assert_eq!(
                (word(&c.prompt, c.source + 1), word(&c.prompt, c.source + 2)),
                (",", "/")
            );
        }
    }

    #[test]
    fn prompts_are_made_of_known_words() {
        let (split, vocabulary) = (Split::standard(), Vocabulary::standard());
        let questions = Family::BOTH
            .map(|family| two_hop(&split, family, FILLER))
            .concat();
        let texts = questions.into_iter().map(|q| q.prompt);
        let texts = texts.chain(opposites(&split, true).into_iter().map(|o| o.prompt));
        for text in texts.chain(couplets(&split).into_iter().map(|c| c.prompt)) {
            let ids = vocabulary.encode(&text).unwrap();
            assert_eq!(vocabulary.decode(&ids), text);
        }
    }
}
