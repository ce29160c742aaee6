//! Which lens, which directions, and a reading.

use super::Said;
use serde::{Deserialize, Serialize};

/// Which target positions a lens sums over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Targets {
    /// t' >= t: the paper's default.
    All,
    /// t' = t.
    Same,
    /// t' > t.
    Future,
}

/// Directions that stand for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Vectors {
    /// Lens vectors of the J-lens with these targets.
    Jacobian(Targets),
    /// Unembedding vectors: the logit lens.
    Logit,
    /// Random directions matched to the J-lens pair in norm and angle (seed).
    Random(u64),
}

/// A readout request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadRequest {
    /// Token ids, the first is usually `<s>`.
    pub tokens: Vec<u32>,
    /// Which J-lens is shown beside the logit lens.
    pub targets: Targets,
    /// Words per list.
    pub top: usize,
    /// Words whose rank every cell reports.
    pub tracked: Vec<u32>,
}

/// One word of a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// Word id.
    pub word: u32,
    /// 0-based rank in the whole vocabulary.
    pub rank: u32,
    /// Softmax probability.
    pub prob: f32,
}

/// Both lenses at one layer and position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Residual state.
    pub layer: usize,
    /// Token position.
    pub position: usize,
    /// Logit lens, best first.
    pub logit: Vec<Ranked>,
    /// J-lens, best first.
    pub jacobian: Vec<Ranked>,
    /// Tracked words under the logit lens, in the order asked.
    pub logit_tracked: Vec<Ranked>,
    /// Tracked words under the J-lens.
    pub jacobian_tracked: Vec<Ranked>,
}

/// Reading through a tuned lens; the lens travels along, so that any worker can answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedRequest {
    /// The file.
    #[serde(with = "serde_bytes")]
    pub lens: Vec<u8>,
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Words per list.
    pub top: usize,
    /// Words whose rank every cell reports.
    pub tracked: Vec<u32>,
}

/// Answer to [`TunedRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedReading {
    /// Layers that it has, ascending.
    pub layers: Vec<usize>,
    /// All positions of each of these layers, layer-major.
    pub cells: Vec<Said>,
    /// Mean divergence from the final distribution after training, per layer, in nats.
    pub divergence: Vec<f32>,
    /// Name of the text that it was trained on.
    pub corpus: String,
    /// What the reader should know, such as a lens that was trained on other weights.
    pub warnings: Vec<String>,
}
