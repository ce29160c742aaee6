//! How the fit stands. Plain values; times are milliseconds that the caller gives.

use super::measure::{Clock, relative_change};
use crate::client::FitPlan;
use engine::protocol::{Comparison, OwnLens};
use std::rc::Rc;

/// Jacobians `[layer][D * D]`.
pub type Layers = Rc<Vec<Vec<f32>>>;

/// Where the fit stands.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Phase {
    /// Nothing yet.
    #[default]
    Idle,
    /// Sentences are being computed.
    Running,
    /// The workers wait.
    Paused,
    /// The reader ended it early; what is there can be used.
    Stopped,
    /// All sentences are in.
    Done,
    /// A saved lens was opened.
    Opened,
    /// It ended without a result.
    Failed(String),
}

/// Quality after some sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// Sentences in the lens.
    pub prompts: u32,
    /// `|J_n - J_m| / |J_n|` over all layers, m the sentences of the entry before; `None` for the first.
    pub change: Option<f64>,
    /// Against the shipped lens; `None` until the comparison is back (or if it was overtaken).
    pub comparison: Option<Comparison>,
}

/// One sentence's Jacobian at the drawn layer, as far as its rows have come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filling {
    /// Index of the sentence.
    pub prompt: u32,
    /// The layer.
    pub layer: usize,
    /// `[D, D]`; rows that have not come are NaN.
    pub values: Vec<f32>,
    /// Rows that have come.
    pub rows: usize,
}

/// The fit.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Where it stands.
    pub phase: Phase,
    /// Width of the residual stream, D.
    pub d: usize,
    /// Sentences that are in.
    pub done: u32,
    /// Sentences without a position that counts.
    pub skipped: u32,
    /// Sentences in all.
    pub of: u32,
    /// Layer whose rows come in.
    pub drawn: usize,
    /// The lens so far.
    pub layers: Option<Layers>,
    /// Sentences that this lens is made of, and those skipped on the way: a median is not made anew with each that is in.
    pub made_of: [u32; 2],
    /// The sentence whose rows are coming in.
    pub filling: Option<Filling>,
    /// After each merge.
    pub log: Vec<Quality>,
    /// Computing time.
    pub clock: Clock,
    /// A worker was restarted, or a file came with a warning.
    pub notice: Option<String>,
}

impl Run {
    /// A fit that starts now.
    pub fn start(d: usize, plan: &FitPlan, now: f64) -> Self {
        let mut run = Self {
            phase: Phase::Running,
            d,
            of: plan.prompts,
            drawn: plan.show_layer,
            ..Self::default()
        };
        run.clock.run(now);
        run
    }

    /// A saved lens.
    pub fn opened(d: usize, lens: OwnLens) -> Self {
        let log = vec![Quality {
            prompts: lens.prompts,
            change: None,
            comparison: None,
        }];
        let notice = (!lens.warnings.is_empty()).then(|| lens.warnings.join(" "));
        Self {
            phase: Phase::Opened,
            d,
            done: lens.prompts,
            skipped: lens.skipped,
            of: lens.prompts + lens.skipped,
            layers: Some(Rc::new(lens.jacobians)),
            made_of: [lens.prompts, lens.skipped],
            log,
            notice,
            ..Self::default()
        }
    }

