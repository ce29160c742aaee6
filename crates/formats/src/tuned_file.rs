//! Files of tuned lenses (Belrose et al. 2023): per layer an affine map `h -> A h + b` and, in the header, where it came from.
//!
//! Names as in [`crate::lens_file`]: state l >= 1 has the tensors `A.<l-1>` `[D, D]` and `b.<l-1>` `[D]`, the embedding
//! `A.embedding` and `b.embedding`. A is the whole map, the identity included.

use crate::container::{Container, Precision, write};
use crate::error::{Error, Result};
use crate::shuffle;
use crate::subject::{Subject, Warning, name_of, state_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const WHAT: &str = "tuned lens file";
const KEY: &str = "jlens.tuned";
const VERSION: u32 = 1;

/// Where a tuned lens came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TunedProvenance {
    /// Name of the model.
    pub model: String,
    /// [`crate::ModelFile::weights_hash`] of the model.
    pub weights_hash: String,
    /// [`crate::Vocabulary::hash`] of its word list.
    pub vocabulary_hash: String,
    /// Name of the text that it was trained on.
    pub corpus: String,
    /// SHA-256 of that text.
    pub corpus_hash: String,
    /// Prompts of the text.
    pub prompts: u64,
    /// Positions that it was trained on.
    pub positions: u64,
    /// Steps of training per layer.
    pub steps: u64,
    /// Positions per step.
    pub batch: u64,
    /// Learning rate at the start; it falls to 0.
    pub rate: f64,
    /// Mean Kullback-Leibler divergence from the final distribution after training, per layer from the embedding up, in nats.
    pub divergence: Vec<f64>,
    /// What computed it, e.g. `cpu`.
    pub engine: String,
    /// Program and version.
    pub software: String,
}

/// One layer's map.
#[derive(Clone, Debug, PartialEq)]
pub struct Affine {
    /// A `[D, D]`, row-major, rows = outputs.
    pub matrix: Vec<f32>,
    /// b `[D]`.
    pub bias: Vec<f32>,
}

/// A tuned lens in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedFile {
    /// Where it came from.
    pub provenance: TunedProvenance,
    /// Width of the residual stream, D.
    pub d_model: usize,
    /// Residual state -> its map.
    pub maps: BTreeMap<usize, Affine>,
}

#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    d_model: usize,
    #[serde(flatten)]
    provenance: TunedProvenance,
}

