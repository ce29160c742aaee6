//! Model files: safetensors whose header carries the configuration and the hash of the word list.
//!
//! Tensor names, order and shapes are those of [`transformer::layout`]; the document sits under the key `jlens.model`:
//! `{"version": 1, "name", "vocabulary_hash", "config": {...}, "about": {...}}`.

use crate::container::{Container, Precision, rounded, write};
use crate::error::{Error, Result};
use crate::hash;
use crate::shuffle;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use transformer::layout::{layout, parameter_count};
use transformer::{Config, Error as ModelError, Weights};

const WHAT: &str = "model file";
const KEY: &str = "jlens.model";
const VERSION: u32 = 1;
/// Most numbers in a model (2 GB in f32).
pub const MAX_PARAMETERS: usize = 500_000_000;
/// Most numbers in a table of positions (`max_context * head_dim`).
pub const MAX_POSITION_TABLE: usize = 1 << 26;

/// A model in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// Name, as shown to the reader.
    pub name: String,
    /// [`crate::Vocabulary::hash`] of the word list that the model was trained with.
    pub vocabulary_hash: String,
    /// Where it came from, in free form: seed, steps, software, date.
    pub about: BTreeMap<String, String>,
    /// Configuration and numbers.
    pub weights: Weights,
}

#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    name: String,
    vocabulary_hash: String,
    config: Config,
    #[serde(default)]
    about: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl ModelFile {
    /// Reads a model file. Memory: the file, the numbers once as f32, nothing in between.
    ///
    /// # Errors
    /// Those of [`Container`]; [`Error::Model`] for a bad configuration or a weight that is missing, superfluous or of the
    /// wrong shape; [`Error::TooLarge`].
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let bytes = shuffle::restore(bytes);
        let file = Container::open(&bytes)?;
        let Version { version } = file.document(WHAT, KEY)?;
        if version != VERSION {
            return Err(Error::Field {
                what: WHAT,
                field: "version",
                why: format!(
                    "is {version}, this program reads {VERSION}; use the program that wrote the file"
                ),
            });
        }
        let document: Document = file.document(WHAT, KEY)?;
        let weights = read_weights(&file, document.config)?;
        Ok(Self {
            name: document.name,
            vocabulary_hash: document.vocabulary_hash,
            about: document.about,
            weights,
        })
    }

    /// The model file. Equal models give equal bytes.
    ///
    /// # Errors
    /// A weight that is not finite in `precision`, or weights that do not belong to their configuration.
    pub fn write(&self, precision: Precision) -> Result<Vec<u8>> {
        let config = &self.weights.config;
        config.validate()?;
        if self.weights.flat.len() != parameter_count(config) {
            return Err(Error::Model(ModelError::Shape {
                op: "model file",
                expected: format!("{} numbers", parameter_count(config)),
                got: self.weights.flat.len().to_string(),
            }));
        }
        let document = Document {
            version: VERSION,
            name: self.name.clone(),
            vocabulary_hash: self.vocabulary_hash.clone(),
            config: config.clone(),
            about: self.about.clone(),
        };
        let entries: Vec<_> = self.weights.iter().collect();
        let tensors = entries
            .iter()
            .map(|(e, data)| (e.name.as_str(), &e.shape[..], *data));
        write(tensors, KEY, &document, precision)
    }

    /// Name of the weights, see [`weights_hash`].
    pub fn weights_hash(&self) -> String {
        weights_hash(&self.weights)
    }

    /// The model as it reads back after being written in `precision`: fit lenses and measure with this one.
    pub fn rounded(&self, precision: Precision) -> Self {
        let mut copy = self.clone();
        copy.weights.flat = rounded(&self.weights.flat, precision).into_owned();
        copy
    }
}

/// SHA-256 of the weights in order of their names, see [`hash::of_tensors`]. Weights rounded to f16 have a hash of their own,
/// which is that of the f16 file.
pub fn weights_hash(weights: &Weights) -> String {
    let mut entries: Vec<_> = weights.iter().collect();
    entries.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    hash::of_tensors(
        entries
            .iter()
            .map(|(e, data)| (e.name.as_str(), &e.shape[..], *data)),
    )
}

/// Reads the tensors that `config` asks for, straight into the flat vector.
fn read_weights(file: &Container<'_>, config: Config) -> Result<Weights> {
    let mut names: BTreeSet<String> = file.names().into_iter().collect();
    check_size(&config, names.len())?;
    config.validate()?;
    let mut flat = Vec::new();
    let mut expected = layout(&config);
    for entry in &expected {
        if !names.remove(&entry.name) {
            return Err(Error::Model(ModelError::MissingWeight {
                name: entry.name.clone(),
                expected: entry.shape.clone(),
            }));
        }
        let got = file.shape(&entry.name)?;
        if got != entry.shape {
            return Err(Error::Model(ModelError::WeightShape {
                name: entry.name.clone(),
                expected: entry.shape.clone(),
                got,
            }));
        }
    }
    if let Some(name) = names.pop_first() {
        return Err(Error::Model(ModelError::UnknownWeight { name }));
    }
    // every shape has been found in the file, so the file's size bounds this
    flat.reserve_exact(parameter_count(&config));
    for entry in expected.drain(..) {
        file.append(&entry.name, &mut flat)?;
    }
    Ok(Weights { config, flat })
}

/// Bounds what the configuration makes anybody allocate or multiply, before anybody does; in f64, which does not overflow.
fn check_size(c: &Config, tensors: usize) -> Result<()> {
    let n = |x: usize| x as f64;
    let heads = n(c.head_dim) * (n(c.n_heads) + n(c.n_kv_heads));
    let block = 2.0 * n(c.d_model) * heads
        + 3.0 * n(c.d_model) * n(c.d_ff)
        + 2.0 * heads
        + 2.0 * n(c.d_ff)
        + 6.0 * n(c.d_model);
    let numbers = n(c.n_layers) * block + 2.0 * n(c.vocab) * n(c.d_model) + 2.0 * n(c.d_model);
    let table = n(c.max_context) * n(c.head_dim);
    for (what, got, limit) in [
        (
            "number of parameters of the configuration",
            numbers,
            MAX_PARAMETERS,
        ),
        (
            "max_context * head_dim of the configuration",
            table,
            MAX_POSITION_TABLE,
        ),
        (
            "n_layers of the configuration, with the tensors that the file has,",
            n(c.n_layers),
            tensors,
        ),
    ] {
        if got > n(limit) {
            let got = got as usize; // saturates
            return Err(Error::TooLarge { what, got, limit });
        }
    }
    Ok(())
}
