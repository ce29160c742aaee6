//! Stopping and going on: a safetensors file with the weights, Adam's averages, the settings and the number of steps done.
//! It is written beside its place and then renamed, so that a kill leaves the old one or the new one, never half of one.

use super::Settings;
use super::adamw::AdamW;
use crate::error::{Error, Result};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Everything that a run needs to go on; the text follows from the settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    pub step: usize,
    pub weights: Vec<f32>,
    pub adam: AdamW,
}

fn file_error(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |source| Error::File {
        action,
        path: path.to_owned(),
        source,
    }
}

fn bad(path: &Path, why: impl Into<String>) -> Error {
    Error::Checkpoint {
        path: path.to_owned(),
        why: why.into(),
    }
}

impl Checkpoint {
    /// Writes atomically.
    pub fn save(&self, path: &Path, settings: &Settings) -> Result<()> {
        let settings = serde_json::to_string(settings).map_err(|e| bad(path, e.to_string()))?;
        let header = HashMap::from([
            ("settings".to_owned(), settings),
            ("step".to_owned(), self.step.to_string()),
        ]);
        let parts = [
            ("weights", &self.weights),
            ("first", &self.adam.first),
            ("second", &self.adam.second),
        ];
        let bytes: Vec<(&str, Vec<u8>)> = parts
            .map(|(name, x)| (name, x.iter().flat_map(|x| x.to_le_bytes()).collect()))
            .into();
        let mut views = Vec::new();
        for (name, bytes) in &bytes {
            let view = TensorView::new(Dtype::F32, vec![bytes.len() / 4], bytes);
            views.push((*name, view.map_err(|e| bad(path, e.to_string()))?));
        }
        let file = serialize(views, Some(header)).map_err(|e| bad(path, e.to_string()))?;
        write_atomically(path, &file)
    }

    /// Reads back; none if there is no such file.
    pub fn load(path: &Path, settings: &Settings) -> Result<Option<Self>> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(file_error("read", path)(error)),
        };
        Self::parse(path, &bytes, settings).map(Some)
    }

    fn parse(path: &Path, bytes: &[u8], settings: &Settings) -> Result<Self> {
        let damaged =
            |e: safetensors::SafeTensorError| bad(path, format!("{e}; delete it to start anew"));
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
        let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let header = metadata.metadata().clone().unwrap_or_default();
        let theirs = header
            .get("settings")
            .and_then(|text| serde_json::from_str(text).ok());
        if theirs.as_ref() != Some(settings) {
            let why =
                "is of a run with other settings; give the same ones, or delete it to start anew";
            return Err(bad(path, why));
        }
        let step = header.get("step").and_then(|text| text.parse().ok());
        let nameless = "does not say how many steps were done; delete it to start anew";
        let step = step.ok_or_else(|| bad(path, nameless))?;
        let expected = transformer::layout::parameter_count(&settings.model);
        let numbers = |name: &str| {
            let view = file.tensor(name).map_err(damaged)?;
            if view.dtype() != Dtype::F32 || view.shape() != [expected] {
                let (dtype, shape) = (view.dtype(), view.shape());
                let why = format!("`{name}` is {dtype:?} {shape:?}, expected F32 [{expected}]");
                return Err(bad(path, why));
            }
            let words = view.data().chunks_exact(4);
            Ok(words
                .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect::<Vec<f32>>())
        };
        let adam = AdamW {
            first: numbers("first")?,
            second: numbers("second")?,
        };
        Ok(Self {
            step,
            weights: numbers("weights")?,
            adam,
        })
    }
}

/// Writes a new file and puts it in the old one's place.
fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let beside = path.with_extension("partial");
    let mut file = fs::File::create(&beside).map_err(file_error("write", &beside))?;
    file.write_all(bytes)
        .map_err(file_error("write", &beside))?;
    file.sync_all().map_err(file_error("write", &beside))?;
    fs::rename(&beside, path).map_err(file_error("replace", path))
}