impl TunedFile {
    /// Reads a tuned lens.
    ///
    /// # Errors
    /// Those of [`Container`], and [`Error::Field`] or [`Error::Tensor`] where header and tensors contradict each other.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let bytes = shuffle::restore(bytes);
        let file = Container::open(&bytes)?;
        let document: Document = file.document(WHAT, KEY)?;
        if document.version != VERSION {
            let why = format!(
                "is {}, this program reads {VERSION}; use the program that wrote the file",
                document.version
            );
            return Err(field("version", why));
        }
        let d = document.d_model;
        let mut maps = BTreeMap::new();
        let names = file.names();
        for name in names.iter().filter(|name| name.starts_with("A.")) {
            let layer = state_of("A", name, "tuned lens")?;
            let sized = |name: &str, shape: &[usize]| {
                let tensor = file.tensor(name)?;
                if tensor.shape == shape {
                    return Ok(tensor.data);
                }
                let why = format!("has shape {:?}, expected {shape:?}", tensor.shape);
                Err(Error::tensor(name, why))
            };
            let matrix = sized(name, &[d, d])?;
            let bias = sized(&name_of("b", layer), &[d])?;
            maps.insert(layer, Affine { matrix, bias });
        }
        if names.len() != 2 * maps.len() {
            let why = format!(
                "{} tensors for {} layers; each layer has `A.<layer>` and `b.<layer>` and nothing else",
                names.len(),
                maps.len()
            );
            return Err(field("A, b", why));
        }
        let lens = Self {
            provenance: document.provenance,
            d_model: d,
            maps,
        };
        lens.validate()?;
        Ok(lens)
    }

    /// The file.
    ///
    /// # Errors
    /// As for reading: what could not be read back is not written.
    pub fn write(&self, precision: Precision) -> Result<Vec<u8>> {
        self.validate()?;
        let document = Document {
            version: VERSION,
            d_model: self.d_model,
            provenance: self.provenance.clone(),
        };
        let (square, row) = ([self.d_model, self.d_model], [self.d_model]);
        let mut named: Vec<(String, &[usize], &[f32])> = Vec::new();
        for (&layer, map) in &self.maps {
            named.push((name_of("A", layer), &square, &map.matrix));
            named.push((name_of("b", layer), &row, &map.bias));
        }
        write(
            named
                .iter()
                .map(|(name, shape, data)| (name.as_str(), *shape, *data)),
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
        let last = self.maps.keys().next_back().copied().unwrap_or(0);
        model.admits(
            self.d_model,
            ("a layer", last, model.n_layers.saturating_sub(1)),
        )?;
        let p = &self.provenance;
        Ok(model.warnings(&p.weights_hash, &p.vocabulary_hash))
    }

    /// Rules that reading and writing share.
    fn validate(&self) -> Result<()> {
        let d = self.d_model;
        let size = d.checked_mul(d).filter(|&n| n > 0);
        let size = size.ok_or_else(|| field("d_model", format!("is {d}")))?;
        if self.maps.is_empty() {
            return Err(field("A", "has no layer".into()));
        }
        let bad = |map: &Affine| map.matrix.len() != size || map.bias.len() != d;
        match self.maps.iter().find(|(_, map)| bad(map)) {
            Some((&layer, map)) => {
                let (a, b) = (map.matrix.len(), map.bias.len());
                let why = format!("has {a} numbers and a bias of {b}, expected {size} and {d}");
                Err(Error::tensor(&name_of("A", layer), why))
            }
            None => Ok(()),
        }
    }
}

fn field(field: &'static str, why: String) -> Error {
    Error::Field {
        what: WHAT,
        field,
        why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lens() -> TunedFile {
        let map = |x: f32| Affine {
            matrix: vec![x; 4],
            bias: vec![-x; 2],
        };
        TunedFile {
            provenance: TunedProvenance {
                model: "world".into(),
                rate: 3e-3,
                divergence: vec![1.5, 0.25],
                ..TunedProvenance::default()
            },
            d_model: 2,
            maps: [(0, map(0.5)), (1, map(2.0))].into(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let lens = lens();
        for precision in [Precision::F32, Precision::F16, Precision::F16Short] {
            assert_eq!(
                TunedFile::read(&lens.write(precision).unwrap()).unwrap(),
                lens
            );
        }
    }

    #[test]
    fn contradictions_are_named() {
        let mut short = lens();
        short.maps.get_mut(&1).unwrap().bias.pop();
        let message = short.write(Precision::F32).unwrap_err().to_string();
        assert!(
            message.contains("A.0") && message.contains("bias of 1"),
            "{message}"
        );
        let mut none = lens();
        none.maps.clear();
        assert!(none.write(Precision::F32).is_err());
        let model = |d_model, n_layers| Subject {
            d_model,
            n_layers,
            weights_hash: "",
            vocabulary_hash: "",
        };
        assert!(lens().check(&model(3, 8)).is_err());
        assert!(lens().check(&model(2, 1)).is_err());
        assert_eq!(lens().check(&model(2, 8)).unwrap(), []);
        let other = Subject {
            weights_hash: "abc",
            ..model(2, 8)
        };
        assert_eq!(lens().check(&other).unwrap()[0].what, "weights");
        let state = |name| state_of("A", name, "tuned lens");
        assert_eq!(
            [state("A.embedding").unwrap(), state("A.7").unwrap()],
            [0, 8]
        );
        assert!(state("A.07").is_err() && state("A.x").is_err());
    }

    #[test]
    fn a_lens_is_not_a_tuned_lens() {
        assert!(TunedFile::read(b"").is_err());
        assert!(crate::LensFile::read(&lens().write(Precision::F32).unwrap()).is_err());
    }
}
