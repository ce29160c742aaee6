//! The training loop.

use super::adamw::{self, AdamW};
use super::batches::Batches;
use super::checkpoint::Checkpoint;
use super::{Settings, gradient, init};
use crate::error::Result;
use crate::eval::accuracy::{self, HeldOut};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;
use transformer::{Cpu, Model, Weights};

/// What a run reports as it goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Steps done.
    pub step: usize,
    /// Steps in all.
    pub steps: usize,
    /// Mean loss since the last report, nats per token.
    pub loss: f64,
    /// Tokens per second since the last report.
    pub tokens_per_second: f64,
    /// Accuracy on held-out validation items.
    pub held_out: HeldOut,
}

/// A run in progress.
pub struct Trainer {
    settings: Settings,
    threads: usize,
    ops: Cpu,
    batches: Batches,
    decays: Vec<(Range<usize>, f64)>,
    state: Checkpoint,
    file: Option<PathBuf>,
}

impl Trainer {
    /// Starts a run, or goes on with the one whose checkpoint lies at `file`.
    ///
    /// # Errors
    /// Bad settings; a checkpoint that is damaged or of other settings.
    pub fn new(settings: Settings, threads: usize, file: Option<&Path>) -> Result<Self> {
        settings.validate()?;
        let found = match file {
            Some(file) => Checkpoint::load(file, &settings)?,
            None => None,
        };
        let state = match found {
            Some(state) => state,
            None => {
                let weights = init::weights(&settings.model, settings.seed)?.flat;
                Checkpoint {
                    step: 0,
                    adam: AdamW::new(weights.len()),
                    weights,
                }
            }
        };
        Ok(Self {
            decays: adamw::decays(&settings),
            settings,
            threads,
            ops: Cpu::new(),
            batches: Batches::new(),
            state,
            file: file.map(Path::to_owned),
        })
    }

    /// Steps done so far.
    #[must_use]
    pub fn step(&self) -> usize {
        self.state.step
    }

    /// The weights as they are now.
    #[must_use]
    pub fn weights(&self) -> Weights {
        Weights {
            config: self.settings.model.clone(),
            flat: self.state.weights.clone(),
        }
    }

    /// Trains until `until` steps are done (or all), reporting and saving every `every` steps and at the end.
    ///
    /// # Errors
    /// A checkpoint that cannot be written.
    pub fn run(
        &mut self,
        until: usize,
        every: usize,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<()> {
        let until = until.min(self.settings.steps);
        let (mut loss, mut since, mut began) = (0.0, 0usize, Instant::now());
        while self.state.step < until {
            loss += self.one_step()?;
            since += 1;
            let done = self.state.step;
            if done.is_multiple_of(every.max(1)) || done == until {
                let tokens = since * self.settings.batch * self.settings.context;
                let tokens_per_second = tokens as f64 / began.elapsed().as_secs_f64();
                if let Some(file) = &self.file {
                    self.state.save(file, &self.settings)?;
                }
                let held_out = self.held_out()?;
                let steps = self.settings.steps;
                report(&Progress {
                    step: done,
                    steps,
                    loss: loss / since as f64,
                    tokens_per_second,
                    held_out,
                });
                (loss, since, began) = (0.0, 0, Instant::now());
            }
        }
        Ok(())
    }

    /// One update; the loss before it.
    fn one_step(&mut self) -> Result<f64> {
        let (settings, state) = (&self.settings, &mut self.state);
        let batch = self.batches.step(settings, state.step);
        let (loss, mut gradient) =
            gradient::step(&self.ops, settings, &state.weights, &batch, self.threads)?;
        adamw::clip(&mut gradient, settings.clip);
        state.adam.update(
            settings,
            &self.decays,
            state.step,
            &gradient,
            &mut state.weights,
        );
        state.step += 1;
        Ok(loss)
    }

    fn held_out(&self) -> Result<HeldOut> {
        let model = Model::from_flat(self.ops.clone(), &self.settings.model, &self.state.weights)?;
        accuracy::held_out(&model, crate::Part::Validation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer::Config;

    fn tiny(steps: usize) -> Settings {
        let model = super::super::shipped_model();
        let model = Config {
            d_model: 16,
            n_layers: 2,
            n_heads: 2,
            n_kv_heads: 2,
            head_dim: 8,
            d_ff: 32,
            ..model
        };
        let positions = transformer::Positions::Rope {
            base: 1000.0,
            rotary_dim: 8,
        };
        let model = Config { positions, ..model };
        Settings {
            model,
            steps,
            batch: 4,
            context: 32,
            warm_up: 5,
            learning_rate: 1e-2,
            ..Settings::default()
        }
    }

    fn trained(settings: &Settings, threads: usize) -> Vec<f32> {
        let mut trainer = Trainer::new(settings.clone(), threads, None).unwrap();
        trainer.run(usize::MAX, 1000, &mut |_| ()).unwrap();
        trainer.weights().flat
    }

    #[test]
    fn threads_do_not_change_a_bit() {
        let settings = tiny(6);
        assert_eq!(trained(&settings, 1), trained(&settings, 3));
    }

    #[test]
    fn a_killed_run_ends_where_it_would_have() {
        let settings = tiny(9);
        let folder =
            std::env::temp_dir().join(format!("smallworld-checkpoint-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("run.safetensors");
        let mut first = Trainer::new(settings.clone(), 2, Some(&file)).unwrap();
        first.run(4, 2, &mut |_| ()).unwrap();
        drop(first); // killed: nothing is kept but the file
        let mut second = Trainer::new(settings.clone(), 1, Some(&file)).unwrap();
        assert_eq!(second.step(), 4);
        second.run(usize::MAX, 5, &mut |_| ()).unwrap();
        assert_eq!(second.weights().flat, trained(&settings, 2));
        let other = Settings {
            seed: 1,
            ..settings
        };
        let error = Trainer::new(other, 1, Some(&file))
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("other settings"), "{error}");
        std::fs::write(&file, b"not a checkpoint").unwrap();
        assert!(Trainer::new(tiny(9), 1, Some(&file)).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn training_lowers_the_loss() {
        let mut losses = Vec::new();
        let mut trainer = Trainer::new(tiny(120), 1, None).unwrap();
        trainer
            .run(usize::MAX, 20, &mut |p| losses.push(p.loss))
            .unwrap();
        assert!(losses[0] > 5.5 && losses[5] < losses[0] - 1.5, "{losses:?}");
    }
}
