//! Experiments over the held-out items, as `jlens eval` runs them.

use super::{Count, Targets};
use serde::{Deserialize, Serialize};

/// Concepts exchanged by a piece of their difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CausalRequest {
    /// Lens vectors in a concept's J-space part.
    pub k: usize,
}

/// Answer to [`CausalRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Causal {
    /// Mean share of a concept vector's square that its part holds.
    pub variance: f32,
    /// The same with a dictionary of as many random vectors.
    pub luck: f32,
    /// Concept vectors that the shares are means of.
    pub concepts: u32,
    /// The difference of the two concept vectors as it is.
    pub whole: Count,
    /// Its J-space part.
    pub part: Count,
    /// The rest.
    pub rest: Count,
    /// The rest at the length of the part.
    pub matched: Count,
    /// A random direction at the length of the part.
    pub random: Count,
}

/// Two lenses, layer by layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BandRequest {
    /// Which J-lens stands beside the logit lens.
    pub targets: Targets,
}

/// Answer to [`BandRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Positions of text.
    pub positions: u32,
    /// Questions in which the bridge is looked for.
    pub prompts: u32,
    /// Layers 0 ..= L.
    pub layers: Vec<BandLayer>,
}

/// One layer; pairs are `[J-lens, logit lens]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BandLayer {
    /// Positions at which both name the same word first.
    pub agree: u32,
    /// Positions at which each names the model's own next word first.
    pub output: [u32; 2],
    /// Mean entropy of the readout, bits.
    pub entropy: [f32; 2],
    /// Questions with the bridge on top.
    pub first: [u32; 2],
    /// Questions with the bridge among the first five.
    pub five: [u32; 2],
    /// As `first`, for another animal's name.
    pub wrong_first: [u32; 2],
    /// As `five`, for another animal's name.
    pub wrong_five: [u32; 2],
}

/// Both sides of Stein's lemma.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SteinRequest {
    /// Layer.
    pub layer: usize,
    /// Which lens stands for the averaged gradients.
    pub targets: Targets,
    /// Subtract the vocabulary's mean vector on both sides.
    pub centred: bool,
    /// Windows of text.
    pub windows: usize,
    /// Words whose template is wanted; empty for none.
    pub phrase: Vec<u32>,
    /// Words nearest to the template.
    pub top: usize,
}

/// Answer to [`SteinRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stein {
    /// States that the right side is made of.
    pub states: u32,
    /// Cosine of the two sides per word, `[V]`.
    pub cosines: Vec<f32>,
    /// Cosine of one word's left side with the next word's right side, `[V]`.
    pub shifted: Vec<f32>,
    /// Places in the text at which the phrase ends.
    pub found: u32,
    /// Vectors of the lens of future words nearest to the phrase's whitened mean state: word and cosine.
    pub template: Vec<(u32, f32)>,
}
