//! The settings of Figure 14, what stands in its lines, and what is said about them. Plain data.

use crate::figures::bench::Settings;
use crate::figures::stored::Stored;
use crate::figures::text::percent;
use engine::protocol::{Causal, Count};

/// Numbers of lens vectors in a part that have been measured.
pub const SIZES: [usize; 3] = [1, 3, 10];

/// What the reader can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Lens vectors in a concept's J-space part.
    pub k: usize,
}

impl Default for Chosen {
    fn default() -> Self {
        Self { k: 3 }
    }
}

impl Settings for Chosen {
    fn to_link(&self) -> String {
        format!("k{}", self.k)
    }

    fn from_link(text: &str) -> Option<Self> {
        let k = text.strip_prefix('k')?.parse().ok()?;
        SIZES.contains(&k).then_some(Self { k })
    }
}

/// What is exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// All of the difference of two concept vectors.
    Whole,
    /// Its J-space part.
    Part,
    /// The rest.
    Rest,
    /// The rest at the length of the part.
    Matched,
    /// A random direction at the length of the part.
    Random,
}

impl Piece {
    /// All, in the order shown.
    pub const ALL: [Self; 5] = [
        Self::Whole,
        Self::Part,
        Self::Rest,
        Self::Matched,
        Self::Random,
    ];

    /// Value of `data-piece`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Part => "part",
            Self::Rest => "rest",
            Self::Matched => "matched",
            Self::Random => "random",
        }
    }

    /// For readers.
    #[must_use]
    pub fn name(self, k: usize) -> String {
        match self {
            Self::Whole => "all of it".to_owned(),
            Self::Part if k == 1 => "the best lens vector’s part".to_owned(),
            Self::Part => format!("the part of {k} lens vectors"),
            Self::Rest => "the rest, as it is".to_owned(),
            Self::Matched => "the rest, at the part’s length".to_owned(),
            Self::Random => "a random direction, at the part’s length".to_owned(),
        }
    }

    /// What the paper reports for large models, in per cent.
    #[must_use]
    pub const fn paper(self) -> Option<u8> {
        match self {
            Self::Part => Some(59),
            Self::Matched => Some(5),
            _ => None,
        }
    }

    /// Row of the stored report.
    #[must_use]
    pub fn row(self, k: usize) -> String {
        match self {
            Self::Whole => "jspace.whole".to_owned(),
            Self::Part => format!("jspace.k{k}.part"),
            Self::Rest => format!("jspace.k{k}.rest"),
            Self::Matched => format!("jspace.k{k}.rest.matched"),
            Self::Random => format!("jspace.k{k}.part#baseline"),
        }
    }

    /// What was counted in this tab.
    #[must_use]
    pub const fn count(self, causal: &Causal) -> Count {
        match self {
            Self::Whole => causal.whole,
            Self::Part => causal.part,
            Self::Rest => causal.rest,
            Self::Matched => causal.matched,
            Self::Random => causal.random,
        }
    }
}

/// Whether a count made here is the stored one.
#[must_use]
pub fn same(count: Count, stored: Stored) -> bool {
    count.n == stored.n && count.hits == stored.hits()
}

/// "194 of 202, 96 %".
#[must_use]
pub fn result(hits: u32, n: u32) -> String {
    let share = hits as f32 / n.max(1) as f32;
    format!("{hits} of {n}, {}", percent(share))
}

/// What a part is made of: one vector is the best there is, several are taken one after the other, which need not be the best set.
/// `words` is how many there are to choose from, once that is known.
#[must_use]
pub fn taken(k: usize, words: Option<usize>, what: &str) -> String {
    let of = words.map_or_else(String::new, |n| format!("of {n} "));
    match k {
        1 => format!("the best {of}{what}"),
        k => format!("{k} {of}{what}, by pursuit"),
    }
}

/// The figure in a sentence; `variance` and `luck` are shares.
#[must_use]
pub fn summary(k: usize, variance: f64, luck: f64, part: f64, rest: f64) -> String {
    let words = if k == 1 {
        "One lens vector holds".to_owned()
    } else {
        format!("{k} lens vectors hold")
    };
    let share = |x: f64| percent(x as f32);
    format!(
        "{words} {} of a concept’s variance (with as many random vectors to choose from, {}). Exchanging that part turns {} of the answers, exchanging all the rest {}.",
        share(variance),
        share(luck),
        share(part),
        share(rest)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_back() {
        for k in SIZES {
            let chosen = Chosen { k };
            assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen));
        }
        for text in ["", "k2", "3", "k-1", "k3;"] {
            assert_eq!(Chosen::from_link(text), None, "{text}");
        }
    }

    #[test]
    fn counts_are_compared_as_counts() {
        let stored = Stored {
            value: 194.0 / 202.0,
            n: 202,
            interval: None,
        };
        let count = |hits, n| Count {
            hits,
            n,
            low: 0.0,
            high: 1.0,
        };
        assert!(same(count(194, 202), stored));
        assert!(!same(count(193, 202), stored) && !same(count(194, 203), stored));
        assert_eq!(
            result(194, 202).replace('\u{202f}', " "),
            "194 of 202, 96 %"
        );
    }

    #[test]
    fn a_greedy_choice_is_not_called_the_best() {
        let said = |k| taken(k, Some(12), "lens vectors");
        assert_eq!(said(1), "the best of 12 lens vectors");
        assert_eq!(said(3), "3 of 12 lens vectors, by pursuit");
        assert_eq!(taken(3, None, "words"), "3 words, by pursuit");
        assert!(!summary(3, 0.4, 0.3, 0.9, 0.1).contains("best"));
    }

    #[test]
    fn rows_and_names_follow_k() {
        assert_eq!(Piece::Matched.row(10), "jspace.k10.rest.matched");
        assert_eq!(Piece::Whole.row(10), "jspace.whole");
        assert!(Piece::Part.name(1).contains("best lens vector"));
        let said = summary(3, 0.42, 0.3, 0.96, 0.02).replace('\u{202f}', " ");
        assert!(said.starts_with("3 lens vectors hold 42 %"), "{said}");
    }
}
