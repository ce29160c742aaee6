//! Requests of the laboratory, and what their answers mean. Plain data.

use super::catalogue::Trial;
use super::settings::{Kind, Lab, Task};
use crate::figures::parts::Row;
use engine::protocol::{Ranked, SwapRequest, SwapResult};
use std::sync::Arc;

/// Words per list.
const TOP: usize = 5;
/// Words of a couplet's second line, at most.
const LINE: usize = 9;

/// What to send for one trial; `None` if the model lacks one of the words.
#[must_use]
pub fn request(
    task: Task,
    lab: &Lab,
    trial: &Trial,
    kind: Kind,
    token: impl Fn(&str) -> Option<u32>,
) -> Option<SwapRequest> {
    Some(SwapRequest {
        tokens: trial
            .prompt
            .split_whitespace()
            .map(&token)
            .collect::<Option<_>>()?,
        source: token(&lab.source)?,
        target: token(&lab.target)?,
        band: lab.band,
        vectors: lab.vectors(kind),
        centred: lab.centred,
        mode: lab.edit(),
        top: TOP,
        generate: if task == Task::Couplets { LINE } else { 0 },
    })
}

/// One layer of the band, seen from inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inside {
    /// Layer.
    pub layer: usize,
    /// Cosine of the two directions.
    pub cosine: Option<f32>,
    /// Coordinates of source and target at the last position of the clean pass.
    pub coordinates: Option<[f32; 2]>,
}

/// An answered swap, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The prompt it belongs to.
    pub prompt: String,
    /// Next words without the edit, best first.
    pub before: Vec<Row>,
    /// Next words with it.
    pub after: Vec<Row>,
    /// Continuation without the edit (couplets).
    pub line_before: Vec<String>,
    /// Continuation with it.
    pub line_after: Vec<String>,
    /// The band, layer by layer.
    pub inside: Vec<Inside>,
    /// What the reader should know about the directions.
    pub warning: Option<String>,
}

impl Outcome {
    /// Spells an answer.
    #[must_use]
    pub fn new(
        prompt: &str,
        first_layer: usize,
        result: SwapResult,
        word: impl Fn(u32) -> String,
    ) -> Self {
        let rows = |list: Vec<Ranked>| list.iter().map(|r| row(r, &word)).collect();
        let line = |ids: Vec<u32>| ids.into_iter().map(&word).collect();
        let layers = result.cosines.len().max(result.coordinates.len());
        let inside = |i: usize| Inside {
            layer: first_layer + i,
            cosine: result.cosines.get(i).copied(),
            coordinates: result.coordinates.get(i).copied(),
        };
        Self {
            prompt: prompt.to_owned(),
            inside: (0..layers).map(inside).collect(),
            before: rows(result.clean),
            after: rows(result.edited),
            line_before: line(result.clean_text),
            line_after: line(result.edited_text),
            warning: result.warning,
        }
    }

    /// What came of it.
    #[must_use]
    pub fn verdict(&self, trial: &Trial) -> Verdict {
        if self.line_after.is_empty() {
            let top = |rows: &[Row]| rows.first().map(|row| row.word.clone()).unwrap_or_default();
            Verdict::of(
                &top(&self.before),
                &top(&self.after),
                trial.wanted.is_some_and(|w| w == top(&self.after)),
            )
        } else {
            let says = |noun: &str| self.line_after.iter().any(|word| word == noun);
            let (before, after) = (self.line_before.join(" "), self.line_after.join(" "));
            match Verdict::of(&before, &after, trial.wanted.is_some_and(says)) {
                Verdict::Other if says(trial.right) => Verdict::Kept,
                verdict => verdict,
            }
        }
    }

    /// The rows with the wanted word marked.
    #[must_use]
    pub fn marked(rows: &[Row], trial: &Trial) -> Vec<Row> {
        rows.iter()
            .map(|row| Row {
                tracked: trial.wanted == Some(row.word.as_str()),
                ..row.clone()
            })
            .collect()
    }
}

fn row(ranked: &Ranked, word: impl Fn(u32) -> String) -> Row {
    Row {
        word: word(ranked.word),
        rank: ranked.rank + 1,
        prob: ranked.prob,
        tracked: false,
    }
}

/// What came of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The target's answer, and it differs from before.
    Wanted,
    /// Nothing changed although something should have, or may have.
    Unchanged,
    /// The same as before, and rightly so: source and target have the same answer.
    RightlySame,
    /// Another line, but with the rhyme word that it had (couplets).
    Kept,
    /// Something else.
    Other,
}

