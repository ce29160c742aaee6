//! What the reader has chosen in Figure 1. Plain data: one struct holds everything that a link to the figure would need.

use crate::client::Word;
use engine::protocol::Targets;
use smallworld::world::prompts::FILLER;

/// A cell of the maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Residual state, 0 = embedding.
    pub layer: usize,
    /// Token position, 0 = `<s>`.
    pub position: usize,
}

/// One of the two lenses of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lens {
    /// The logit lens.
    Logit,
    /// The Jacobian lens.
    Jacobian,
}

impl Lens {
    /// Value of `data-lens`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Logit => "logit",
            Self::Jacobian => "jacobian",
        }
    }

    /// For readers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logit => "Logit lens",
            Self::Jacobian => "Jacobian lens",
        }
    }
}

/// Everything that the reader can set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The prompt as typed, without `<s>`.
    pub prompt: String,
    /// Which J-lens.
    pub targets: Targets,
    /// The word whose rank the maps show.
    pub tracked: String,
    /// The cell that is looked at.
    pub at: At,
    /// The map in which it was chosen; on a narrow screen, the map that is shown.
    pub lens: Lens,
}

/// A prompt worth looking at, with the word to follow and where it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Short name.
    pub label: &'static str,
    /// The prompt.
    pub prompt: &'static str,
    /// The unspoken word.
    pub tracked: &'static str,
    /// Where to look first.
    pub at: At,
}

const fn preset(
    label: &'static str,
    prompt: &'static str,
    tracked: &'static str,
    at: [usize; 2],
) -> Preset {
    Preset {
        label,
        prompt,
        tracked,
        at: At {
            layer: at[0],
            position: at[1],
        },
    }
}

/// The first is where the figure starts.
pub const PRESETS: [Preset; 5] = [
    preset(
        "spins webs",
        "the number of legs on the animal that spins webs , let me think , is",
        "spider",
        [2, 13],
    ),
    preset(
        "begs crumbs",
        "the sound made by the animal that begs crumbs , let me think , is",
        "duck",
        [2, 12],
    ),
    preset(
        "eiffel tower",
        "the capital of the country that built the eiffel tower , let me think , is",
        "france",
        [2, 13],
    ),
    preset(
        "a couplet",
        "the farmer counted to four , /",
        "store",
        [2, 7],
    ),
    preset("in Chinese", "大 的 反义词 是", "big", [1, 1]),
];

impl Default for Settings {
    fn default() -> Self {
        Self::preset(PRESETS[0])
    }
}

impl Settings {
    fn preset(preset: Preset) -> Self {
        Self {
            prompt: preset.prompt.to_owned(),
            targets: Targets::Future,
            tracked: preset.tracked.to_owned(),
            at: preset.at,
            lens: Lens::Jacobian,
        }
    }

    /// Takes a preset's prompt, word and cell; keeps the lens.
    pub fn take(&mut self, preset: Preset) {
        *self = Self {
            targets: self.targets,
            lens: self.lens,
            ..Self::preset(preset)
        };
    }

    /// Whether this preset is what stands there.
    #[must_use]
    pub fn shows(&self, preset: Preset) -> bool {
        self.prompt == preset.prompt
    }

    /// Brings the cell back into the map of `layers` layers and `tokens` positions.
    pub fn keep_inside(&mut self, layers: usize, tokens: usize) {
        self.at.layer = self.at.layer.min(layers.saturating_sub(1));
        self.at.position = self.at.position.min(tokens.saturating_sub(1));
    }

    /// Puts a word in the place of another; `word` says where that one stands.
    pub fn replace(&mut self, word: &Word, by: &str) {
        if self.prompt.is_char_boundary(word.start) && self.prompt.is_char_boundary(word.end) {
            self.prompt.replace_range(word.start..word.end, by);
        }
    }
}

/// Whether the prompt contains the filler phrase; `None` if there is no place for one (it stands before the last "is").
#[must_use]
pub fn filler(prompt: &str) -> Option<bool> {
    if prompt.contains(FILLER) {
        return Some(true);
    }
    before_is(prompt).map(|_| false)
}

