//! A fixture: one family's configuration and every tensor that the script stored.

use crate::error::{Error, Result};
use lens::{Accumulator, FitOptions, Lens, Origin};
use safetensors::tensor::Metadata;
use safetensors::{Dtype, SafeTensors};
use serde_json::Value;
use std::collections::BTreeMap;
use transformer::{Config, Weights};

/// One family of the manifest.
pub struct Golden {
    /// Name of the family.
    pub name: String,
    /// Its configuration.
    pub config: Config,
    /// Its part of the manifest: parameters of the interventions, `skip_first`, the loss.
    pub entry: Value,
    bytes: Vec<u8>,
    /// Parsed once: a comparison reads hundreds of tensors.
    header: Metadata,
    /// Where the tensors' bytes begin.
    data: usize,
}

/// Bytes of a safetensors file before its header: the header's length.
const LENGTH: usize = 8;

impl Golden {
    /// The family `name` of a manifest, with its file's bytes.
    ///
    /// # Errors
    /// A manifest without it, or a file that is not safetensors.
    pub fn read(manifest: &[u8], name: &str, bytes: Vec<u8>) -> Result<Self> {
        let (_, mut entry) = families(manifest)?
            .into_iter()
            .find(|(family, _)| family == name)
            .ok_or_else(|| manifest_error("models", format!("there is no `{name}`")))?;
        let config = serde_json::from_value(entry["config"].take())
            .map_err(|e| manifest_error(&format!("models.{name}.config"), e.to_string()))?;
        let (length, header) = SafeTensors::read_metadata(&bytes).map_err(|e| Error::File {
            file: name.to_owned(),
            why: e.to_string(),
        })?;
        Ok(Self {
            name: name.to_owned(),
            config,
            entry,
            bytes,
            header,
            data: LENGTH + length,
        })
    }

    /// All families of the repository's own `tests/goldens`.
    ///
    /// # Errors
    /// Files that are missing or damaged.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn committed() -> Result<Vec<Self>> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/goldens");
        let read = |file: &str| {
            std::fs::read(folder.join(file)).map_err(|e| Error::File {
                file: file.to_owned(),
                why: e.to_string(),
            })
        };
        let manifest = read("manifest.json")?;
        families(&manifest)?
            .into_iter()
            .map(|(name, entry)| {
                let file = entry["file"].as_str().unwrap_or_default();
                Self::read(&manifest, &name, read(file)?)
            })
            .collect()
    }

    fn words(&self, tensor: &str, dtype: Dtype) -> Result<Vec<[u8; 4]>> {
        let wrong = |why: String| Error::Tensor {
            name: self.name.clone(),
            tensor: tensor.to_owned(),
            why,
        };
        let info = self.header.info(tensor);
        let info = info.ok_or_else(|| wrong("is not there".into()))?;
        if info.dtype != dtype {
            let why = format!("expected {dtype:?}, got {:?}", info.dtype);
            return Err(wrong(why));
        }
        let (from, to) = info.data_offsets;
        let bytes = self.bytes.get(self.data + from..self.data + to);
        let bytes = bytes.ok_or_else(|| wrong("lies beyond the end of the file".into()))?;
        Ok(bytes.as_chunks::<4>().0.to_vec())
    }

    /// A tensor of numbers, row-major.
    ///
    /// # Errors
    /// There is none of that name, or it holds something else.
    pub fn numbers(&self, tensor: &str) -> Result<Vec<f32>> {
        let words = self.words(tensor, Dtype::F32)?.into_iter();
        Ok(words.map(f32::from_le_bytes).collect())
    }

    /// A tensor of token ids.
    ///
    /// # Errors
    /// There is none of that name, or it holds something else.
    pub fn ids(&self, tensor: &str) -> Result<Vec<u32>> {
        let words = self.words(tensor, Dtype::I32)?.into_iter();
        Ok(words.map(u32::from_le_bytes).collect())
    }

    /// The model.
    ///
    /// # Errors
    /// Weights that are missing or do not fit the configuration.
    pub fn weights(&self) -> Result<Weights> {
        let named = transformer::layout::layout(&self.config).into_iter();
        let named = named.map(|e| {
            let numbers = self.numbers(&format!("weights.{}", e.name))?;
            Ok((e.name, (e.shape, numbers)))
        });
        let named = named.collect::<Result<_>>()?;
        Ok(Weights::from_named(&self.config, named)?)
    }

    /// Tokens of prompt `p` = 0, 1, 2.
    ///
    /// # Errors
    /// There is no such prompt.
    pub fn prompt(&self, p: usize) -> Result<Vec<u32>> {
        self.ids(&format!("prompt{p}.tokens"))
    }

    /// A whole number of the manifest.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn integer(&self, field: &str) -> Result<usize> {
        whole(&self.entry[field]).ok_or_else(|| self.lacks(field, "expected a whole number"))
    }

    /// The options that every variant of the fit starts from.
    pub(crate) fn options(&self) -> Result<FitOptions> {
        Ok(FitOptions {
            skip_first: self.integer("skip_first")?,
            ..FitOptions::default()
        })
    }

    /// A lens with the golden mean Jacobians.
    pub(crate) fn lens(&self) -> Result<Lens> {
        let estimator = FitOptions::default().resolve(&self.config)?;
        let layers = estimator
            .sources
            .iter()
            .map(|&l| Ok((l, self.numbers(&format!("J.all.mean.{l}"))?)))
            .collect::<Result<BTreeMap<usize, Vec<f32>>>>()?;
        let prompt = lens::fit::PromptJacobian { tokens: 12, layers };
        let mut sum = Accumulator::mean(estimator);
        sum.add(&prompt)?;
        Ok(sum.finish(&Origin::default())?)
    }

    pub(crate) fn lacks(&self, field: &str, why: &str) -> Error {
        manifest_error(&format!("models.{}.{field}", self.name), why.to_owned())
    }
}

/// A whole number of a manifest.
pub(crate) fn whole(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|x| usize::try_from(x).ok())
}

fn families(manifest: &[u8]) -> Result<Vec<(String, Value)>> {
    let manifest: Value =
        serde_json::from_slice(manifest).map_err(|e| manifest_error("", e.to_string()))?;
    match &manifest["models"] {
        Value::Object(models) => Ok(models.clone().into_iter().collect()),
        _ => Err(manifest_error("models", "is missing".into())),
    }
}

fn manifest_error(field: &str, why: String) -> Error {
    Error::Manifest {
        field: field.to_owned(),
        why,
    }
}
