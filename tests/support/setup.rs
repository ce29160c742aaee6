//! Where the browser, its driver and the built site are. `cargo xtask test` says so in the
//! environment; without it the usual places are tried.

use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// The folder that holds the built site.
pub fn dist() -> Result<PathBuf> {
    let folder = named("JLENS_DIST").unwrap_or_else(|| root().join("dist"));
    if folder.join("index.html").is_file() {
        return Ok(folder);
    }
    Err(Error::Missing {
        what: format!("the built site ({})", folder.display()),
        fix: "run `cargo xtask dist`".into(),
    })
}

/// The browser.
pub fn chrome() -> Result<PathBuf> {
    program(
        "JLENS_CHROME",
        &["chromium", "chromium-browser", "google-chrome"],
    )
}

/// Its driver.
pub fn chromedriver() -> Result<PathBuf> {
    program("JLENS_CHROMEDRIVER", &["chromedriver"])
}

/// The text of axe-core.
pub fn axe() -> Result<String> {
    let path = named("JLENS_AXE").ok_or_else(|| Error::Missing {
        what: "axe-core (JLENS_AXE)".into(),
        fix: "run the test through `cargo xtask test --only e2e`".into(),
    })?;
    std::fs::read_to_string(&path).map_err(Error::io(path.display()))
}

/// The folder for photographs; created when missing.
pub fn shots() -> Result<PathBuf> {
    let folder = named("JLENS_SHOTS").unwrap_or_else(|| root().join("target/screenshots"));
    std::fs::create_dir_all(&folder).map_err(Error::io(folder.display()))?;
    Ok(folder)
}

fn root() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.parent().unwrap_or(crate_folder).to_owned()
}

fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn program(variable: &str, names: &[&str]) -> Result<PathBuf> {
    if let Some(path) = named(variable) {
        return Ok(path);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|candidate| candidate.is_file())
        .ok_or_else(|| Error::Missing {
            what: names[0].to_owned(),
            fix: format!("run `cargo xtask toolchain`, or name the program in {variable}"),
        })
}
