//! How fast this worker fits the lens of its model, and how fast it multiplies large matrices, which is what a fit is made of.
//! What is counted: see [`fit_flops`].

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{Reply, Speed};
use crate::scheduler::Clock;
use crate::turn::Turn;
use lens::fit::flops::fit_flops;
use lens::fit::{FitOptions, PromptFit, plan_memory};
use transformer::Ops;
use transformer::ops::Linear;
use transformer::ops::real::Real;

const ROUNDS: usize = 7;
/// Tokens of the fitted prompt.
const TOKENS: usize = 64;
/// Rows and columns of the matrices, and products per round: about 0.1 s on one core.
const SIZE: usize = 768;
const PRODUCTS: usize = 3;
/// Prompts per round.
const PROMPTS: usize = 2;
/// Most bytes of a fit.
const BUDGET: usize = 1 << 30;

impl<O: Ops> Session<O> {
    /// Answers a speed request: progress per round, then the numbers. The first round only warms up.
    ///
    /// # Errors
    /// A worker without a clock; those of a fit.
    pub(crate) async fn speed(
        &self,
        clock: Option<Clock>,
        turn: &Turn,
        emit: &dyn Fn(Reply),
    ) -> Result<()> {
        let clock = clock.ok_or_else(|| Error::request("speed", "needs a worker with a clock"))?;
        let square = self.square();
        let (mut fits, mut products) = (Vec::new(), Vec::new());
        for round in 0..=ROUNDS {
            let start = clock();
            self.multiply(&square).await?;
            let middle = clock();
            for _ in 0..PROMPTS {
                self.fit_one().await?;
            }
            let end = clock();
            if round > 0 {
                products
                    .push(2.0 * (SIZE as f64).powi(3) * PRODUCTS as f64 / (middle - start) / 1e9);
                fits.push(PROMPTS as f64 / (end - middle));
            }
            emit(Reply::Progress {
                done: round as u32,
                of: ROUNDS as u32,
            });
            turn.pass().await;
        }
        let estimator = FitOptions::default().resolve(&self.model.config)?;
        emit(Reply::Speed(Speed {
            prompts_per_second: best_and_median(fits),
            gflop_per_prompt: fit_flops(&self.model.config, &estimator, self.tokens().len()) / 1e9,
            peak: best_and_median(products),
            tokens: self.tokens().len() as u32,
            rounds: ROUNDS as u32,
        }));
        Ok(())
    }

    fn square(&self) -> Linear<O::Buf> {
        let number = |i: usize| O::S::of(((i * 31) % 61) as f64 / 61.0 - 0.5);
        let numbers: Vec<O::S> = (0..SIZE * SIZE).map(number).collect();
        Linear {
            w: self.model.ops.upload(&numbers),
            bias: None,
            inp: SIZE,
            out: SIZE,
        }
    }

    async fn multiply(&self, square: &Linear<O::Buf>) -> Result<()> {
        let ops = &self.model.ops;
        let mut product = ops.linear_vjp(&square.w, square);
        for _ in 1..PRODUCTS {
            product = ops.linear_vjp(&square.w, square);
        }
        // waits for a device without fetching all of it
        ops.read(&ops.embed(&product, &[0], SIZE)).await?;
        Ok(())
    }

    /// Words of the model, one after the other: speed does not depend on which.
    fn tokens(&self) -> Vec<u32> {
        let config = &self.model.config;
        let length = TOKENS.min(config.max_context);
        (0..length).map(|t| (t % config.vocab) as u32).collect()
    }

    async fn fit_one(&self) -> Result<()> {
        let tokens = self.tokens();
        let options = FitOptions::default();
        let estimator = options.resolve(&self.model.config)?;
        let plan = plan_memory(&self.model.config, tokens.len(), &options, 1, BUDGET)?;
        if let Some(fit) = PromptFit::new(&self.model, &estimator, plan.row_chunk, &tokens)? {
            fit.finish().await?;
        }
        Ok(())
    }
}

fn best_and_median(mut rates: Vec<f64>) -> [f64; 2] {
    rates.sort_by(f64::total_cmp);
    let at = |i: usize| rates.get(i).copied().unwrap_or(0.0);
    [at(rates.len().saturating_sub(1)), at(rates.len() / 2)]
}
