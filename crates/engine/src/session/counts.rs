//! An intervention counted over held-out items, a few at a time.

use super::Session;
use super::swap::Intervention;
use crate::error::{Error, Result};
use crate::protocol::{Count, Reply, SwapCountsRequest, TestSet};
use crate::turn::Turn;
use smallworld::world::experiments::questions;
use smallworld::world::prompts::{self, Couplet, FILLER};
use smallworld::world::tables::THEMES;
use smallworld::world::trials::{
    Side, Swap, all_pairs, answer_swaps, couplet_swaps, entity_swaps, opposite_swaps,
};
use smallworld::{Family, Part, Split, Vocabulary};
use std::collections::BTreeSet;
use transformer::model::Trace;
use transformer::{Keep, Ops};

/// Targets tried per question.
const PER_PROMPT: usize = 4;
/// Words of a couplet's second line, at most.
const LINE: usize = 9;
/// Trials between two reports.
const CHUNK: usize = 8;

/// One item.
struct Trial {
    /// Which prompt (or pair of words); trials on one are alike, so the interval counts these.
    unit: usize,
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
        let (mut hits, mut clean) = (0, None);
        for (done, trial) in trials.iter().enumerate() {
            if done % CHUNK == 0 {
                let done = done as u32;
                emit(Reply::Progress { done, of });
                turn.pass().await;
            }
            let trace = self.clean_pass(&trial.tokens, clean.take())?;
            hits += u32::from(self.hit(trial, how, &trace).await?);
            clean = Some(trace);
        }
        emit(Reply::Progress { done: of, of });
        let units: BTreeSet<usize> = trials.iter().map(|t| t.unit).collect();
        let (low, high) = interval(hits, of, units.len());
        emit(Reply::SwapCounts(Count {
            hits,
            n: of,
            low,
            high,
        }));
        Ok(())
    }

    /// The unedited pass of a prompt; the trials on one prompt follow each other and share it.
    fn clean_pass(&self, tokens: &[u32], last: Option<Trace<O::Buf>>) -> Result<Trace<O::Buf>> {
        match last {
            Some(trace) if trace.tokens == tokens => Ok(trace),
            _ => Ok(self
                .model
                .forward(tokens, tokens.len(), &[], Keep::Residuals)?),
        }
    }

    async fn hit(&self, trial: &Trial, how: Intervention, clean: &Trace<O::Buf>) -> Result<bool> {
        let (tokens, model) = (&trial.tokens, &self.model);
        let edits = self.prepare(clean, how, trial.words).await?.edits;
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
            let pair = |s: &Swap| (s.from, s.to);
            let pairs: BTreeSet<_> = swaps.iter().map(pair).collect();
            let changing = swaps
                .iter()
                .filter(|s| s.expected != questions[s.prompt].answer);
            changing
                .map(|s| {
                    let trial = words.next_word(&questions[s.prompt].prompt, s)?;
                    let unit = pairs.range(..pair(s)).count();
                    Ok(Trial { unit, ..trial })
                })
                .collect()
        }
        TestSet::Couplets => words.couplets(&split, |words, _, swap| {
            Ok(Success::Contains(words.id(swap.expected)?))
        }),
        TestSet::CoupletsEarly => words.couplets(&split, Words::early),
        TestSet::AnimalAnswers { filler } => words.answers(&split, filler),
        TestSet::Opposites { chinese, answer } => words.opposites(&split, chinese, answer),
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
            unit: swap.prompt,
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
        let questions = questions(split, family, filler, Part::Test);
        let swaps = entity_swaps(&questions, PER_PROMPT);
        swaps
            .iter()
            .map(|s| self.next_word(&questions[s.prompt].prompt, s))
            .collect()
    }

    /// The trials of [`Words::two_hop`] with the answers exchanged.
    fn answers(self, split: &Split, filler: bool) -> Result<Vec<Trial>> {
        let filler = if filler { FILLER } else { "" };
        let questions = questions(split, Family::Animals, filler, Part::Test);
        let swaps = answer_swaps(&questions, &entity_swaps(&questions, PER_PROMPT));
        swaps
            .iter()
            .map(|s| self.next_word(&questions[s.prompt].prompt, s))
            .collect()
    }

    /// Trained opposites too, as in the evaluation: few were held out.
    fn opposites(self, split: &Split, chinese: bool, answer: bool) -> Result<Vec<Trial>> {
        let language = if chinese { 2 } else { 1 };
        let mut opposites = prompts::opposites(split, false);
        opposites.retain(|o| o.language == language && o.part != Part::Validation);
        let side = if answer { Side::Answer } else { Side::Question };
        let swaps = opposite_swaps(&opposites, side, PER_PROMPT);
        swaps
            .iter()
            .map(|s| self.next_word(&opposites[s.prompt].prompt, s))
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

/// Wilson's 95 % interval (Wilson 1927) at the share `hits / trials`, with as many independent trials as there are units.
pub(super) fn interval(hits: u32, trials: u32, units: usize) -> (f32, f32) {
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0 || units == 0 {
        return (0.0, 1.0);
    }
    let (p, n) = (f64::from(hits) / f64::from(trials), units as f64);
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let bound = |x: f64| (x / (1.0 + Z * Z / n)).clamp(0.0, 1.0) as f32;
    (bound(middle - half), bound(middle + half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_are_the_evaluations() {
        let words = Vocabulary::standard();
        let text = |t: &Trial| words.decode(&t.tokens);
        let next = |t: &Trial| match t.success {
            Success::Next(word) => words.word(word).to_owned(),
            _ => panic!("a line"),
        };
        for filler in [true, false] {
            let animals = trials(TestSet::Animals { filler }, &words).unwrap();
            assert!(animals.len() > 100);
            let has = |t: &Trial| text(t).contains(", let me think ,");
            assert!(animals.iter().all(|t| has(t) == filler));
        }
        let flexible = trials(TestSet::Flexible, &words).unwrap();
        let units: BTreeSet<usize> = flexible.iter().map(|t| t.unit).collect();
        assert_eq!(units.len(), 240);
        let capital = flexible
            .iter()
            .find(|t| {
                text(t) == "<s> the capital of france is" && words.word(t.words[1]) == "china"
            })
            .unwrap();
        assert_eq!(next(capital), "beijing");
        // both in europe: nothing should change, so nothing is counted
        let same = |t: &&Trial| {
            text(t).contains("continent of france") && words.word(t.words[1]) == "italy"
        };
        assert!(flexible.iter().find(same).is_none());
    }

    #[test]
    fn lines_are_scored_by_all_their_telling_words() {
        let early = Success::Only {
            telling: vec![1, 2, 3, 4],
            allowed: [1, 2],
        };
        assert!(early.in_line(&[9, 1, 8]) && early.in_line(&[2, 1]));
        assert!(!early.in_line(&[1, 3]), "a word of another ending");
        assert!(!early.in_line(&[9, 8]), "nothing telling");
        assert!(Success::Contains(4).in_line(&[9, 4]) && !Success::Contains(4).in_line(&[9]));
        assert!(Success::Next(9).in_line(&[9, 4]) && !Success::Next(4).in_line(&[9, 4]));
    }

    /// 81 of 263, the worked example of Newcombe (1998): .2553 to .3662; repeated trials do not narrow it.
    #[test]
    fn the_interval_is_wilsons() {
        for (hits, trials) in [(81, 263), (4 * 81, 4 * 263)] {
            let (low, high) = interval(hits, trials, 263);
            assert!(
                (low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5,
                "{low} {high}"
            );
        }
    }
}
