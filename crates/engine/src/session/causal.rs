//! Concepts exchanged by pieces: the same experiment as `jspace` of the evaluation, over [`lens::concepts`].

use super::Session;
use super::counts::interval;
use crate::error::{Error, Result};
use crate::protocol::{Causal, CausalRequest, Count, Reply, Targets};
use crate::turn::Turn;
use lens::Basis;
use lens::concepts::{self, Concepts, Exchange, Means, Piece, Place, Reach};
use lens::intervene::directions_like;
use lens::pursuit::Dictionary;
use smallworld::world::experiments::{CONCEPT_BAND, CONCEPT_REACH, class, concepts as items};
use smallworld::world::prompts::Question;
use smallworld::world::trials::Swap;
use smallworld::{Family, Part, Split};
use std::collections::BTreeMap;
use transformer::{Keep, Ops};

/// The pieces in the order counted.
const PIECES: [Piece; 5] = [
    Piece::Whole,
    Piece::Part,
    Piece::Rest,
    Piece::RestMatched,
    Piece::Random,
];
/// Steps between two reports.
const CHUNK: u32 = 8;
/// Seed of the random dictionary; the evaluation's.
const SEED: u64 = 0;

/// How far a long answer has come.
struct Progress<'a> {
    done: u32,
    of: u32,
    turn: &'a Turn,
    emit: &'a dyn Fn(Reply),
}

impl Progress<'_> {
    async fn step(&mut self) {
        if self.done.is_multiple_of(CHUNK) {
            let (done, of) = (self.done, self.of);
            (self.emit)(Reply::Progress { done, of });
            self.turn.pass().await;
        }
        self.done += 1;
    }
}

impl<O: Ops> Session<O> {
    /// Answers a request: progress, then counts and shares.
    ///
    /// # Errors
    /// No or too many lens vectors, a model whose word list lacks the questions' words; those of the backend.
    pub async fn causal(
        &self,
        request: CausalRequest,
        turn: &Turn,
        emit: &dyn Fn(Reply),
    ) -> Result<()> {
        let (k, d) = (request.k, self.model.config.d_model);
        if k == 0 || k > d {
            let why = format!("is {k}; from 1 to {d} are possible");
            return Err(Error::request("number of lens vectors", why));
        }
        if self.model.config.n_layers <= *CONCEPT_BAND.end() {
            return Err(Error::request("model", "has too few layers for this band"));
        }
        let (trained, asked, swaps) = items(&Split::standard(), Part::Test);
        let layers = CONCEPT_BAND.count();
        let steps = trained.len() + 2 * layers + PIECES.len() * swaps.len();
        let mut progress = Progress {
            done: 0,
            of: steps as u32,
            turn,
            emit,
        };
        let wholes = self.wholes(&trained, &mut progress).await?;
        let (mut parts, mut random) = (Concepts::new(), Concepts::new());
        for layer in CONCEPT_BAND {
            let dictionary = self.dictionary(layer).await?;
            parts.extend(concepts::split(&wholes, layer, &dictionary, k)?);
            progress.step().await;
            let luck: Vec<f32> = directions_like(self.model.config.vocab, d, SEED, layer);
            let luck = Dictionary::new(&luck, d)?;
            random.extend(concepts::split(&wholes, layer, &luck, k)?);
            progress.step().await;
        }
        let mut counts = Vec::with_capacity(PIECES.len());
        for piece in PIECES {
            counts.push(
                self.exchanged(&asked, &swaps, &parts, piece, &mut progress)
                    .await?,
            );
        }
        let window = self.model.config.window;
        let ((variance, n), (luck, _)) = (
            concepts::variance(&parts, window),
            concepts::variance(&random, window),
        );
        let [whole, part, rest, matched, random] = counts[..] else {
            return Err(Error::request("pieces", "are not five"));
        };
        emit(Reply::Causal(Causal {
            variance: variance as f32,
            luck: luck as f32,
            concepts: n as u32,
            whole,
            part,
            rest,
            matched,
            random,
        }));
        Ok(())
    }

    /// Mean states of the trained prompts' animals, minus the mean over animals.
    async fn wholes(
        &self,
        trained: &[Question],
        progress: &mut Progress<'_>,
    ) -> Result<BTreeMap<Place, Vec<f32>>> {
        let mut means = Means::new(self.model.config.d_model);
        for question in trained {
            progress.step().await;
            let tokens = self.spell(&question.prompt)?;
            let trace = self
                .model
                .forward(&tokens, tokens.len(), &[], Keep::Residuals)?;
            let at = (question.source, question.entity);
            means.add(&self.model, &trace, &reach(), at).await?;
        }
        Ok(means.centred())
    }

    /// All words' lens vectors at a layer, as they are.
    pub(super) async fn dictionary(&self, layer: usize) -> Result<Dictionary> {
        let words: Vec<u32> = (0..self.model.config.vocab as u32).collect();
        let basis = Basis::Jacobian(self.lens(Targets::All)?);
        let vectors = self
            .head
            .directions(&self.model, basis, [layer], &words, false)
            .await?;
        let vectors = super::narrow(&vectors[&layer]);
        Ok(Dictionary::new(&vectors, self.model.config.d_model)?)
    }

    /// Successes of one piece.
    async fn exchanged(
        &self,
        asked: &[Question],
        swaps: &[Swap],
        parts: &Concepts,
        piece: Piece,
        progress: &mut Progress<'_>,
    ) -> Result<Count> {
        let mut hits = 0;
        for (seed, swap) in swaps.iter().enumerate() {
            progress.step().await;
            let question = &asked[swap.prompt];
            let class = |name: &str| {
                class(Family::Animals, name)
                    .ok_or_else(|| Error::request("test set", "has an animal outside its tables"))
            };
            let exchange = Exchange {
                source: question.source,
                from: class(swap.from)?,
                to: class(swap.to)?,
                piece,
                seed: seed as u64,
            };
            let tokens = self.spell(&question.prompt)?;
            let model = &self.model;
            let clean = model.forward(&tokens, tokens.len(), &[], Keep::Residuals)?;
            let edits = concepts::exchange(model, &clean, parts, &reach(), exchange).await?;
            let edited = model.forward(&tokens, tokens.len(), &edits, Keep::Residuals)?;
            let said = self.last_output(&edited, 1).await?;
            let expected = self.word_id(swap.expected)?;
            hits += u32::from(said.first().is_some_and(|r| r.word == expected));
        }
        let n = swaps.len() as u32;
        let (low, high) = interval(hits, n, asked.len());
        Ok(Count { hits, n, low, high })
    }

    /// Tokens of a prompt of the small world.
    pub(super) fn spell(&self, prompt: &str) -> Result<Vec<u32>> {
        prompt.split(' ').map(|word| self.word_id(word)).collect()
    }

    /// Id of a word of the small world.
    pub(super) fn word_id(&self, word: &str) -> Result<u32> {
        self.vocabulary.id(word).ok_or_else(|| {
            let why = format!("needs the word \"{word}\", which this model does not know");
            Error::request("test set", why)
        })
    }
}

fn reach() -> Reach {
    Reach {
        band: CONCEPT_BAND,
        positions: CONCEPT_REACH,
    }
}
