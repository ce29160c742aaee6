//! What the reader has chosen in Figure 1. Plain data: one struct holds everything that a link to the figure would need.

use super::presets::{PRESETS, Preset};
use crate::client::Word;
use engine::protocol::Targets;

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
        settings.at.layer = 12;
        settings.keep_inside(9, 2);
        assert_eq!(
            settings.at,
            At {
                layer: 8,
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
