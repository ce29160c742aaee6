//! What the reader has chosen in Figure 1. Plain data: one struct holds everything that a link to the figure would need.

use super::presets::{PRESETS, Preset};
pub use crate::figures::grid::{At, step};
use engine::protocol::Targets;

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
        self.at = self.at.inside(layers, tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
