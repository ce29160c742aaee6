//! Every sentence pattern of the corpus. A word in braces is a slot; a slot filled with nothing disappears.
//!
//! Slots: `{e}` bare name, `{E}` name as it stands in a sentence, `{d}` descriptor, `{x}` a description ("the animal that
//! spins webs", perhaps with a filler), `{a}` answer, `{n}` and `{m}` people, `{k}` kind, relation or card title.
//! The vocabulary is collected from these patterns and the tables, so nothing outside them can be said.

/// The token that starts every document.
pub const START: &str = "<s>";

pub(crate) const DESCRIPTION: &str = "the {adjective} {k} that {adverb} {d}";
pub(crate) const DESCRIPTION_ADJECTIVES: [&str; 3] = ["strange", "famous", "other"];
pub(crate) const DESCRIPTION_ADVERBS: [&str; 4] = ["often", "always", "really", "also"];

/// Words that say nothing and give the model time: the first is the one used in evaluation prompts.
pub const FILLERS: [&str; 6] = [
    ", let me think ,",
    ", let me think for a while ,",
    ", well ,",
    ", as we all know ,",
    ", i am sure ,",
    ", of course ,",
];

pub(crate) const TWO_HOP: &str = "{q} {a} .";
pub(crate) const NAMING: [&str; 4] = [
    "{x} is {E} .",
    "the name of {x} is {e} .",
    "{x} is called {E} .",
    "i see {x} : {E} .",
];
/// The evaluation form of [`NAMING`], up to the name.
pub(crate) const NAMING_PROMPT: &str = "the name of {x} is";
pub(crate) const PLAIN: [&str; 2] = ["{E} {d} .", "{E} is {x} ."];
pub(crate) const THINKING: [&str; 3] = [
    "{n} is thinking of {x} .",
    "i am thinking of {x} .",
    "{n} dreams of {x} .",
];
pub(crate) const THINKING_NAME: [&str; 2] = ["it is {E} .", "the word in mind is {e} ."];
pub(crate) const STATEMENT: &str = "{f} .";
pub(crate) const STORY_START: [&str; 3] = [
    "{n} saw a strange {k} .",
    "{n} saw one {k} .",
    "{n} saw a new {k} .",
];
pub(crate) const STORY_DEED: [&str; 2] = ["it {d} .", "it also {d} ."];
pub(crate) const STORY_NAME: [&str; 3] =
    ["it was {E} .", "{n} said : {e} !", "so the name is {e} ."];
pub(crate) const QUIZ: [&str; 2] = [
    "question : what is the name of {x} ? answer : {e} .",
    "question : {q} ? answer : {a} .",
];
pub(crate) const CARDS: &str = "{k} cards : {items} .";
pub(crate) const CARD: &str = "{l} = {r}";
pub(crate) const CARD_BREAK: &str = " ; ";
pub(crate) const NAME_CARDS: &str = "name";
pub(crate) const MEMO: &str = "{n} saw {x} , {m} saw {y} . {first} {second}";
pub(crate) const MEMO_NAME: &str = "{n} saw {E} .";

/// Opposites within a language, up to the answer; `{c}` the adjective, `{f}` a filler. Order: English, French, Chinese.
pub(crate) const OPPOSITE: [&str; 3] = [
    "the opposite of {c} {f} is",
    "le contraire de {c} {f} est",
    "{c} 的 反义词 {f} 是",
];
pub(crate) const OPPOSITE_END: &str = "{q} {a} .";
pub(crate) const OPPOSITE_FILLERS: [&[&str]; 3] = [
    &[", let me think ,", ", well ,", ", of course ,"],
    &[", voyons un peu ,", ", bien sur ,"],
    &[", 让 我 想 ,", ", 当然 ,"],
];
pub(crate) const TRANSLATION: [&str; 2] = [
    "the {language} word for {c} {f} is {a} .",
    "{c} {f} in {language} is {a} .",
];
pub(crate) const MEANING: &str = "{c} {f} means {a} .";
pub(crate) const CROSS_OPPOSITE: &str = "the {language} opposite of {c} {f} is {a} .";
pub(crate) const USE_ENGLISH: [&str; 3] = [
    "the {o} is {c} .",
    "the {o} is not {opposite} , it is {c} .",
    "{n} has a {c} {o} .",
];
pub(crate) const USE_FRENCH: &str = "la {o} est {c} .";
pub(crate) const USE_CHINESE: &str = "{o} 很 {c} .";
pub(crate) const OPPOSITE_CARDS: &str = "opposite";

/// Line 1 of a couplet; `/` is the line break.
pub(crate) const LINE_ONE: &str = "the {s} {cue} , /";
pub(crate) const LINE_TWO: [&str; 5] = [
    "to {verb} the {adjective} {noun} .",
    "to see the {adjective} {noun} .",
    "to see the {noun} .",
    "to {verb} the {noun} .",
    ": the {noun} .",
];
pub(crate) const RUN_UPS: [&str; 3] = ["and set out", "who had come", "then went on"];
pub(crate) const RHYME: [&str; 2] = [
    "a {s} word that rhymes with {cue} is {noun} .",
    "the {s} {cue} , so the rhyme is {noun} .",
];
pub(crate) const ENDING_USE: [&str; 5] = [
    "the {s} likes the {adjective} {noun} .",
    "{n} will {verb} the {noun} .",
    "{n} sees the {adjective} {noun} .",
    "the {noun} is {adjective} .",
    "{n} will {verb} the {adjective} {noun} .",
];

/// Patterns that stand alone.
#[rustfmt::skip]
const SINGLE: [&str; 17] = [
    START, DESCRIPTION, TWO_HOP, STATEMENT, CARDS, CARD, CARD_BREAK, NAME_CARDS, MEMO, MEMO_NAME, OPPOSITE_END, MEANING,
    CROSS_OPPOSITE, USE_FRENCH, USE_CHINESE, OPPOSITE_CARDS, LINE_ONE,
];

/// All patterns, for the vocabulary.
#[rustfmt::skip]
pub(crate) fn all() -> Vec<&'static str> {
    let groups: [&[&str]; 19] = [
        &SINGLE, &DESCRIPTION_ADJECTIVES, &DESCRIPTION_ADVERBS, &FILLERS, &NAMING, &PLAIN, &THINKING, &THINKING_NAME,
        &STORY_START, &STORY_DEED, &STORY_NAME, &QUIZ, &OPPOSITE, &TRANSLATION, &USE_ENGLISH, &LINE_TWO, &RUN_UPS, &RHYME,
        &ENDING_USE,
    ];
    groups.into_iter().chain(OPPOSITE_FILLERS).flatten().copied().collect()
}

/// The pattern with its slots filled; words are separated by single spaces. Slots that are not given stay empty.
pub(crate) fn fill(pattern: &str, slots: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(pattern.len() + 48);
    for word in pattern.split_whitespace() {
        let value = match word
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
        {
            Some(slot) => slots
                .iter()
                .find(|(name, _)| *name == slot)
                .map_or("", |(_, value)| *value),
            None => word,
        };
        if !value.is_empty() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(value);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn slots_fill_and_vanish() {
        assert_eq!(
            fill("the {adjective} {k} sings", &[("k", "big whale")]),
            "the big whale sings"
        );
        assert_eq!(fill("{x} .", &[("x", "a b")]), "a b .");
    }
}
