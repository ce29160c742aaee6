//! The golden fixtures as the page needs them: what the engine panel compares, without the gradients of parameters, which only the
//! trainer's tests look at. A seventh of their bytes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use safetensors::SafeTensors;

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
    for file in fixtures(from)? {
        let bytes = fs::read(&file).map_err(SiteError::io("reading", &file))?;
        let to = to.join(file.file_name().unwrap_or_default());
        let slim =
            without_gradients(&bytes).map_err(|source| SiteError::Golden { path: file, source })?;
        write_if_changed(&to, &slim)?;
    }
    Ok(())
}

/// One file for each family of the manifest.
fn fixtures(folder: &Path) -> Result<Vec<PathBuf>, SiteError> {
    let entries = fs::read_dir(folder).map_err(SiteError::io("reading", folder))?;
    let files: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut files = files.map_err(SiteError::io("reading", folder))?;
    files.retain(|file| file.extension().is_some_and(|e| e == "safetensors"));
    Ok(files)
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
        let files = fixtures(&from).unwrap();
        assert!(!files.is_empty());
        for file in files {
            let family = file.file_name().unwrap().display();
            let [whole, slim] =
                [&file, &to.path().join(family.to_string())].map(|file| fs::read(file).unwrap());
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
