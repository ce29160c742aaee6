//! The built site as one zip file, for a classroom: unpacked anywhere, served with one line.

use crate::failure::{Failure, Result};
use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The folder that the file unpacks into.
const FOLDER: &str = "jacobian-lens";

/// What stands in it beside the site.
const README: &str = "\
The Jacobian lens, live
=======================

In this folder, run

    python3 -m http.server 8000

(on Windows: py -m http.server 8000) and open http://localhost:8000 in a browser. Any other static web server will do, and any
folder of it. Nothing is fetched from the internet, then or later.

For a whole class, run it on one machine and open http://NAME-OR-ADDRESS:8000 on the others. Over such an address browsers keep no
offline copy, lend no GPU to the page (the processor computes instead) and refuse its clipboard (links are then copied by hand);
all else works.

Without a server: open index.html with a double click. Text, formulas and pictures are there; the figures do not come alive,
because browsers load no programs from files.
";

/// Writes every file below `site` and the instructions into `target`: the same bytes for the same site, wherever and whenever.
pub fn write(site: &Path, target: &Path) -> Result<u64> {
    let file = File::create(target).map_err(|e| Failure::io(target.display(), &e))?;
    let file = pack(site, file)?;
    let bytes = file
        .metadata()
        .map_err(|e| Failure::io(target.display(), &e))?;
    Ok(bytes.len())
}

fn pack<W: Write + Seek>(site: &Path, target: W) -> Result<W> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(target);
    let mut add = |name: &str, bytes: &[u8]| {
        let name = format!("{FOLDER}/{name}");
        zip.start_file(&name, options).map_err(|error| {
            Failure::new(format!("{name} does not fit into a zip file: {error}"))
        })?;
        zip.write_all(bytes)
            .map_err(|error| Failure::io(format!("packing {name}"), &error))
    };
    add("README.txt", README.as_bytes())?;
    for (name, path) in files(site)? {
        let bytes = std::fs::read(&path).map_err(|e| Failure::io(path.display(), &e))?;
        add(&name, &bytes)?;
    }
    zip.finish()
        .map_err(|error| Failure::new(format!("the zip file could not be finished: {error}")))
}

/// Names with `/`, in order, and where the files lie.
fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut paths = Vec::new();
    crate::sizes::collect(folder, &mut paths)?;
    let name = |path: &Path| {
        let inside = path.strip_prefix(folder).unwrap_or(path);
        let parts = inside
            .components()
            .map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    };
    let mut files: Vec<_> = paths.into_iter().map(|path| (name(&path), path)).collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};

    #[test]
    fn the_site_comes_out_as_it_went_in_and_the_same_every_time() {
        let site = std::env::temp_dir().join(format!("jlens-pack-{}", std::process::id()));
        std::fs::create_dir_all(site.join("models")).unwrap();
        let page = "<p>page</p>".repeat(100);
        std::fs::write(site.join("index.html"), &page).unwrap();
        std::fs::write(site.join("models/a.bin"), [0, 159, 146, 150]).unwrap();
        let once = pack(&site, Cursor::new(Vec::new())).unwrap().into_inner();
        std::fs::write(site.join("index.html"), &page).unwrap();
        let twice = pack(&site, Cursor::new(Vec::new())).unwrap().into_inner();
        std::fs::remove_dir_all(&site).unwrap();
        assert_eq!(once, twice);
        let mut zip = zip::ZipArchive::new(Cursor::new(once)).unwrap();
        let names: Vec<String> = (0..zip.len())
            .map(|i| zip.by_index(i).unwrap().name().unwrap().into_owned())
            .collect();
        assert_eq!(
            names,
            [
                "jacobian-lens/README.txt",
                "jacobian-lens/index.html",
                "jacobian-lens/models/a.bin"
            ]
        );
        let mut bytes = Vec::new();
        let mut entry = zip.by_name("jacobian-lens/models/a.bin").unwrap();
        entry.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, [0, 159, 146, 150]);
        drop(entry);
        let mut text = String::new();
        let mut entry = zip.by_name("jacobian-lens/README.txt").unwrap();
        entry.read_to_string(&mut text).unwrap();
        assert!(text.contains("python3 -m http.server"));
    }
}
