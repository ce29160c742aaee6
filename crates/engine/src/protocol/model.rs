//! A model: its files on the way in, and what the page is told about it.

use super::Targets;
use serde::{Deserialize, Serialize};

/// The bytes of a model as fetched by the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelFiles {
    /// Weights, safetensors with the configuration in its metadata.
    #[serde(with = "serde_bytes")]
    pub weights: Vec<u8>,
    /// Tokenizer file.
    #[serde(with = "serde_bytes")]
    pub tokenizer: Vec<u8>,
    /// Shipped lenses: all targets, same position. Future only is their difference.
    pub lenses: Vec<(Targets, Vec<u8>)>,
}

/// About the loaded model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// Display name.
    pub name: String,
    /// Words by id.
    pub words: Vec<String>,
    /// D.
    pub d_model: usize,
    /// L.
    pub n_layers: usize,
    /// Longest context.
    pub max_context: usize,
    /// Window, if any.
    pub window: Option<usize>,
    /// All parameters.
    pub parameters: usize,
    /// First 12 hex digits of the weights' hash.
    pub weights_hash: String,
    /// What the reader should know, such as a lens that was fitted with other weights.
    pub warnings: Vec<String>,
}