impl Verdict {
    fn of(before: &str, after: &str, wanted: bool) -> Self {
        match (wanted, before == after) {
            (true, false) => Self::Wanted,
            (true, true) => Self::RightlySame,
            (false, true) => Self::Unchanged,
            (false, false) => Self::Other,
        }
    }

    /// Mark and words, so that colour is never the only sign.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Wanted => "✓ the target’s answer",
            Self::RightlySame => "= same answer for both",
            Self::Unchanged => "– unchanged",
            Self::Kept => "– same rhyme word",
            Self::Other => "× something else",
        }
    }

    /// Value of `data-verdict`.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Wanted => "wanted",
            Self::RightlySame => "same",
            Self::Unchanged => "unchanged",
            Self::Kept => "kept",
            Self::Other => "other",
        }
    }
}

/// What is known of one trial with one kind of direction: at most one of the two.
#[derive(Clone, Debug, Default, PartialEq)]
struct Slot {
    outcome: Option<Arc<Outcome>>,
    trouble: Option<String>,
}

/// Outcomes by trial and kind of direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcomes {
    rows: Vec<[Slot; 3]>,
}

impl Outcomes {
    /// The outcome of a trial, if it has come.
    #[must_use]
    pub fn get(&self, trial: usize, kind: Kind) -> Option<&Arc<Outcome>> {
        self.rows.get(trial)?[place(kind)].outcome.as_ref()
    }

    /// Keeps what still belongs to one of these trials: a drag may show the last outcome, another prompt may not.
    pub fn fit(&mut self, trials: &[Trial]) {
        self.rows.resize_with(trials.len(), Default::default);
        for (row, trial) in self.rows.iter_mut().zip(trials) {
            for slot in row {
                slot.outcome
                    .take_if(|outcome| outcome.prompt != trial.prompt);
            }
        }
    }

    /// Notes an outcome.
    pub fn put(&mut self, trial: usize, kind: Kind, outcome: Outcome) {
        let outcome = Some(Arc::new(outcome));
        let trouble = None;
        self.set(trial, kind, Slot { outcome, trouble });
    }

    /// Notes that there is none, and why if it was refused: the last one belongs to other words.
    pub fn withdraw(&mut self, trial: usize, kind: Kind, trouble: Option<String>) {
        let outcome = None;
        self.set(trial, kind, Slot { outcome, trouble });
    }

    fn set(&mut self, trial: usize, kind: Kind, slot: Slot) {
        if let Some(row) = self.rows.get_mut(trial) {
            row[place(kind)] = slot;
        }
    }

    /// The first refusal that stands.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        let all = self.rows.iter().flatten();
        all.filter_map(|slot| slot.trouble.clone()).next()
    }

    /// How many trials a kind of direction turned, of how many that should have turned; `None` until all are there.
    #[must_use]
    pub fn turned(&self, trials: &[Trial], kind: Kind) -> Option<(usize, usize)> {
        let mut turned = (0, 0);
        for (i, trial) in trials.iter().enumerate() {
            let verdict = self.get(i, kind)?.verdict(trial);
            turned.0 += usize::from(verdict == Verdict::Wanted);
            turned.1 += usize::from(verdict != Verdict::RightlySame);
        }
        Some(turned)
    }
}