    /// Whether workers are at it or waiting to be.
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Paused)
    }

    /// Pauses and goes on.
    pub fn pause(&mut self, paused: bool, now: f64) {
        if !self.is_open() {
            return;
        }
        if paused {
            self.clock.rest(now)
        } else {
            self.clock.run(now)
        }
        self.phase = if paused {
            Phase::Paused
        } else {
            Phase::Running
        };
    }

    /// The reader ends it.
    pub fn stop(&mut self, now: f64) {
        self.end(
            if self.layers.is_some() {
                Phase::Stopped
            } else {
                Phase::Idle
            },
            now,
        );
    }

    /// It ends, one way or another.
    pub fn end(&mut self, phase: Phase, now: f64) {
        self.clock.rest(now);
        self.phase = phase;
    }

    /// Rows `first ..` of one sentence. Several workers send at once: the sentence that began first is followed to its end.
    pub fn rows(&mut self, prompt: u32, first: u32, rows: &[f32]) {
        let (d, first) = (self.d, first as usize);
        if d == 0 || !rows.len().is_multiple_of(d) || first * d + rows.len() > d * d {
            return;
        }
        let follows = self.filling.as_ref().is_some_and(|f| f.prompt == prompt);
        let busy = self
            .filling
            .as_ref()
            .is_some_and(|f| f.rows < d && f.prompt >= self.done + self.skipped);
        if !follows && (busy || first != 0) {
            return;
        }
        if !follows {
            self.filling = Some(Filling {
                prompt,
                layer: self.drawn,
                values: vec![f32::NAN; d * d],
                rows: 0,
            });
        }
        if let Some(filling) = &mut self.filling {
            filling.values[first * d..first * d + rows.len()].copy_from_slice(rows);
            filling.rows = filling.rows.max(first + rows.len() / d);
        }
    }

    /// More sentences are in.
    pub fn merged(&mut self, done: u32, skipped: u32, layers: Layers) {
        (self.done, self.skipped) = (done, skipped);
        if layers.is_empty() {
            return;
        }
        let change = self
            .layers
            .as_ref()
            .map(|before| relative_change(before, &layers));
        // A median that was not made anew is the same object: no entry for it.
        if self
            .layers
            .as_ref()
            .is_some_and(|before| Rc::ptr_eq(before, &layers))
        {
            return;
        }
        self.layers = Some(layers);
        self.made_of = [done, skipped];
        self.log.push(Quality {
            prompts: done,
            change,
            comparison: None,
        });
    }

    /// A comparison of the lens as it was after `prompts` sentences.
    pub fn compared(&mut self, prompts: u32, comparison: Comparison) {
        if let Some(entry) = self.log.iter_mut().find(|entry| entry.prompts == prompts) {
            entry.comparison = Some(comparison);
        }
    }

    /// Milliseconds to go, once a sentence is in.
    pub fn time_left(&self, now: f64) -> Option<f64> {
        let finished = self.done + self.skipped;
        let per_prompt = (finished > 0).then(|| self.clock.spent(now) / f64::from(finished))?;
        self.is_open()
            .then(|| per_prompt * f64::from(self.of.saturating_sub(finished)))
    }

    /// What the lens so far is, of which `layer` is drawn.
    pub fn lens_title(&self, median: bool, layer: usize) -> String {
        let reduction = if median { "Median" } else { "Mean" };
        match self.made_of[0] {
            0 => format!("{reduction} of all sentences"),
            1 => format!("The first sentence alone, layer {layer}"),
            n => format!("{reduction} of {n} sentences, layer {layer}"),
        }
    }

    /// Which sentence's rows are drawn. Its layer is the one that the fit began with, whatever is drawn of the lens by now.
    pub fn sentence_title(&self) -> String {
        let Some(filling) = &self.filling else {
            return "One sentence".to_owned();
        };
        let (sentence, layer) = (filling.prompt + 1, filling.layer);
        if filling.rows < self.d {
            format!(
                "Sentence {sentence}, layer {layer}, row by row: {} of {}",
                filling.rows, self.d
            )
        } else {
            format!("Sentence {sentence} alone, layer {layer}")
        }
    }

    /// The first and the last entry that were compared.
    pub fn compared_ends(&self) -> Option<(&Quality, &Quality)> {
        let mut compared = self.log.iter().filter(|entry| entry.comparison.is_some());
        let first = compared.next()?;
        Some((first, compared.next_back().unwrap_or(first)))
    }
}

/// A mean cosine from which on two lenses count as pointing the same way.
const CLOSE: f32 = 0.9;
/// Sentences that are few.
const FEW: u32 = 5;

