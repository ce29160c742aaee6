//! What the built site weighs, raw and gzipped, file by file.

use crate::failure::{Failure, Result};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Prints a table of all files below a folder, heaviest first.
pub fn print(folder: &Path) -> Result<()> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    let mut rows = Vec::with_capacity(files.len());
    for file in &files {
        let bytes = std::fs::read(file).map_err(|e| Failure::io(file.display(), &e))?;
        let name = file.strip_prefix(folder).unwrap_or(file);
        rows.push((gzipped(&bytes)?, bytes.len(), name.display().to_string()));
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.0));
    eprintln!("{:>10} {:>10}  file", "gzip kB", "raw kB");
    for (gzip, raw, name) in &rows {
        eprintln!("{:>10.1} {:>10.1}  {name}", kilo(*gzip), kilo(*raw));
    }
    let total: usize = rows.iter().map(|row| row.0).sum();
    let raw: usize = rows.iter().map(|row| row.1).sum();
    eprintln!("{:>10.1} {:>10.1}  in all", kilo(total), kilo(raw));
    Ok(())
}

fn kilo(bytes: usize) -> f64 {
    bytes as f64 / 1000.0
}

fn gzipped(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .map(|packed| packed.len())
        .map_err(|error| Failure::io("could not compress", &error))
}

/// All files below a folder.
pub fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).map_err(|e| Failure::io(folder.display(), &e))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
