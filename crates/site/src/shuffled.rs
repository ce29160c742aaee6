//! Models and lenses as the page fetches them: every safetensors file in its shuffled form, which compresses better.

use crate::SiteError;
use std::{fs, path::Path};

/// What is appended to the name of a shuffled file.
pub const EXTENSION: &str = "shuffled";

/// Writes the shuffled form of every safetensors file in the folder `from` to the folder `to`, and copies all others.
pub fn write(from: &Path, to: &Path) -> Result<(), SiteError> {
    fs::create_dir_all(to).map_err(SiteError::io("creating", to))?;
    let reading = || SiteError::io("reading", from);
    for entry in fs::read_dir(from).map_err(reading())? {
        let file = entry.map_err(reading())?.path();
        let bytes = fs::read(&file).map_err(SiteError::io("reading", &file))?;
        let mut name = file.file_name().unwrap_or_default().to_owned();
        let bytes = if file.extension().is_some_and(|end| end == "safetensors") {
            name.push(".");
            name.push(EXTENSION);
            formats::shuffle::shuffle(&bytes)
        } else {
            bytes
        };
        super::build::write_if_changed(&to.join(name), &bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::{LensFile, ModelFile};

    #[test]
    fn shuffled_files_read_as_their_originals_do() {
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
        let to = tempfile::tempdir().unwrap();
        for folder in ["models", "lenses"] {
            write(&assets.join(folder), to.path()).unwrap();
        }
        let both = |folder: &str, name: &str| {
            let shuffled = fs::read(to.path().join(format!("{name}.shuffled"))).unwrap();
            [fs::read(assets.join(folder).join(name)).unwrap(), shuffled]
        };
        let [plain, shuffled] = both("models", "world.safetensors").map(|bytes| {
            let model = ModelFile::read(&bytes).unwrap();
            (model.name.clone(), model.weights_hash())
        });
        assert_eq!(plain, shuffled);
        let [plain, shuffled] =
            both("lenses", "world-all.safetensors").map(|b| LensFile::read(&b).unwrap());
        assert_eq!(plain.jacobians, shuffled.jacobians);
        assert!(to.path().join("words.json").exists());
        assert!(!to.path().join("world.safetensors").exists());
    }
}