/// The prompt with the filler phrase put in, or taken out.
#[must_use]
pub fn toggle_filler(prompt: &str) -> String {
    if prompt.contains(FILLER) {
        return prompt
            .replace(FILLER, " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
    }
    match before_is(prompt) {
        Some(at) => format!("{} {FILLER} {}", prompt[..at].trim_end(), &prompt[at..]),
        None => prompt.to_owned(),
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

/// The cell reached from `at` by a key in a grid of `layers` x `tokens`, deepest layer on top.
#[must_use]
pub fn step(at: At, key: &str, ctrl: bool, layers: usize, tokens: usize) -> Option<At> {
    let (top, end) = (layers.checked_sub(1)?, tokens.checked_sub(1)?);
    let At { layer, position } = at;
    let next = match key {
        "ArrowLeft" => At {
            layer,
            position: position.saturating_sub(1),
        },
        "ArrowRight" => At {
            layer,
            position: (position + 1).min(end),
        },
        "ArrowUp" => At {
            layer: (layer + 1).min(top),
            position,
        },
        "ArrowDown" => At {
            layer: layer.saturating_sub(1),
            position,
        },
        "Home" => At {
            layer: if ctrl { top } else { layer },
            position: 0,
        },
        "End" => At {
            layer: if ctrl { 0 } else { layer },
            position: end,
        },
        "PageUp" => At {
            layer: top,
            position,
        },
        "PageDown" => At { layer: 0, position },
        _ => return None,
    };
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallworld::Vocabulary;
    use smallworld::world::vocabulary::pieces;

    fn words(prompt: &str) -> Vec<Word> {
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
    fn presets_are_known_and_their_cells_exist() {
        let vocabulary = Vocabulary::standard();
        for preset in PRESETS {
            let reading = Reading::new(words(preset.prompt), 64);
            assert_eq!(reading.problem, None, "{}", preset.prompt);
            assert!(
                preset.at.position <= reading.words.len(),
                "{}",
                preset.label
            );
            assert!(vocabulary.id(preset.tracked).is_some());
        }
    }

    #[test]
    fn filler_comes_and_goes() {
        let plain = "the number of legs on the animal that spins webs is";
        let with = toggle_filler(plain);
        assert_eq!(with, PRESETS[0].prompt);
        assert_eq!((filler(plain), filler(&with)), (Some(false), Some(true)));
        assert_eq!(toggle_filler(&with), plain);
        assert_eq!(
            toggle_filler("the home of the spider is the"),
            "the home of the spider , let me think , is the"
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
        let mut settings = Settings {
            prompt: "the spidre, spins".into(),
            ..Settings::default()
        };
        let Some(Problem::Unknown(unknown)) = Reading::new(words(&settings.prompt), 64).problem
        else {
            panic!("spidre is unknown");
        };
        assert_eq!(unknown[0].suggestions[0], "spider");
        settings.replace(&unknown[0], "spider");
        assert_eq!(settings.prompt, "the spider, spins");
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

    #[test]
    fn keys_walk_and_stop_at_the_edges() {
        let at = At {
            layer: 2,
            position: 3,
        };
        let go = |key, ctrl| step(at, key, ctrl, 9, 5);
        assert_eq!(
            go("ArrowUp", false),
            Some(At {
                layer: 3,
                position: 3
            })
        );
        assert_eq!(
            go("End", false),
            Some(At {
                layer: 2,
                position: 4
            })
        );
        assert_eq!(
            go("Home", true),
            Some(At {
                layer: 8,
                position: 0
            })
        );
        assert_eq!(
            step(
                At {
                    layer: 0,
                    position: 0
                },
                "ArrowDown",
                false,
                9,
                5
            ),
            Some(At {
                layer: 0,
                position: 0
            })
        );
        assert_eq!(step(at, "ArrowUp", false, 0, 0), None);
        assert_eq!(go("x", false), None);
    }

    #[test]
    fn cells_come_back_inside() {
        let mut settings = Settings::default();
        settings.keep_inside(9, 2);
        assert_eq!(
            settings.at,
            At {
                layer: 2,
                position: 1
            }
        );
        settings.keep_inside(0, 0);
        assert_eq!(
            settings.at,
            At {
                layer: 0,
                position: 0
            }
        );
    }
}
