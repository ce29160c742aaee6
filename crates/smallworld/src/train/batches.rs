//! Which text a step sees. Text is written in chunks of 250 steps, each chunk from its own random stream, and its windows are
//! visited in random order; so any step's batch follows from the settings alone, and a resumed run sees what it would have seen.

use super::Settings;
use crate::dice::Dice;
use crate::{Generator, Vocabulary};

const STEPS_PER_CHUNK: usize = 250;

/// The current chunk.
pub struct Batches {
    vocabulary: Vocabulary,
    chunk: Option<usize>,
    tokens: Vec<u32>,
    order: Vec<usize>,
}

impl Batches {
    pub fn new() -> Self {
        Self {
            vocabulary: Vocabulary::standard(),
            chunk: None,
            tokens: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Inputs and targets of a step, `batch` windows of `context` tokens each, one after the other.
    pub fn step(&mut self, settings: &Settings, step: usize) -> (Vec<u32>, Vec<u32>) {
        let (batch, context) = (settings.batch, settings.context);
        self.load(settings, step / STEPS_PER_CHUNK);
        let first = (step % STEPS_PER_CHUNK) * batch;
        let (mut inputs, mut targets) = (
            Vec::with_capacity(batch * context),
            Vec::with_capacity(batch * context),
        );
        for window in &self.order[first..first + batch] {
            let start = window * context;
            inputs.extend_from_slice(&self.tokens[start..start + context]);
            targets.extend_from_slice(&self.tokens[start + 1..start + context + 1]);
        }
        (inputs, targets)
    }

    fn load(&mut self, settings: &Settings, chunk: usize) {
        if self.chunk == Some(chunk) {
            return;
        }
        let windows = STEPS_PER_CHUNK * settings.batch;
        let mut generator =
            Generator::with_recipe(settings.recipe.clone(), settings.seed, chunk as u64);
        self.tokens = generator.tokens(&self.vocabulary, windows * settings.context + 1);
        self.order = (0..windows).collect();
        Dice::new("window order", settings.seed, chunk as u64).shuffle(&mut self.order);
        self.chunk = Some(chunk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_step_can_be_asked_for_first() {
        let settings = Settings {
            batch: 4,
            context: 16,
            ..Settings::default()
        };
        let mut once = Batches::new();
        let first: Vec<_> = [0, 1, 249, 250, 251]
            .map(|step| once.step(&settings, step))
            .into();
        for (step, expected) in [0, 1, 249, 250, 251].into_iter().zip(&first).rev() {
            assert_eq!(&Batches::new().step(&settings, step), expected);
        }
        let (inputs, targets) = &first[0];
        assert_eq!((inputs.len(), targets.len()), (64, 64));
        assert_eq!(inputs[1..16], targets[..15]);
    }
}
