//! The golden fixtures as the page needs them: what the engine panel compares, without the gradients of parameters, which only the
//! trainer's tests look at. A seventh of their bytes.

use std::{collections::BTreeMap, fs, path::Path};

use safetensors::SafeTensors;
use serde::{Deserialize, de::IgnoredAny};

use crate::SiteError;
use crate::build::write_if_changed;

/// Beginning of the names of tensors that the page never reads.
const UNREAD: &str = "gradient.";

/// Writes the manifest and the slimmer fixtures of `from` into `to`.
pub fn write(from: &Path, to: &Path) -> Result<(), SiteError> {
    fs::create_dir_all(to).map_err(SiteError::io("creating", to))?;
    let manifest = from.join("manifest.json");
    let bytes = fs::read(&manifest).map_err(SiteError::io("reading", &manifest))?;
    write_if_changed(&to.join("manifest.json"), &bytes)?;
    let families = families(&bytes).map_err(|source| SiteError::Manifest {
        path: manifest,
        source,
    })?;
    for family in families {
        let name = format!("{family}.safetensors");
        let file = from.join(&name);
        let bytes = fs::read(&file).map_err(SiteError::io("reading", &file))?;
        let slim =
            without_gradients(&bytes).map_err(|source| SiteError::Golden { path: file, source })?;
        write_if_changed(&to.join(&name), &slim)?;
    }
    Ok(())
}

/// The families that a manifest lists; the page compares them all.
fn families(manifest: &[u8]) -> Result<Vec<String>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Manifest {
        models: BTreeMap<String, IgnoredAny>,
    }
    let manifest: Manifest = serde_json::from_slice(manifest)?;
    Ok(manifest.models.into_keys().collect())
}

fn without_gradients(bytes: &[u8]) -> Result<Vec<u8>, safetensors::SafeTensorError> {
    let all = SafeTensors::deserialize(bytes)?;
    let mut kept = all.tensors();
    kept.retain(|(name, _)| !name.starts_with(UNREAD));
    safetensors::serialize(kept, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_the_gradients_come_through_unchanged() {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/goldens");
        let to = tempfile::tempdir().unwrap();
        write(&from, to.path()).unwrap();
        let families = families(&fs::read(from.join("manifest.json")).unwrap()).unwrap();
        assert_eq!(families, ["gpt2", "llama", "postnorm_window", "tiny_world"]);
        for family in families {
            let name = format!("{family}.safetensors");
            let [whole, slim] =
                [from.as_path(), to.path()].map(|at| fs::read(at.join(&name)).unwrap());
            let (whole, slim) = (
                SafeTensors::deserialize(&whole).unwrap(),
                SafeTensors::deserialize(&slim).unwrap(),
            );
            let mut dropped = 0;
            for (name, tensor) in whole.tensors() {
                match slim.tensor(&name) {
                    Ok(kept) => {
                        assert_eq!((kept.data(), kept.shape()), (tensor.data(), tensor.shape()))
                    }
                    Err(_) => {
                        assert!(name.starts_with(UNREAD), "{name}");
                        dropped += 1;
                    }
                }
            }
            assert!(
                dropped > 0 && slim.len() + dropped == whole.len(),
                "{family}"
            );
        }
    }
}
