//! What is said about outcomes: words marked in a line, and the figure's summary.

use super::catalogue::{Trial, ending};
use super::settings::{Kind, Lab, Task};
use super::state::{Outcomes, Verdict};
use crate::figures::text::quoted;

/// What a word of a generated line has to do with the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    Plain,
    /// The rhyme word of source or target.
    Rhyme(Side),
    /// A verb or adjective that goes with that rhyme word.
    Early(Side),
}

/// One of the two words of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The word that the prompt calls for.
    Source,
    /// The word put in its place.
    Target,
}

/// Looks at a word of a line; a word that goes with both rhyme words says nothing.
#[must_use]
pub fn mark(word: &str, lab: &Lab) -> Mark {
    let fits = |noun: &str| ending(noun).is_some_and(|e| e.verb == word || e.adjective == word);
    match (fits(&lab.source), fits(&lab.target)) {
        _ if word == lab.source => Mark::Rhyme(Side::Source),
        _ if word == lab.target => Mark::Rhyme(Side::Target),
        (true, false) => Mark::Early(Side::Source),
        (false, true) => Mark::Early(Side::Target),
        _ => Mark::Plain,
    }
}

/// The figure's spoken summary: what the lens vectors did, and what the controls did. Empty until all is there.
#[must_use]
pub fn summary(task: Task, lab: &Lab, trials: &[Trial], outcomes: &Outcomes) -> String {
    let said = |kind: Kind| match (task, trials) {
        (Task::Flexible, [_, ..]) => {
            let (turned, of) = outcomes.turned(trials, kind)?;
            Some(format!("{} turn {turned} of {of} answers", kind.name()))
        }
        (_, [trial]) => one(task, trial, outcomes, kind),
        _ => None,
    };
    let parts: Option<Vec<String>> = Kind::ALL.into_iter().map(said).collect();
    parts.map_or_else(String::new, |parts| {
        let (source, target) = (quoted(&lab.source), quoted(&lab.target));
        format!(
            "With {source} and {target} as the two words: {}.",
            parts.join("; ")
        )
    })
}

/// What one kind of direction did to the one trial in sight.
fn one(task: Task, trial: &Trial, outcomes: &Outcomes, kind: Kind) -> Option<String> {
    let outcome = outcomes.get(0, kind)?;
    let end = match task {
        Task::Couplets => quoted(&outcome.line_after.join(" ")),
        _ => outcome.after.first().map(|row| row.word.clone())?,
    };
    let name = kind.name();
    Some(match outcome.verdict(trial) {
        Verdict::Wanted => format!("{name} turn it to {end}, the target’s"),
        Verdict::RightlySame => format!("{name} keep {end}, which is right for both"),
        Verdict::Unchanged => format!("{name} leave it at {end}"),
        Verdict::Kept => format!("{name} keep the rhyme word: {end}"),
        Verdict::Other => format!("{name} turn it to {end}, which is neither’s"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::swap::settings::Settings;
    use crate::figures::swap::state::tests::{outcome, start};

    #[test]
    fn words_of_a_line() {
        let mut settings = Settings::default();
        settings.task = Task::Couplets;
        let marks =
            ["seek", "winter", "the", "shore", "store"].map(|word| mark(word, settings.lab()));
        use Mark::{Early, Plain, Rhyme};
        assert_eq!(
            marks,
            [
                Early(Side::Target),
                Early(Side::Source),
                Plain,
                Rhyme(Side::Target),
                Rhyme(Side::Source)
            ]
        );
    }

    #[test]
    fn the_summary_waits_for_all_three() {
        let (settings, trials) = start();
        let mut outcomes = Outcomes::default();
        outcomes.fit(&trials);
        let said = |outcomes: &Outcomes| summary(Task::Recall, settings.lab(), &trials, outcomes);
        assert_eq!(said(&outcomes), "");
        for (kind, after) in Kind::ALL.into_iter().zip([6, 8, 8]) {
            outcomes.put(0, kind, outcome(&trials[0], 8, after));
        }
        let said = said(&outcomes);
        assert!(
            said.contains("J-lens vectors turn it to 6, the target’s"),
            "{said}"
        );
        assert!(said.contains("random directions leave it at 8."), "{said}");
    }
}
