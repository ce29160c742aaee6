//! Interventions, one by one and counted.

use super::{Ranked, Vectors};
use serde::{Deserialize, Serialize};

/// How an edit is made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum EditMode {
    /// Exchange of dual-basis coordinates, set to those of the clean pass at every layer of the band.
    SwapClamped,
    /// Exchange applied to whatever arrives (undoes itself over a band).
    SwapLive,
    /// `h + a <h, s^> (t^ - s^)`.
    Project {
        /// Strength a.
        strength: f32,
    },
    /// `h + strength * mean norm * v_t / |v_t|`.
    Steer {
        /// Strength.
        strength: f32,
    },
    /// Projects the source word's direction out.
    Ablate,
}

/// One intervention on one prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwapRequest {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Word whose direction is read.
    pub source: u32,
    /// Word that takes its place.
    pub target: u32,
    /// First and last layer of the band, inclusive.
    pub band: [usize; 2],
    /// Kind of direction.
    pub vectors: Vectors,
    /// Subtract the vocabulary's mean vector.
    pub centred: bool,
    /// Kind of edit.
    pub mode: EditMode,
    /// Words per list.
    pub top: usize,
    /// Continue greedily for this many words (couplets), edits on prompt positions only.
    pub generate: usize,
}

/// Answer to a swap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwapResult {
    /// Output at the last position of the clean pass.
    pub clean: Vec<Ranked>,
    /// Output after the edit.
    pub edited: Vec<Ranked>,
    /// Greedy continuations, clean and edited; empty unless asked.
    pub clean_text: Vec<u32>,
    /// As `clean_text`.
    pub edited_text: Vec<u32>,
    /// Cosine of the two directions at each layer of the band.
    pub cosines: Vec<f32>,
    /// Dual-basis coordinates `(source, target)` at the last position, clean pass, per band layer.
    pub coordinates: Vec<[f32; 2]>,
    /// A warning (nearly parallel directions).
    pub warning: Option<String>,
}

/// Which held-out items to count over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TestSet {
    /// Two-hop animal questions.
    Animals {
        /// With ", let me think ,".
        filler: bool,
    },
    /// Two-hop country questions.
    Countries {
        /// With ", let me think ,".
        filler: bool,
    },
    /// One swap of two countries, five relations.
    Flexible,
    /// Couplets; counted is the rhyme word.
    Couplets,
    /// Couplets; counted is an earlier word (verb or adjective) that goes with the new rhyme word and with no other.
    CoupletsEarly,
    /// Two-hop animal questions, the answers exchanged in place of the animals.
    AnimalAnswers {
        /// With ", let me think ,".
        filler: bool,
    },
    /// Opposites asked in French or Chinese, two English words exchanged.
    Opposites {
        /// Chinese, not French.
        chinese: bool,
        /// The English words of the answers, not of the questions.
        answer: bool,
    },
}

/// An intervention counted over a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwapCountsRequest {
    /// Items.
    pub set: TestSet,
    /// Band.
    pub band: [usize; 2],
    /// Directions.
    pub vectors: Vectors,
    /// Subtract the mean vector.
    pub centred: bool,
    /// Kind of edit.
    pub mode: EditMode,
}

/// Successes among tried items, with a 95 % Wilson interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Count {
    /// The target's answer came out on top.
    pub hits: u32,
    /// Items tried.
    pub n: u32,
    /// Lower end.
    pub low: f32,
    /// Upper end.
    pub high: f32,
}
