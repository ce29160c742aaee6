//! Lens files of this project: one Jacobian per layer and, in the header, where the lens came from.
//!
//! Names in the file follow the reference implementation, whose layer f is the residual after block f counted from 0: our
//! state l >= 1 is `J.<l-1>`, and the embedding state 0, which the reference lacks, is `J.embedding`. The target in the
//! header is counted in the same way. In memory layers are always residual states: 0 = embedding, l = after block l.

use crate::container::{Container, Precision, write};
use crate::error::{Error, Result};
use crate::shuffle;
use crate::subject::{Subject, Warning, name_of, state_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const WHAT: &str = "lens file";
const KEY: &str = "jlens.lens";
const VERSION: u32 = 1;
const LETTER: &str = "J";

/// Which positions of the target a position of the source is followed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Positions {
    /// Its own and all later ones (t' >= t): the Jacobian lens as published.
    All,
    /// Its own alone (t' = t).
    Same,
    /// Later ones alone (t' > t).
    Future,
}

/// How prompts were combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    /// Mean over the prompts.
    Mean,
    /// Median of each element over the prompts.
    Median,
}

/// Where a lens came from: shown to the reader, and compared with the model that it is used on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Name of the model.
    pub model: String,
    /// [`crate::ModelFile::weights_hash`] of the model.
    pub weights_hash: String,
    /// [`crate::Vocabulary::hash`] of its word list.
    pub vocabulary_hash: String,
    /// Name of the text that the lens was fitted on.
    pub corpus: String,
    /// SHA-256 of that text.
    pub corpus_hash: String,
    /// Prompts that were fitted.
    pub prompts_used: u64,
    /// Prompts without a valid position.
    pub prompts_skipped: u64,
    /// Longest prompt, in tokens (T).
    pub tokens_per_prompt: usize,
    /// First valid position.
    pub skip_first: usize,
    /// Target layer: a residual state here, counted as the reference does in the file.
    pub target_layer: usize,
    /// Positions of the target.
    pub positions: Positions,
    /// No gradient went through queries and keys.
    pub frozen_attention: bool,
    /// Mean or median over the prompts.
    pub reduction: Reduction,
    /// What computed it, e.g. `cpu`.
    pub engine: String,
    /// In which numbers, e.g. `f32, sums in f64`.
    pub precision: String,
    /// Program and version.
    pub software: String,
    /// Day, as `2026-01-31`, or empty.
    pub date: String,
}

#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    d_model: usize,
    #[serde(flatten)]
    provenance: Provenance,
}

/// A lens in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct LensFile {
    /// Where it came from.
    pub provenance: Provenance,
    /// Width of the residual stream, D.
    pub d_model: usize,
    /// Residual state -> J `[D, D]`, row-major, rows = output coordinates.
    pub jacobians: BTreeMap<usize, Vec<f32>>,
}

impl LensFile {
    /// Reads a lens file.
    ///
    /// # Errors
    /// Those of [`Container`], and [`Error::Field`] or [`Error::Tensor`] where header and tensors contradict each other.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let bytes = shuffle::restore(bytes);
        let file = Container::open(&bytes)?;
        let version: Version = file.document(WHAT, KEY)?;
        if version.version != VERSION {
            let why = format!(
                "is {}, this program reads {VERSION}; use the program that wrote the file",
                version.version
            );
            return Err(field("version", why));
        }
        let mut document: Document = file.document(WHAT, KEY)?;
        let target = document.provenance.target_layer.checked_add(1);
        document.provenance.target_layer =
            target.ok_or_else(|| field("target_layer", "is too large".into()))?;
        let mut jacobians = BTreeMap::new();
        for name in file.names() {
            let layer = state_of(LETTER, &name, "lens")?;
            let tensor = file.tensor(&name)?;
            if tensor.shape != [document.d_model, document.d_model] {
                let why = format!(
                    "has shape {:?}, the header says d_model = {}",
                    tensor.shape, document.d_model
                );
                return Err(Error::tensor(&name, why));
            }
            jacobians.insert(layer, tensor.data);
        }
        let lens = Self {
            provenance: document.provenance,
            d_model: document.d_model,
            jacobians,
        };
        lens.validate()?;
        Ok(lens)
    }

    /// The lens file.
    ///
    /// # Errors
    /// As for reading: what could not be read back is not written.
    pub fn write(&self, precision: Precision) -> Result<Vec<u8>> {
        self.validate()?;
        let mut provenance = self.provenance.clone();
        provenance.target_layer -= 1; // validate: at least 1
        let document = Document {
            version: VERSION,
            d_model: self.d_model,
            provenance,
        };
        let shape = [self.d_model, self.d_model];
        let named: Vec<(String, &[f32])> = self
            .jacobians
            .iter()
            .map(|(&l, j)| (name_of(LETTER, l), &j[..]))
            .collect();
        write(
            named.iter().map(|(n, j)| (n.as_str(), &shape[..], *j)),
            KEY,
            &document,
            precision,
        )
    }

    /// Whether the lens can be used on a model, and what the reader should know.
    ///
    /// # Errors
    /// [`Error::LensMismatch`] where width or layers do not fit.
    pub fn check(&self, model: &Subject<'_>) -> Result<Vec<Warning>> {
        let p = &self.provenance;
        let target = ("the target layer", p.target_layer, model.n_layers);
        model.admits(self.d_model, target)?;
        Ok(model.warnings(&p.weights_hash, &p.vocabulary_hash))
    }

    /// Rules that reading and writing share.
    fn validate(&self) -> Result<()> {
        let target = self.provenance.target_layer;
        if target == 0 {
            return Err(field(
                "target_layer",
                "is the embedding; a lens leads to a later state".into(),
            ));
        }
        let size = self.d_model.checked_mul(self.d_model).filter(|&n| n > 0);
        let size = size.ok_or_else(|| field("d_model", format!("is {}", self.d_model)))?;
        let Some((&last, _)) = self.jacobians.last_key_value() else {
            return Err(field(
                "J",
                "has no layer; a lens has one tensor `J.<layer>` per layer".into(),
            ));
        };
        if last >= target {
            return Err(Error::tensor(
                &name_of(LETTER, last),
                format!("does not lie below the target `J.{}`", target - 1),
            ));
        }
        match self.jacobians.iter().find(|(_, j)| j.len() != size) {
            Some((&l, j)) => Err(Error::tensor(
                &name_of(LETTER, l),
                format!("has {} numbers, expected {size}", j.len()),
            )),
            None => Ok(()),
        }
    }
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

fn field(field: &'static str, why: String) -> Error {
    Error::Field {
        what: WHAT,
        field,
        why,
    }
}
