//! Which slices through the model there are to begin with.

use crate::figures::room::Room;

/// A slice that the reader has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The prompt.
    pub prompt: String,
    /// Layer whose residual is moved.
    pub layer: usize,
    /// Word of the prompt whose residual is moved (token position).
    pub position: usize,
    /// Words whose lens vectors span the input plane.
    pub words: [String; 2],
}

impl Setting {
    /// As the second half of a link: `layer;position;word;word;prompt`.
    #[must_use]
    pub fn to_link(&self) -> String {
        let [first, second] = &self.words;
        format!(
            "{};{};{first};{second};{}",
            self.layer, self.position, self.prompt
        )
    }

    /// The reverse; `None` for text that is not such a slice. Whether the model knows the words shows later.
    #[must_use]
    pub fn from_link(text: &str) -> Option<Self> {
        let mut parts = text.splitn(5, ';');
        let mut number = || {
            let number: usize = parts.next()?.parse().ok()?;
            Some(number.min(LARGEST))
        };
        let (layer, position) = (number()?, number()?);
        let words = [parts.next()?.to_owned(), parts.next()?.to_owned()];
        let prompt = parts.next()?.to_owned();
        Some(Self {
            prompt,
            layer,
            position,
            words,
        })
    }

    /// The nearest that the model has: a link may ask for more.
    #[must_use]
    pub fn inside(&self, room: Room) -> Self {
        let words = self.prompt.split_whitespace().count();
        Self {
            layer: room.layer(self.layer, 0),
            position: self.position.clamp(1, words.max(1)),
            ..self.clone()
        }
    }
}

/// Layers and positions beyond this are nonsense in a link.
const LARGEST: usize = 1000;

/// A slice to begin with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Name in the list.
    pub name: &'static str,
    prompt: &'static str,
    layer: usize,
    from_end: usize,
    words: [&'static str; 2],
}

/// Slices chosen because they bend visibly: moved where it is read off, the state is wrapped onto the sphere of the last norm;
/// moved one word earlier, it arrives through attention, and the plane may fold.
pub const PRESETS: [Preset; 4] = [
    Preset {
        name: "spider and ant, at the last word",
        prompt: SPIDER,
        layer: 2,
        from_end: 1,
        words: ["spider", "ant"],
    },
    Preset {
        name: "spider and ant, one word earlier",
        prompt: SPIDER,
        layer: 1,
        from_end: 2,
        words: ["spider", "ant"],
    },
    Preset {
        name: "8 and 6, one word earlier",
        prompt: SPIDER,
        layer: 1,
        from_end: 2,
        words: ["8", "6"],
    },
    Preset {
        name: "france and china, at the last word",
        prompt: "the capital of the country that bakes baguettes is",
        layer: 1,
        from_end: 1,
        words: ["france", "china"],
    },
];

const SPIDER: &str = "the number of legs on the animal that spins webs is";

impl Preset {
    /// The setting of this preset.
    pub fn setting(&self) -> Setting {
        let tokens = self.prompt.split_whitespace().count() + 1;
        Setting {
            prompt: self.prompt.to_owned(),
            layer: self.layer,
            position: tokens - self.from_end,
            words: self.words.map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_beyond_the_model_come_back_inside() {
        let room = Room { last: 7, width: 96 };
        for preset in &PRESETS {
            assert_eq!(preset.setting().inside(room), preset.setting());
        }
        let far = Setting {
            layer: 99,
            position: 999,
            ..PRESETS[0].setting()
        };
        let inside = far.inside(room);
        assert_eq!((inside.layer, inside.position), (7, 11));
    }

    #[test]
    fn presets_move_a_token_of_their_prompt() {
        let place = |preset: &Preset| {
            let setting = preset.setting();
            let last = setting.prompt.split_whitespace().count();
            last - setting.position
        };
        assert_eq!(PRESETS.each_ref().map(place), [0, 1, 1, 0]);
    }
}