const fn place(kind: Kind) -> usize {
    match kind {
        Kind::Jacobian => 0,
        Kind::Logit => 1,
        Kind::Random => 2,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::catalogue::Catalogue;
    use super::super::settings::Settings;
    use super::*;

    fn answer(before: u32, after: u32) -> SwapResult {
        let list = |word| {
            vec![Ranked {
                word,
                rank: 0,
                prob: 0.9,
            }]
        };
        SwapResult {
            clean: list(before),
            edited: list(after),
            clean_text: vec![],
            edited_text: vec![],
            cosines: vec![0.4, 0.5],
            coordinates: vec![[1.0, 0.1], [0.9, 0.2]],
            warning: None,
        }
    }

    fn spell(id: u32) -> String {
        id.to_string()
    }

    pub fn outcome(trial: &Trial, before: u32, after: u32) -> Outcome {
        Outcome::new(&trial.prompt, 1, answer(before, after), spell)
    }

    pub fn start() -> (Settings, Vec<Trial>) {
        let settings = Settings::default();
        let trials = Catalogue::standard().trials(&settings);
        (settings, trials)
    }

    #[test]
    fn verdicts() {
        let (_, trials) = start();
        let verdict = |before, after| outcome(&trials[0], before, after).verdict(&trials[0]);
        assert_eq!(verdict(8, 6), Verdict::Wanted);
        assert_eq!(verdict(8, 8), Verdict::Unchanged);
        assert_eq!(verdict(6, 6), Verdict::RightlySame);
        assert_eq!(verdict(8, 4), Verdict::Other);
    }

    #[test]
    fn verdicts_on_lines() {
        let mut settings = Settings::default();
        settings.task = Task::Couplets;
        let trial = &Catalogue::standard().trials(&settings)[0];
        let verdict = |after: &str| {
            let words = |line: &str| line.split(' ').map(str::to_owned).collect();
            let outcome = Outcome {
                line_before: words("to fill the winter store ."),
                line_after: words(after),
                ..outcome(trial, 0, 0)
            };
            outcome.verdict(trial)
        };
        assert_eq!(verdict("to seek the sandy shore ."), Verdict::Wanted);
        assert_eq!(verdict("to fill the winter store ."), Verdict::Unchanged);
        assert_eq!(verdict("to see the winter store ."), Verdict::Kept);
        assert_eq!(verdict("to see the yellow hay ."), Verdict::Other);
    }

    #[test]
    fn the_wanted_word_is_marked() {
        let (_, trials) = start();
        let rows = outcome(&trials[0], 8, 6).after;
        assert!(Outcome::marked(&rows, &trials[0])[0].tracked);
    }

    #[test]
    fn requests_need_all_words() {
        let (settings, trials) = start();
        let known = |word: &str| Some(word.len() as u32);
        let request = |token: &dyn Fn(&str) -> Option<u32>| {
            request(
                Task::Recall,
                settings.lab(),
                &trials[0],
                Kind::Jacobian,
                token,
            )
        };
        let sent = request(&known).unwrap();
        assert_eq!(
            (sent.tokens.len(), sent.band, sent.generate),
            (12, [1, 2], 0)
        );
        assert_eq!(request(&|word: &str| (word != "ant").then_some(1)), None);
    }

    #[test]
    fn outcomes_of_another_prompt_go() {
        let (_, trials) = start();
        let mut outcomes = Outcomes::default();
        outcomes.fit(&trials);
        outcomes.put(0, Kind::Logit, outcome(&trials[0], 8, 8));
        outcomes.put(7, Kind::Logit, outcome(&trials[0], 8, 8));
        outcomes.fit(&trials);
        assert!(outcomes.get(0, Kind::Logit).is_some() && outcomes.get(7, Kind::Logit).is_none());
        let other = Trial {
            prompt: "<s> x".into(),
            ..trials[0].clone()
        };
        outcomes.fit(&[other]);
        assert!(outcomes.get(0, Kind::Logit).is_none());
    }

    #[test]
    fn a_refused_swap_takes_its_old_outcome_with_it() {
        let (_, trials) = start();
        let mut outcomes = Outcomes::default();
        outcomes.fit(&trials);
        for kind in Kind::ALL {
            outcomes.put(0, kind, outcome(&trials[0], 8, 6));
        }
        outcomes.withdraw(0, Kind::Jacobian, Some("parallel".into()));
        outcomes.fit(&trials);
        assert!(outcomes.get(0, Kind::Jacobian).is_none());
        // Another kind's success does not take the message away, only its own does.
        outcomes.put(0, Kind::Random, outcome(&trials[0], 8, 8));
        assert_eq!(outcomes.trouble().as_deref(), Some("parallel"));
        outcomes.put(0, Kind::Jacobian, outcome(&trials[0], 8, 6));
        assert_eq!(outcomes.trouble(), None);
    }

    #[test]
    fn turned_counts_only_what_should_turn() {
        let mut settings = Settings::default();
        settings.task = Task::Flexible;
        settings.lab_mut().target = "italy".into();
        let trials = Catalogue::standard().trials(&settings);
        let mut outcomes = Outcomes::default();
        outcomes.fit(&trials);
        assert_eq!(outcomes.turned(&trials, Kind::Jacobian), None);
        let word = |id: u32| {
            if id == 0 {
                "europe".to_owned()
            } else {
                "rome".to_owned()
            }
        };
        for (i, trial) in trials.iter().enumerate() {
            let result = answer(0, u32::from(trial.asks == "capital"));
            let outcome = Outcome::new(&trial.prompt, 1, result, word);
            outcomes.put(i, Kind::Jacobian, outcome);
        }
        assert_eq!(outcomes.turned(&trials, Kind::Jacobian), Some((1, 4)));
    }
}
