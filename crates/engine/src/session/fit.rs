//! Fitting on corpus sentences: chunks of rows, so that other requests get their turn in between.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{FitRequest, Reply};
use crate::turn::Turn;
use lens::fit::{FitOptions, PromptFit, plan_memory};
use smallworld::world::templates::START;
use smallworld::{Generator, Recipe, Vocabulary};
use transformer::Ops;

/// First position of a sentence that counts: all but the start token.
pub const SKIP_FIRST: usize = 1;
/// Most rows of a chunk: small enough that the heat map fills in visibly and a waiting request soon has its turn.
const ROWS: usize = 24;
/// Most bytes that a fit may take in one worker.
const BUDGET: usize = 1 << 30;

/// The k-th sentence of a seed's corpus, with the start token: known without writing the ones before it.
pub fn sentence(vocabulary: &Vocabulary, seed: u64, k: u32) -> Vec<u32> {
    let mut generator = Generator::with_recipe(Recipe::default(), seed, u64::from(k));
    let document = generator.document();
    std::iter::once(START)
        .chain(document.split(' '))
        .filter_map(|word| vocabulary.id(word))
        .collect()
}

impl<O: Ops> Session<O> {
    /// Answers a fit request: rows as they come, then each prompt's Jacobians, then [`Reply::FitDone`].
    ///
    /// # Errors
    /// Bad options; more memory than a tab has; those of the backend.
    pub async fn fit(&self, request: &FitRequest, turn: &Turn, emit: &dyn Fn(Reply)) -> Result<()> {
        let options = FitOptions {
            target: request.target_layer,
            targets: request.targets.into(),
            frozen: request.frozen,
            skip_first: SKIP_FIRST,
            row_chunk: Some(ROWS),
            ..FitOptions::default()
        };
        let estimator = options.resolve(&self.model.config)?;
        if !estimator.sources.contains(&request.show_layer) {
            let why = format!(
                "is {}; this lens has layers 0 to {}",
                request.show_layer,
                estimator.target - 1
            );
            return Err(Error::request("shown layer", why));
        }
        for prompt in request.first..request.first.saturating_add(request.count) {
            let tokens = sentence(&self.vocabulary, request.seed, prompt);
            let t = tokens.len().min(self.model.config.max_context);
            let plan = plan_memory(&self.model.config, t, &options, 1, BUDGET)?;
            let fit = PromptFit::new(&self.model, &estimator, plan.row_chunk, &tokens[..t])?;
            let reply = match fit {
                Some(fit) => finish(fit, prompt, request.show_layer, turn, emit).await?,
                None => Reply::FitPrompt {
                    prompt,
                    tokens: t as u32,
                    jacobians: Vec::new(),
                },
            };
            emit(reply);
            turn.pass().await;
        }
        emit(Reply::FitDone);
        Ok(())
    }
}

/// One prompt, chunk by chunk.
async fn finish<O: Ops>(
    mut fit: PromptFit<'_, O>,
    prompt: u32,
    show_layer: usize,
    turn: &Turn,
    emit: &dyn Fn(Reply),
) -> Result<Reply> {
    while let Some(rows) = fit.step()? {
        let first = rows.start as u32;
        let rows = super::narrow(&fit.rows(show_layer, rows).await?);
        emit(Reply::FitRows {
            prompt,
            first,
            rows,
        });
        turn.pass().await;
    }
    let done = fit.finish().await?;
    Ok(Reply::FitPrompt {
        prompt,
        tokens: done.tokens as u32,
        jacobians: done.layers.values().map(|j| super::narrow(j)).collect(),
    })
}
