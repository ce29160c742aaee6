//! An intervention counted over held-out items, a few at a time.

use super::Session;
use super::swap::Intervention;
use crate::error::{Error, Result};
use crate::protocol::{Count, Reply, SwapCountsRequest, TestSet};
use crate::turn::Turn;
use smallworld::world::prompts::{self, Couplet, FILLER};
use smallworld::world::tables::THEMES;
use smallworld::world::trials::{Swap, all_pairs, couplet_swaps, entity_swaps};
use smallworld::{Family, Part, Split, Vocabulary};
use std::collections::BTreeSet;
use transformer::{Keep, Ops};

/// Targets tried per question.
const PER_PROMPT: usize = 4;
/// Words of a couplet's second line, at most.
const LINE: usize = 9;
/// Trials between two reports.
const CHUNK: usize = 8;

/// One item.
struct Trial {
    /// Which prompt; trials on one prompt are alike, so the interval counts prompts.
    prompt: usize,
    tokens: Vec<u32>,
    words: [u32; 2],
    success: Success,
}

/// When an item counts as a hit.
enum Success {
    /// The next word is this one.
    Next(u32),
    /// The line contains this word.
    Contains(u32),
    /// The line contains words of `telling`, and all of them are `allowed`.
    Only {
        telling: Vec<u32>,
        allowed: [u32; 2],
    },
}

impl<O: Ops> Session<O> {
    /// Answers a count request: progress every few items, then the count.
    ///
    /// # Errors
    /// A model whose word list lacks the set's words; those of a swap.
    pub async fn swap_counts(
        &self,
        request: &SwapCountsRequest,
        turn: &Turn,
        emit: &dyn Fn(Reply),
    ) -> Result<()> {
        let trials = trials(request.set, &self.vocabulary)?;
        let how = Intervention {
            band: request.band,
            vectors: request.vectors,
            centred: request.centred,
            mode: request.mode,
        };
        let of = trials.len() as u32;
        let mut hits = 0;
        for (done, trial) in trials.iter().enumerate() {
            if done % CHUNK == 0 {
                let done = done as u32;
                emit(Reply::Progress { done, of });
                turn.pass().await;
            }
            hits += u32::from(self.hit(trial, how).await?);
        }
        emit(Reply::Progress { done: of, of });
        let prompts: BTreeSet<usize> = trials.iter().map(|t| t.prompt).collect();
        let (low, high) = interval(hits, of, prompts.len());
        emit(Reply::SwapCounts(Count {
            hits,
            n: of,
            low,
            high,
        }));
        Ok(())
    }

    async fn hit(&self, trial: &Trial, how: Intervention) -> Result<bool> {
        let (tokens, model) = (&trial.tokens, &self.model);
        let clean = model.forward(tokens, tokens.len(), &[], Keep::Residuals)?;
        let edits = self.prepare(&clean, how, trial.words).await?.edits;
        if let Success::Next(expected) = trial.success {
            let edited = model.forward(tokens, tokens.len(), &edits, Keep::Residuals)?;
            let output = self.last_output(&edited, 1).await?;
            return Ok(output.first().is_some_and(|r| r.word == expected));
        }
        let line = self.continue_text(tokens, &edits, LINE).await?;
        Ok(trial.success.in_line(&line))
    }
}

impl Success {
    fn in_line(&self, line: &[u32]) -> bool {
        match self {
            Self::Next(word) => line.first() == Some(word),
            Self::Contains(word) => line.contains(word),
            Self::Only { telling, allowed } => {
                let mut told = line.iter().filter(|w| telling.contains(w)).peekable();
                told.peek().is_some() && told.all(|w| allowed.contains(w))
            }
        }
    }
}