/// What the mean cosines with the shipped lens say: `first` of a lens of `sentences`, `last` of the latest.
pub fn lesson(sentences: u32, first: f32, last: f32) -> &'static str {
    match sentences {
        1 if first >= CLOSE => {
            "Here a single sentence, with all its positions, already points nearly the same way."
        }
        2..=FEW if first >= CLOSE => "Here these few sentences already point nearly the same way.",
        _ if last >= CLOSE => "The two point nearly the same way.",
        _ => "The two do not point the same way yet; more sentences should bring them closer.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::fit::settings::Settings;

    fn start(d: usize, prompts: u32, now: f64) -> Run {
        let settings = Settings {
            prompts,
            ..Settings::default()
        };
        Run::start(d, &settings.plan(8), now)
    }

    fn layers(value: f32) -> Layers {
        Rc::new(vec![vec![value; 4]; 2])
    }

    #[test]
    fn a_fit_from_start_to_end() {
        let mut run = start(2, 3, 1000.0);
        assert_eq!(run.time_left(1500.0), None);
        run.merged(1, 0, layers(1.0));
        assert_eq!(run.time_left(2000.0), Some(2000.0));
        run.pause(true, 2000.0);
        assert_eq!(
            run.time_left(90_000.0),
            Some(2000.0),
            "a pause costs no time"
        );
        run.pause(false, 90_000.0);
        run.merged(2, 1, layers(1.1));
        assert_eq!(run.time_left(91_000.0), Some(0.0));
        run.end(Phase::Done, 91_000.0);
        assert_eq!(
            (run.phase.clone(), run.clock.spent(1e9)),
            (Phase::Done, 2000.0)
        );
        let change = run.log[1].change.unwrap();
        assert!((change - 0.1 / 1.1).abs() < 1e-6, "{change}");
    }

    #[test]
    fn rows_of_the_sentence_that_began_first_are_followed() {
        let mut run = start(2, 3, 0.0);
        run.rows(0, 0, &[1.0, 2.0]);
        run.rows(1, 0, &[9.0, 9.0]);
        let filling = run.filling.as_ref().unwrap();
        assert_eq!(
            (filling.prompt, filling.rows, filling.values[1]),
            (0, 1, 2.0)
        );
        assert!(filling.values[2].is_nan());
        run.rows(0, 1, &[3.0, 4.0]);
        assert_eq!(run.filling.as_ref().unwrap().values, [1.0, 2.0, 3.0, 4.0]);
        run.rows(1, 1, &[9.0, 9.0]);
        assert_eq!(
            run.filling.as_ref().unwrap().prompt,
            0,
            "only from its first row"
        );
        run.rows(2, 0, &[5.0, 6.0]);
        assert_eq!(run.filling.as_ref().unwrap().prompt, 2);
        run.rows(2, 7, &[5.0, 6.0]);
        run.rows(2, 0, &[5.0]);
        assert_eq!(
            run.filling.as_ref().unwrap().rows,
            1,
            "rows of another shape are refused"
        );
    }

    #[test]
    fn a_sentence_that_died_with_its_worker_does_not_block_the_picture() {
        let mut run = start(2, 9, 0.0);
        run.rows(0, 0, &[1.0, 2.0]);
        run.merged(1, 0, layers(1.0));
        run.rows(3, 0, &[1.0, 2.0]);
        assert_eq!(run.filling.as_ref().unwrap().prompt, 3);
    }

    #[test]
    fn stopping_keeps_what_is_there() {
        let mut run = start(2, 3, 0.0);
        run.stop(5.0);
        assert_eq!(run.phase, Phase::Idle);
        let mut run = start(2, 3, 0.0);
        run.merged(1, 0, layers(1.0));
        run.stop(5.0);
        assert_eq!(run.phase, Phase::Stopped);
        run.pause(false, 6.0);
        assert_eq!(run.phase, Phase::Stopped);
    }

    #[test]
    fn comparisons_find_their_entry_even_if_late() {
        let comparison = |c| Comparison {
            cosines: vec![c; 2],
            agreement: vec![0.5; 2],
            prompts: 6,
            positions: 60,
        };
        let mut run = start(2, 3, 0.0);
        run.merged(1, 0, layers(1.0));
        run.merged(2, 0, layers(1.2));
        run.merged(3, 0, layers(1.3));
        run.compared(1, comparison(0.97));
        run.compared(3, comparison(0.99));
        run.compared(7, comparison(0.1));
        let (first, last) = run.compared_ends().unwrap();
        assert_eq!((first.prompts, last.prompts), (1, 3));
        assert_eq!(
            run.log
                .iter()
                .filter(|entry| entry.comparison.is_some())
                .count(),
            2
        );
    }

    #[test]
    fn a_median_that_was_not_made_anew_leaves_no_entry() {
        let (mut run, same) = (start(2, 3, 0.0), layers(1.0));
        run.merged(1, 0, Rc::clone(&same));
        run.merged(2, 0, same);
        assert_eq!((run.log.len(), run.done), (1, 2));
    }

    #[test]
    fn a_median_stopped_between_two_is_not_said_to_be_of_more_sentences_than_it_is() {
        let (mut run, lens) = (start(2, 40, 0.0), layers(1.0));
        run.merged(16, 1, Rc::clone(&lens));
        run.merged(21, 2, lens);
        run.stop(5.0);
        assert_eq!((run.done, run.made_of), (21, [16, 1]));
        assert_eq!(run.lens_title(true, 2), "Median of 16 sentences, layer 2");
        run.merged(21, 2, layers(1.1));
        assert_eq!(run.made_of, [21, 2]);
    }

    #[test]
    fn a_sentence_keeps_its_layer_when_another_is_drawn_of_the_lens() {
        let mut run = start(2, 3, 0.0);
        assert_eq!(
            (run.lens_title(false, 5), run.sentence_title()),
            (
                "Mean of all sentences".to_owned(),
                "One sentence".to_owned()
            )
        );
        run.rows(0, 0, &[1.0, 2.0]);
        assert_eq!(
            run.sentence_title(),
            "Sentence 1, layer 2, row by row: 1 of 2"
        );
        run.rows(0, 1, &[1.0, 2.0]);
        run.merged(1, 0, layers(1.0));
        assert_eq!(
            (run.lens_title(false, 5), run.sentence_title()),
            (
                "The first sentence alone, layer 5".to_owned(),
                "Sentence 1 alone, layer 2".to_owned()
            )
        );
    }

    #[test]
    fn what_is_said_of_the_cosines_depends_on_them() {
        assert!(lesson(1, 0.95, 0.99).contains("a single sentence"));
        assert!(lesson(3, 0.95, 0.99).contains("few sentences"));
        assert!(lesson(25, 0.99, 0.99).starts_with("The two point nearly"));
        assert!(lesson(1, 0.6, 0.95).starts_with("The two point nearly"));
        for cosine in [0.5, f32::NAN] {
            assert!(lesson(1, cosine, cosine).contains("not point the same way"));
        }
    }
}
