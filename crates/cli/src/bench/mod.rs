//! `jlens bench`: measurements, printed and never asserted.

mod fit;
mod large;
mod peak;

use crate::subject::Outcome;
use clap::{Args as ClapArgs, Subcommand};
use smallworld::dice::Dice;
use transformer::layout::layout;
use transformer::{Config, Weights};

/// Measure this machine. Run it with nothing else running; numbers are never asserted in tests.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Fit(fit::Args),
    Large(large::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// Those of the measurement.
pub fn run(args: Args) -> Outcome {
    match args.what {
        What::Fit(args) => fit::run(args),
        What::Large(args) => large::run(args),
    }
}

/// Random weights of a shape: matrices with variance 1 / fan-in, gains 1, other vectors 0. Speed does not depend on them.
fn random_weights(config: &Config) -> Outcome<Weights> {
    let mut weights = Weights::zeros(config)?;
    let (mut dice, mut at) = (Dice::new("bench", 0, 0), 0);
    for entry in layout(config) {
        let numbers = &mut weights.flat[at..at + entry.len()];
        at += entry.len();
        if entry.name.ends_with("gain") {
            numbers.fill(1.0);
        } else if let [_, fan_in] = entry.shape[..] {
            let scale = (12.0 / fan_in as f64).sqrt();
            numbers
                .iter_mut()
                .for_each(|x| *x = (scale * (dice.unit() - 0.5)) as f32);
        }
    }
    Ok(weights)
}

/// Prompts of random words.
fn random_prompts(config: &Config, count: usize, length: usize) -> Vec<Vec<u32>> {
    let mut dice = Dice::new("bench", 1, 0);
    let mut prompt = || {
        (0..length)
            .map(|_| dice.below(config.vocab) as u32)
            .collect()
    };
    (0..count).map(|_| prompt()).collect()
}

/// The number in the middle.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

fn best(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(0.0, f64::max)
}
