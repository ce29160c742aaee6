//! Two lenses layer by layer: agreement and entropy over text, and the unspoken word over the held-out questions.

use super::Session;
use crate::error::Result;
use crate::protocol::{Band, BandLayer, BandRequest, Reply};
use crate::turn::Turn;
use lens::layers::{Sums, best_ranks, compare};
use smallworld::world::experiments::{self, TAIL, TEXT_SKIP};
use smallworld::{Family, Part, Split};
use transformer::{Keep, Ops};

impl<O: Ops> Session<O> {
    /// Answers a request: progress, then all layers.
    ///
    /// # Errors
    /// A lens that is not there, a model whose word list lacks the questions' words; those of the backend.
    pub async fn band(
        &self,
        request: BandRequest,
        turn: &Turn,
        emit: &dyn Fn(Reply),
    ) -> Result<()> {
        let text = experiments::text(&self.vocabulary);
        let questions =
            experiments::bridge_questions(&Split::standard(), Family::Animals, Part::Test);
        let of = (text.len() + questions.len()) as u32;
        let lens = self.lens(request.targets)?;
        let mut sums: Vec<Sums> = Vec::new();
        for (done, window) in (0..).zip(&text) {
            emit(Reply::Progress { done, of });
            turn.pass().await;
            let trace = self
                .model
                .forward(window, window.len(), &[], Keep::Residuals)?;
            let positions: Vec<usize> = (TEXT_SKIP..window.len()).collect();
            compare(&self.model, &trace, lens, &positions, &mut sums).await?;
        }
        let positions = sums.first().map_or(0, |sum| sum.n) as u32;
        let mut layers: Vec<BandLayer> = sums.iter().map(layer).collect();
        let wrong = experiments::wrong_bridges(&questions);
        for (done, (question, wrong)) in (text.len() as u32..).zip(questions.iter().zip(wrong)) {
            emit(Reply::Progress { done, of });
            turn.pass().await;
            let tokens = self.spell(&question.prompt)?;
            let words = [self.word_id(question.bridge)?, self.word_id(wrong)?];
            let trace = self
                .model
                .forward(&tokens, tokens.len(), &[], Keep::Residuals)?;
            for (i, lens) in [Some(lens), None].into_iter().enumerate() {
                let ranks = best_ranks(&self.model, &trace, lens, &words, TAIL).await?;
                for (layer, ranks) in layers.iter_mut().zip(ranks) {
                    let hit = |word: usize, k: u32| u32::from(ranks[word] < k);
                    layer.first[i] += hit(0, 1);
                    layer.five[i] += hit(0, 5);
                    layer.wrong_first[i] += hit(1, 1);
                    layer.wrong_five[i] += hit(1, 5);
                }
            }
        }
        emit(Reply::Band(Band {
            positions,
            prompts: questions.len() as u32,
            layers,
        }));
        Ok(())
    }
}

fn layer(sum: &Sums) -> BandLayer {
    BandLayer {
        agree: sum.agree as u32,
        output: sum.output.map(|hits| hits as u32),
        entropy: sum.entropy.map(|bits| (bits / sum.n.max(1) as f64) as f32),
        ..BandLayer::default()
    }
}
