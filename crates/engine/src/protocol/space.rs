//! Lens vectors as a dictionary, and as handles.

use super::{Said, Targets};
use serde::{Deserialize, Serialize};

/// A state as a sparse nonnegative sum of lens vectors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PursuitRequest {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Layer.
    pub layer: usize,
    /// Position.
    pub position: usize,
    /// Lens whose vectors are the dictionary.
    pub targets: Targets,
    /// Subtract the vocabulary's mean vector from each.
    pub centred: bool,
    /// Words at most.
    pub most: usize,
    /// Seed of the random dictionary.
    pub seed: u64,
}

/// A set of words chosen one by one, coefficients fitted anew after each (nonnegative least squares).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Picks {
    /// The words.
    pub words: Vec<u32>,
    /// Their coefficients (vectors at length 1) after 1, 2, ... words, in the order of `words`.
    pub coefficients: Vec<Vec<f32>>,
    /// Explained share of the state's square after 1, 2, ... words.
    pub explained: Vec<f32>,
    /// Greatest cosine of each word's vector with those of the words before it; 0 for the first.
    pub likeness: Vec<f32>,
}

/// Answer to [`PursuitRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pursuit {
    /// Greedy pursuit: each word explains most of what is left.
    pub pursuit: Picks,
    /// The words with the largest inner products with the state itself.
    pub plain: Picks,
    /// Explained share by pursuit in a random dictionary of the same size.
    pub random: Vec<f32>,
    /// Length of the state.
    pub norm: f32,
    /// Vectors in the dictionary.
    pub size: u32,
}

/// What is done to the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Steering {
    /// `h + a m v/|v|`, m the layer's mean length, at every position.
    Add,
    /// The word's direction is projected out, at every position.
    Ablate,
    /// At every position and layer of the band, the directions of the words that the lens ranks first there are projected out.
    AblateTop(u32),
}

/// Steering or ablation of one prompt, with a random control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteerRequest {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// First and last layer of the band, inclusive.
    pub band: [usize; 2],
    /// The word (unused by [`Steering::AblateTop`]).
    pub word: u32,
    /// Lens.
    pub targets: Targets,
    /// Subtract the vocabulary's mean vector.
    pub centred: bool,
    /// What is done.
    pub how: Steering,
    /// Strengths a, one answer each; ablation takes one and ignores its value.
    pub strengths: Vec<f32>,
    /// Words per list.
    pub top: usize,
    /// Words that are followed.
    pub tracked: Vec<u32>,
    /// Seed of the random directions, which have the lengths and angles of the real ones.
    pub seed: u64,
}

/// Answer to [`SteerRequest`]: the next word after the prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Steered {
    /// Left alone.
    pub clean: Said,
    /// Along lens vectors, one per strength.
    pub lens: Vec<Said>,
    /// Along random directions.
    pub random: Vec<Said>,
    /// [`Steering::AblateTop`]: the words taken out at the last position, per layer of the band.
    pub taken: Vec<Vec<u32>>,
}
