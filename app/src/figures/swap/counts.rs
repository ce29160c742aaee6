//! The count over the held-out set, for the three kinds of direction side by side.

use super::settings::{Kind, Settings, Task};
use crate::figures::text::percent;
use engine::protocol::{Count, SwapCountsRequest, TestSet};
use smallworld::Family;

/// One count to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Directions.
    pub kind: Kind,
    /// What counts as a success.
    pub measure: &'static str,
    /// For the worker.
    pub request: SwapCountsRequest,
}

/// Where a count stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Not begun.
    Waiting,
    /// Items done, of how many.
    Running(u32, u32),
    /// Finished.
    Done(Count),
    /// Ended without a result; for the reader.
    Failed(String),
    /// Called off.
    Stopped,
}

/// Counts of one intervention.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// Which prompts.
    pub set: String,
    /// The intervention in words.
    pub how: String,
    /// What is counted and how far it is.
    pub lines: Vec<(Order, Progress)>,
}

impl Tally {
    /// What to count for these settings.
    #[must_use]
    pub fn plan(settings: &Settings) -> Self {
        let lab = settings.lab();
        let (set, measures) = measures(settings);
        let order = |kind: Kind, measure: &'static str, set: TestSet| Order {
            kind,
            measure,
            request: SwapCountsRequest {
                set,
                band: lab.band,
                vectors: lab.vectors(kind),
                centred: lab.centred,
                mode: lab.edit(),
            },
        };
        let lines = measures.iter().flat_map(|&(measure, set)| {
            Kind::ALL.map(|kind| (order(kind, measure, set), Progress::Waiting))
        });
        Self {
            set,
            how: lab.describe(),
            lines: lines.collect(),
        }
    }

    /// The next count to make.
    #[must_use]
    pub fn next(&self) -> Option<usize> {
        self.lines
            .iter()
            .position(|(_, progress)| *progress == Progress::Waiting)
    }

    /// Whether something is being counted or waits for it.
    #[must_use]
    pub fn running(&self) -> bool {
        self.lines
            .iter()
            .any(|(_, progress)| matches!(progress, Progress::Waiting | Progress::Running(..)))
    }

    /// Calls off what is not finished.
    pub fn stop(&mut self) {
        for (_, progress) in &mut self.lines {
            if matches!(progress, Progress::Waiting | Progress::Running(..)) {
                *progress = Progress::Stopped;
            }
        }
    }

    /// Share of the whole that is done, 0 ..= 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        let part = |progress: &Progress| match progress {
            Progress::Waiting => 0.0,
            Progress::Running(done, of) => f64::from(*done) / f64::from((*of).max(1)),
            _ => 1.0,
        };
        self.lines
            .iter()
            .map(|(_, progress)| part(progress))
            .sum::<f64>()
            / self.lines.len().max(1) as f64
    }

    /// For the status line, when something is finished.
    #[must_use]
    pub fn summary(&self) -> String {
        let said = |(order, progress): &(Order, Progress)| match progress {
            Progress::Done(count) => Some(format!("{} {}", order.kind.name(), result(count))),
            _ => None,
        };
        self.lines
            .iter()
            .filter_map(said)
            .collect::<Vec<_>>()
            .join("; ")
    }
}

fn measures(settings: &Settings) -> (String, Vec<(&'static str, TestSet)>) {
    let filler = settings.lab().filler;
    let with = if filler { ", with the filler" } else { "" };
    let without = if filler { ", without the filler" } else { "" };
    match (settings.task, settings.lab().family) {
        (Task::Recall, Family::Animals) => (
            format!("held-out animal questions{with}"),
            vec![("the target’s answer", TestSet::Animals { filler })],
        ),
        (Task::Recall, Family::Countries) => (
            format!("held-out country questions{with}"),
            vec![("the target’s answer", TestSet::Countries { filler })],
        ),
        (Task::Flexible, _) => (
            format!("all 240 ordered pairs of countries, questions whose answers differ{without}"),
            vec![("the target’s answer", TestSet::Flexible)],
        ),
        (Task::Couplets, _) => (
            "held-out couplets".to_owned(),
            vec![
                ("the new rhyme word", TestSet::Couplets),
                ("an earlier word to suit it", TestSet::CoupletsEarly),
            ],
        ),
        (Task::Languages, _) => {
            let chinese = settings.lab().chinese;
            let language = if chinese { "Chinese" } else { "French" };
            let set = |answer| TestSet::Opposites { chinese, answer };
            (
                format!("opposites asked in {language}, trained ones among them"),
                vec![
                    ("question’s word swapped", set(false)),
                    ("answer’s word swapped", set(true)),
                ],
            )
        }
    }
}

/// "311 of 404, 77 %".
#[must_use]
pub fn result(count: &Count) -> String {
    let share = if count.n == 0 {
        0.0
    } else {
        count.hits as f32 / count.n as f32
    };
    format!("{} of {}, {}", count.hits, count.n, percent(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_follow_the_task() {
        let mut settings = Settings::default();
        let recall = Tally::plan(&settings);
        assert_eq!(recall.lines.len(), 3);
        assert_eq!(
            recall.lines[0].0.request.set,
            TestSet::Animals { filler: false }
        );
        assert!(recall.how.contains("layers 1–2"));
        settings.task = Task::Couplets;
        assert_eq!(Tally::plan(&settings).lines.len(), 6);
        settings.task = Task::Flexible;
        assert!(!Tally::plan(&settings).set.contains("filler"));
        settings.lab_mut().filler = true;
        let flexible = Tally::plan(&settings);
        assert!(flexible.set.ends_with("without the filler"));
        assert_eq!(flexible.lines[0].0.request.set, TestSet::Flexible);
        settings.task = Task::Languages;
        let languages = Tally::plan(&settings);
        assert_eq!(languages.lines.len(), 6);
        let (chinese, answer) = (true, true);
        assert_eq!(
            languages.lines[3].0.request.set,
            TestSet::Opposites { chinese, answer }
        );
    }

    #[test]
    fn progress_stop_and_summary() {
        let mut tally = Tally::plan(&Settings::default());
        assert_eq!(
            (tally.next(), tally.share(), tally.running()),
            (Some(0), 0.0, true)
        );
        tally.lines[0].1 = Progress::Done(Count {
            hits: 3,
            n: 4,
            low: 0.3,
            high: 0.95,
        });
        tally.lines[1].1 = Progress::Running(1, 2);
        assert_eq!(tally.next(), Some(2));
        assert!((tally.share() - 0.5).abs() < 1e-9);
        assert_eq!(
            tally.summary().replace('\u{202f}', " "),
            "J-lens vectors 3 of 4, 75 %"
        );
        tally.stop();
        assert!(!tally.running());
        assert_eq!(
            (tally.lines[0].1 != Progress::Stopped, &tally.lines[2].1),
            (true, &Progress::Stopped)
        );
    }
}
