//! What is fitted.

use crate::client::{FitPlan, Reduction};
use engine::protocol::Targets;

/// Most prompts that the figure offers: the mean has settled long before.
pub const MOST_PROMPTS: u32 = 200;
/// Seed of the corpus stream; the shipped lens and the held-out prompts come from others.
pub const SEED: u64 = 9_001;

/// The reader's choices.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Sentences.
    pub prompts: u32,
    /// Which target positions are summed over.
    pub targets: Targets,
    /// No gradient through queries and keys.
    pub frozen: bool,
    /// The target is the last layer but one.
    pub penultimate: bool,
    /// Median of each element, not the mean.
    pub median: bool,
    /// Workers; 0 lets the page choose.
    pub workers: usize,
    /// Layer that is drawn.
    pub layer: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            prompts: 25,
            targets: Targets::All,
            frozen: false,
            penultimate: false,
            median: false,
            workers: 0,
            layer: 2,
        }
    }
}

impl Settings {
    /// Number of layers that the lens will have, in a model of `n_layers` blocks.
    pub fn sources(&self, n_layers: usize) -> usize {
        if self.penultimate {
            n_layers.saturating_sub(1).max(1)
        } else {
            n_layers
        }
    }

    /// The layer that is drawn, which may not be one of the lens (a penultimate target has one layer fewer).
    pub fn shown(&self, n_layers: usize) -> usize {
        self.layer.min(self.sources(n_layers) - 1)
    }

    /// The fit, for a model of `n_layers` blocks.
    pub fn plan(&self, n_layers: usize) -> FitPlan {
        FitPlan {
            seed: SEED,
            prompts: self.prompts.clamp(1, MOST_PROMPTS),
            targets: self.targets,
            frozen: self.frozen,
            target_layer: self.penultimate.then(|| self.sources(n_layers)),
            show_layer: self.shown(n_layers),
            reduction: if self.median {
                Reduction::Median
            } else {
                Reduction::Mean
            },
            workers: (self.workers > 0).then_some(self.workers),
        }
    }

    /// Whether the shipped lens is an estimate of the same thing. If not, the distance to it does not go to zero.
    pub fn is_like_the_shipped(&self) -> bool {
        !(self.frozen || self.penultimate || self.median)
    }

    /// What differs from the shipped lens, in words; empty if nothing does.
    pub fn difference(&self) -> String {
        let parts = [
            (self.frozen, "frozen attention"),
            (self.penultimate, "another target layer"),
            (self.median, "the median"),
        ];
        let different: Vec<&str> = parts
            .iter()
            .filter(|(on, _)| *on)
            .map(|(_, text)| *text)
            .collect();
        match different.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_penultimate_target_has_one_layer_fewer() {
        let settings = Settings {
            penultimate: true,
            layer: 7,
            ..Settings::default()
        };
        let plan = settings.plan(8);
        assert_eq!(
            (plan.target_layer, plan.show_layer, settings.sources(8)),
            (Some(7), 6, 7)
        );
        assert_eq!(Settings::default().plan(8).target_layer, None);
    }

    #[test]
    fn prompts_are_bounded() {
        assert_eq!(
            Settings {
                prompts: 0,
                ..Settings::default()
            }
            .plan(8)
            .prompts,
            1
        );
        assert_eq!(
            Settings {
                prompts: 9999,
                ..Settings::default()
            }
            .plan(8)
            .prompts,
            MOST_PROMPTS
        );
    }

    #[test]
    fn differences_are_named() {
        assert!(Settings::default().is_like_the_shipped());
        let other = Settings {
            frozen: true,
            median: true,
            ..Settings::default()
        };
        assert!(!other.is_like_the_shipped());
        assert_eq!(other.difference(), "frozen attention and the median");
        let all = Settings {
            penultimate: true,
            ..other
        };
        assert_eq!(
            all.difference(),
            "frozen attention, another target layer and the median"
        );
        assert_eq!(Settings::default().difference(), "");
    }
}
