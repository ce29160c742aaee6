//! What every command knows: where things lie, whether it may install, one lock per job.

use crate::failure::{Failure, Result};
use std::fs::File;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Paths and options shared by all commands.
#[derive(Debug)]
pub struct Context {
    /// The repository's root.
    pub root: PathBuf,
    /// Tools at their pinned versions, shared by all clones of one user.
    pub tools: PathBuf,
    may_install: bool,
}

impl Context {
    /// Finds the folders; `yes` installs without asking.
    pub fn new(yes: bool) -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .ok_or_else(|| Failure::new("crates/xtask does not lie two folders below the root"))?
            .to_owned();
        let unattended = std::env::var_os("CI").is_some() || !std::io::stdin().is_terminal();
        Ok(Self {
            tools: tools_folder(&root),
            root,
            may_install: yes || unattended,
        })
    }

    /// The build folder of everything compiled for the browser. It is apart from `target/`, so
    /// that the two builds neither wait for each other nor undo each other's work.
    pub fn web_target(&self) -> PathBuf {
        self.root.join("target").join("web")
    }

    /// Asks before something is installed, or says that it is being installed.
    pub fn consent(&self, what: &str, why: &str, by_hand: &str) -> Result<()> {
        eprintln!("• missing: {what}\n  needed for: {why}");
        if self.may_install {
            eprintln!("  installing it");
            return Ok(());
        }
        eprint!("  install it now? [Y/n] ");
        let _ = std::io::stderr().flush();
        let mut answer = String::new();
        let read = std::io::stdin().lock().read_line(&mut answer);
        match (read, answer.trim().to_lowercase().as_str()) {
            (Ok(n), "" | "y" | "yes") if n > 0 => Ok(()),
            _ => Err(Failure::new(format!("{what} was not installed")).fix(by_hand)),
        }
    }

    /// Holds a lock until the returned file is dropped, so that two commands started at once do
    /// not install or build the same thing twice. The lock goes with the process.
    pub fn lock(&self, name: &str) -> Result<File> {
        let folder = self.root.join("target");
        create_dir(&folder)?;
        let path = folder.join(format!(".xtask-{name}.lock"));
        let file = File::create(&path).map_err(|e| Failure::io(path.display(), &e))?;
        if file.try_lock().is_err() {
            eprintln!("• waiting for another `cargo xtask` to finish its {name} step");
            file.lock().map_err(|e| Failure::io(path.display(), &e))?;
        }
        Ok(file)
    }
}

/// Creates a folder with its parents.
pub fn create_dir(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path)
        .map_err(|error| Failure::io(format!("could not create {}", path.display()), &error))
}

/// `JLENS_TOOLS`, else the user's cache folder, else `target/tools`.
fn tools_folder(root: &Path) -> PathBuf {
    if let Some(folder) = std::env::var_os("JLENS_TOOLS") {
        return PathBuf::from(folder);
    }
    let home = std::env::home_dir();
    let cache = if cfg!(windows) {
        std::env::var_os("LOCALAPPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home.map(|home| home.join("Library").join("Caches"))
    } else {
        std::env::var_os("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or_else(|| home.map(|home| home.join(".cache")))
    };
    match cache {
        Some(cache) => cache.join("jlens-tools"),
        None => root.join("target").join("tools"),
    }
}
