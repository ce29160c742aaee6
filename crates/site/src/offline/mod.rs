//! The copy of the page that a browser keeps: `sw.js`, written from the files that the build has really made.
//!
//! The version is a hash over all files; it stands in the page too (`<meta name="version">`), so that a copy can tell its own page
//! from a newer one. A page that `trunk serve` has made keeps the version `development` and is not copied.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::SiteError;

/// Name of the service worker; it must lie beside the page.
pub const WORKER: &str = "sw.js";
const SCRIPT: &str = include_str!("sw.js");
const PAGE: &str = "index.html";
const UNVERSIONED: &str = "name=\"version\" content=\"development\"";
/// In a page that reloads itself whenever `trunk serve` has built again.
const SERVED: &str = ".well-known/trunk/ws";

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// Version of the page.
    pub version: String,
    /// Files in the copy.
    pub files: usize,
}

/// Gives the page in `folder` its version and writes the worker beside it; `None` for a page under `trunk serve`.
pub fn write(folder: &Path) -> Result<Option<Copy>, SiteError> {
    let page = folder.join(PAGE);
    let html = fs::read_to_string(&page).map_err(SiteError::io("reading", &page))?;
    if html.contains(SERVED) {
        return Ok(None);
    }
    let before = digests(folder)?;
    let version = version(&before);
    let wanted = format!("name=\"version\" content=\"{version}\"");
    let versioned = html.replacen(UNVERSIONED, &wanted, 1);
    if versioned == html {
        return Err(SiteError::Policy {
            path: page,
            message: format!("no <meta {UNVERSIONED}> to put the version into"),
        });
    }
    fs::write(&page, versioned).map_err(SiteError::io("writing", &page))?;
    let files = digests(folder)?;
    let worker = folder.join(WORKER);
    fs::write(&worker, script(&version, &files)).map_err(SiteError::io("writing", &worker))?;
    Ok(Some(Copy {
        version,
        files: files.len(),
    }))
}

fn script(version: &str, files: &BTreeMap<String, String>) -> String {
    let mut list = String::from("{\n");
    for (path, digest) in files {
        // JSON strings are JavaScript's too
        let _ = writeln!(list, "  {}: \"{digest}\",", serde_json::json!(path));
    }
    list.push('}');
    SCRIPT
        .replace("__VERSION__", version)
        .replace("__FILES__", &list)
}

/// Path (with `/`) to the first half of the file's SHA-256, for every file but the worker itself.
fn digests(folder: &Path) -> Result<BTreeMap<String, String>, SiteError> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    let mut digests = BTreeMap::new();
    for file in found {
        let relative = file.strip_prefix(folder).unwrap_or(&file);
        let parts: Vec<_> = relative
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let name = parts.join("/");
        if name != WORKER {
            let bytes = fs::read(&file).map_err(SiteError::io("reading", &file))?;
            digests.insert(name, half_digest(&bytes));
        }
    }
    Ok(digests)
}

fn version(files: &BTreeMap<String, String>) -> String {
    let list: String = files
        .iter()
        .map(|(path, digest)| format!("{path} {digest}\n"))
        .collect();
    half_digest(format!("{SCRIPT}{list}").as_bytes())
}

/// 16 hexadecimal digits.
fn half_digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest[..8].iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), SiteError> {
    for entry in fs::read_dir(folder).map_err(SiteError::io("listing", folder))? {
        let path = entry.map_err(SiteError::io("listing", folder))?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(page: &str, model: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("models")).unwrap();
        fs::write(folder.path().join("models/a \"b\".bin"), model).unwrap();
        fs::write(folder.path().join(PAGE), page).unwrap();
        folder
    }

    const HTML: &str = "<meta name=\"version\" content=\"development\"><p>text</p>";

    #[test]
    fn the_worker_lists_what_is_there_under_one_version() {
        let folder = site(HTML, "model");
        let copy = write(folder.path()).unwrap().unwrap();
        let script = fs::read_to_string(folder.path().join(WORKER)).unwrap();
        let page = fs::read_to_string(folder.path().join(PAGE)).unwrap();
        assert_eq!((copy.files, copy.version.len()), (2, 16));
        assert!(script.contains(&format!("const VERSION = \"{}\";", copy.version)));
        assert!(page.contains(&format!("content=\"{}\"", copy.version)));
        // printf model | sha256sum
        assert!(
            script.contains("\"models/a \\\"b\\\".bin\": \"9372c470eeadd5ec\""),
            "{script}"
        );
        assert!(script.contains(&format!(
            "\"index.html\": \"{}\"",
            half_digest(page.as_bytes())
        )));
        assert!(!script.contains("__") && !script.contains("\"sw.js\""));
    }

    #[test]
    fn the_version_follows_every_byte_and_nothing_else() {
        let of =
            |page: &str, model: &str| write(site(page, model).path()).unwrap().unwrap().version;
        assert_eq!(of(HTML, "model"), of(HTML, "model"));
        assert_ne!(of(HTML, "model"), of(HTML, "Model"));
        assert_ne!(
            of(HTML, "model"),
            of(&HTML.replace("text", "Text"), "model")
        );
    }

    #[test]
    fn a_page_under_trunk_serve_is_not_copied_and_one_without_a_place_is_refused() {
        let served = format!("{HTML}<script>'.well-known/trunk/ws'</script>");
        let folder = site(&served, "model");
        assert_eq!(write(folder.path()).unwrap(), None);
        assert!(!folder.path().join(WORKER).exists());
        assert!(write(site("<p></p>", "model").path()).is_err());
    }
}