/// The items of a set, all on the test split, or on named entities.
fn trials(set: TestSet, vocabulary: &Vocabulary) -> Result<Vec<Trial>> {
    let split = Split::standard();
    let words = Words(vocabulary);
    match set {
        TestSet::Animals { filler } => words.two_hop(&split, Family::Animals, filler),
        TestSet::Countries { filler } => words.two_hop(&split, Family::Countries, filler),
        TestSet::Flexible => {
            let questions = prompts::named(Family::Countries, "");
            let swaps = all_pairs(&questions);
            let changing = swaps
                .iter()
                .filter(|s| s.expected != questions[s.prompt].answer);
            changing
                .map(|s| words.next_word(&questions[s.prompt].prompt, s))
                .collect()
        }
        TestSet::Couplets => words.couplets(&split, |words, _, swap| {
            Ok(Success::Contains(words.id(swap.expected)?))
        }),
        TestSet::CoupletsEarly => words.couplets(&split, Words::early),
    }
}

/// Looks words up.
#[derive(Clone, Copy)]
struct Words<'v>(&'v Vocabulary);

impl Words<'_> {
    fn id(self, word: &str) -> Result<u32> {
        self.0.id(word).ok_or_else(|| {
            let why = format!("needs the word \"{word}\", which this model does not know");
            Error::request("test set", why)
        })
    }

    fn trial(self, prompt: &str, swap: &Swap, success: Success) -> Result<Trial> {
        let tokens = prompt
            .split(' ')
            .map(|word| self.id(word))
            .collect::<Result<_>>()?;
        Ok(Trial {
            prompt: swap.prompt,
            tokens,
            words: [self.id(swap.from)?, self.id(swap.to)?],
            success,
        })
    }

    fn next_word(self, prompt: &str, swap: &Swap) -> Result<Trial> {
        self.trial(prompt, swap, Success::Next(self.id(swap.expected)?))
    }

    fn two_hop(self, split: &Split, family: Family, filler: bool) -> Result<Vec<Trial>> {
        let filler = if filler { FILLER } else { "" };
        let mut questions = prompts::two_hop(split, family, filler);
        questions.retain(|q| q.part == Part::Test);
        let swaps = entity_swaps(&questions, PER_PROMPT);
        swaps
            .iter()
            .map(|s| self.next_word(&questions[s.prompt].prompt, s))
            .collect()
    }

    fn couplets(
        self,
        split: &Split,
        success: impl Fn(Self, &Couplet, &Swap) -> Result<Success>,
    ) -> Result<Vec<Trial>> {
        let mut couplets = prompts::couplets(split);
        couplets.retain(|c| c.part == Part::Test);
        let swaps = couplet_swaps(&couplets);
        let trial = |s: &Swap| {
            let couplet = &couplets[s.prompt];
            self.trial(&couplet.prompt, s, success(self, couplet, s)?)
        };
        swaps.iter().map(trial).collect()
    }

    /// Verbs and adjectives of all couplets tell which rhyme word is planned; those of the target are wanted.
    fn early(self, couplet: &Couplet, swap: &Swap) -> Result<Success> {
        let endings = || THEMES.iter().flat_map(|theme| theme.endings.iter());
        let target = THEMES
            .iter()
            .map(|theme| &theme.endings[couplet.sound])
            .find(|ending| ending.noun == swap.to)
            .ok_or_else(|| Error::request("test set", "has a rhyme word outside its tables"))?;
        let telling = endings()
            .flat_map(|ending| [ending.verb, ending.adjective])
            .map(|word| self.id(word))
            .collect::<Result<_>>()?;
        Ok(Success::Only {
            telling,
            allowed: [self.id(target.verb)?, self.id(target.adjective)?],
        })
    }
}

/// Wilson's 95 % interval at the share `hits / trials`, with as many independent trials as there are prompts.
fn interval(hits: u32, trials: u32, prompts: usize) -> (f32, f32) {
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0 || prompts == 0 {
        return (0.0, 1.0);
    }
    let (p, n) = (f64::from(hits) / f64::from(trials), prompts as f64);
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let bound = |x: f64| (x / (1.0 + Z * Z / n)).clamp(0.0, 1.0) as f32;
    (bound(middle - half), bound(middle + half))
}
