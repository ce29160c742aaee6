//! Prompts worth looking at in Figure 1.

use super::settings::At;

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
#[rustfmt::skip]
pub const PRESETS: [Preset; 6] = [
    preset("spins webs", "the number of legs on the animal that spins webs , let me think for a while , is", "spider", [3, 17]),
    preset("climbs walls", "the number of legs on the animal that climbs walls , let me think , is", "spider", [3, 14]),
    preset("begs crumbs", "the sound made by the animal that begs crumbs , let me think , is", "duck", [4, 12]),
    preset("eiffel tower", "the capital of the country that built the eiffel tower , let me think , is", "france", [2, 13]),
    preset("a couplet", "the farmer counted to four , /", "store", [4, 7]),
    preset("in Chinese", "大 的 反义词 是", "big", [1, 1]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::prompt::reading::{Reading, tests::words};
    use smallworld::Vocabulary;

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
}
