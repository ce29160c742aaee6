//! Every number of a training run. Two runs with equal settings give equal weights, whatever the number of threads.

use crate::Recipe;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use transformer::Config;

/// Settings of a run; the default is the shipped model's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The model to train.
    pub model: Config,
    /// How often which document is written.
    pub recipe: Recipe,
    /// Seed of the first weights and of the text.
    pub seed: u64,
    /// Updates.
    pub steps: usize,
    /// Windows per step.
    pub batch: usize,
    /// Tokens per window.
    pub context: usize,
    /// A step's windows are cut into this many equal shards, whose gradients are summed in order.
    pub shards: usize,
    /// Peak learning rate.
    pub learning_rate: f64,
    /// Share of the peak at which the cosine ends.
    pub floor: f64,
    /// Steps of linear warm-up.
    pub warm_up: usize,
    /// Decay rates of Adam's two averages.
    pub betas: [f64; 2],
    /// Added to the root in Adam's quotient.
    pub eps: f64,
    /// Decoupled weight decay of the blocks' matrices; gains have none.
    pub decay: f64,
    /// Decoupled weight decay of the embedding and the unembedding.
    pub decay_embeddings: f64,
    /// Largest norm of the gradient.
    pub clip: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            model: shipped_model(),
            recipe: Recipe::default(),
            seed: 8,
            steps: 5000,
            batch: 16,
            context: 64,
            shards: 4,
            learning_rate: 2e-3,
            floor: 0.05,
            warm_up: 100,
            betas: [0.9, 0.98],
            eps: 1e-8,
            decay: 0.3,
            decay_embeddings: 0.1,
            clip: 1.0,
        }
    }
}

impl Settings {
    /// Checks that the numbers fit together.
    ///
    /// # Errors
    /// [`Error::Settings`] says which do not; an invalid model configuration.
    pub fn validate(&self) -> Result<()> {
        self.model.validate()?;
        let words = crate::Vocabulary::standard().len();
        let wrong = if self.model.vocab != words {
            format!(
                "the model has {} words, the small world {words}",
                self.model.vocab
            )
        } else if self.context == 0 || self.context > self.model.max_context {
            format!(
                "context {} must be between 1 and the model's {}",
                self.context, self.model.max_context
            )
        } else if self.shards == 0 || !self.batch.is_multiple_of(self.shards) || self.batch == 0 {
            format!(
                "batch {} must be a positive multiple of shards {}",
                self.batch, self.shards
            )
        } else if self.steps == 0 {
            "there must be at least one step".to_owned()
        } else {
            return Ok(());
        };
        Err(Error::Settings(wrong))
    }

    /// Learning rate of a step (from 0): linear warm-up times a cosine from the peak down to the floor.
    #[must_use]
    pub fn rate(&self, step: usize) -> f64 {
        let warm = ((step + 1) as f64 / self.warm_up.max(1) as f64).min(1.0);
        let cosine = 0.5 * (1.0 + (std::f64::consts::PI * step as f64 / self.steps as f64).cos());
        self.learning_rate * warm * (self.floor + (1.0 - self.floor) * cosine)
    }
}

/// The shipped model: 8 post-norm blocks of width 96 that look four words back; 842,208 numbers.
#[must_use]
pub fn shipped_model() -> Config {
    Config::small_world(crate::Vocabulary::standard().len())
}

/// The control: the same model without the window.
#[must_use]
pub fn control_model() -> Config {
    Config {
        window: None,
        ..shipped_model()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedule_warms_up_and_cools_down() {
        let s = Settings::default();
        assert!((s.rate(0) - 2e-5).abs() < 1e-12);
        assert!((s.rate(99) - 2e-3).abs() < 1e-5);
        assert!((s.rate(s.steps / 2) - 1.05e-3).abs() < 1e-6);
        assert!((s.rate(s.steps - 1) - 1e-4).abs() < 1e-6);
    }

    #[test]
    fn parameters_are_as_documented() {
        assert_eq!(
            transformer::layout::parameter_count(&shipped_model()),
            842_208
        );
    }

    #[test]
    fn contradictions_are_named() {
        let settings = Settings {
            shards: 5,
            ..Settings::default()
        };
        assert!(
            settings
                .validate()
                .unwrap_err()
                .to_string()
                .contains("multiple of shards 5")
        );
    }
}
