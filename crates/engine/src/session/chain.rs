//! The blocks' Jacobians at one token, their products, and the Jacobians of several blocks at once to hold them against.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{Chain, ChainRequest, Span};
use crate::turn::Turn;
use transformer::model::Trace;
use transformer::ops::attention::Paths;
use transformer::ops::real::Real;
use transformer::{Keep, Ops};

/// Rows per backward pass; between two passes others have their turn.
const ROWS: usize = 24;

impl<O: Ops> Session<O> {
    /// Answers a chain request.
    ///
    /// # Errors
    /// A position that does not exist, bad tokens; those of the backend.
    pub async fn chain(&self, request: &ChainRequest, turn: &Turn) -> Result<Chain> {
        let (t, position) = (request.tokens.len(), request.position);
        if position >= t {
            let why = format!("is {position}; the prompt has {t} tokens, counted from 0");
            return Err(Error::request("position", why));
        }
        // Later tokens change nothing here, so they are left out: t is the last one.
        let tokens = &request.tokens[..=position];
        let trace = self
            .model
            .forward(tokens, tokens.len(), &[], Keep::ForVjp)?;
        let (d, last) = (self.model.config.d_model, self.model.config.n_layers);
        let mut blocks = Vec::with_capacity(last);
        for layer in 1..=last {
            let mut one = self.ways(&trace, layer, layer - 1, turn).await?;
            blocks.extend(one.pop());
        }
        let direct = self.ways(&trace, last, 0, turn).await?;
        Ok(Chain {
            d,
            spans: spans(d, &blocks, direct),
            blocks,
        })
    }

    /// `dh_from(t) / dh_l(t)` at the last token t for each layer l from `to` up to `from - 1`, lowest first.
    async fn ways(
        &self,
        trace: &Trace<O::Buf>,
        from: usize,
        to: usize,
        turn: &Turn,
    ) -> Result<Vec<Vec<f32>>> {
        let (model, ops, d) = (&self.model, &self.model.ops, self.model.config.d_model);
        let t = trace.seq;
        let on: Vec<bool> = (0..t).map(|n| n + 1 == t).collect();
        let mut ways = vec![Vec::with_capacity(d * d); from - to];
        for first in (0..d).step_by(ROWS) {
            let rows = ROWS.min(d - first);
            let here: Vec<u32> = (0..rows).map(|r| (r * t + t - 1) as u32).collect();
            let mut pulled = Vec::with_capacity(from - to);
            let seed = ops.seed(first, rows, d, &on);
            model.vjp(trace, from, to, seed, Paths::ALL, &mut |layer, g| {
                pulled.push((layer, ops.embed(g, &here, d)));
            })?;
            for (layer, rows) in pulled {
                let rows = ops.read(&rows).await?;
                ways[layer - to].extend(rows.iter().map(|x| x.wide() as f32));
            }
            turn.pass().await;
        }
        Ok(ways)
    }
}

/// Products from the last block downwards, each beside its direct Jacobian.
fn spans(d: usize, blocks: &[Vec<f32>], direct: Vec<Vec<f32>>) -> Vec<Span> {
    let mut product: Option<Vec<f32>> = None;
    let mut spans = Vec::with_capacity(direct.len());
    for (block, direct) in blocks.iter().zip(direct).rev() {
        let next = match &product {
            None => block.clone(),
            Some(after) => multiplied(d, after, block),
        };
        spans.push(Span {
            error: error(&next, &direct),
            product: next.clone(),
            direct,
        });
        product = Some(next);
    }
    spans.reverse();
    spans
}

/// `a b`, all `[D, D]`.
fn multiplied(d: usize, a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut c = vec![0.0; d * d];
    for (a, c) in a.chunks_exact(d).zip(c.chunks_exact_mut(d)) {
        for (weight, b) in a.iter().zip(b.chunks_exact(d)) {
            c.iter_mut().zip(b).for_each(|(c, b)| *c += weight * b);
        }
    }
    c
}

/// Largest difference over the largest entry of `truth`.
fn error(got: &[f32], truth: &[f32]) -> f32 {
    let largest = truth.iter().fold(0f32, |most, x| most.max(x.abs()));
    let off = got
        .iter()
        .zip(truth)
        .fold(0f32, |most, (a, b)| most.max((a - b).abs()));
    if largest > 0.0 { off / largest } else { off }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_blocks_stand_on_the_left() {
        let (first, second) = (vec![1.0, 2.0, 0.0, 1.0], vec![0.0, -1.0, 1.0, 0.0]);
        let both = multiplied(2, &second, &first);
        assert_eq!(both, [0.0, -1.0, 1.0, 2.0]);
        let spans = spans(
            2,
            &[first.clone(), second.clone()],
            vec![both.clone(), second.clone()],
        );
        assert_eq!((&spans[0].product, spans[0].error), (&both, 0.0));
        assert_eq!((&spans[1].product, spans[1].error), (&second, 0.0));
        // In the wrong order they would not agree.
        assert!(error(&multiplied(2, &first, &second), &both) > 0.5);
    }
}
