//! `wasm-opt`, which makes the modules about a third smaller.
//!
//! Trunk runs it after each optimised build. It comes from npm's `binaryen`, since distributions
//! ship versions too old for what the compiler emits. Without npm the build still works: this
//! program then stands in for it and passes modules through unchanged.

use super::npm;
use crate::context::{Context, create_dir};
use crate::failure::{Failure, Result};
use crate::proc;
use std::path::PathBuf;
use std::process::ExitCode;

/// Must equal `tools.wasm_opt` in `Trunk.toml`.
const VERSION: &str = "132";

/// The program.
pub fn ensure(context: &Context) -> Result<PathBuf> {
    let installed = proc::find("wasm-opt");
    if let Some(path) = installed.filter(|p| proc::version(p).as_deref() == Some(VERSION)) {
        return Ok(path);
    }
    if !npm::is_there() {
        eprintln!(
            "• npm is missing, so the modules are not optimised: the page works, but loads about \
             1.5 times the bytes\n  to fix it: install Node.js (Debian: sudo apt-get install npm)"
        );
        return make_stand_in(context);
    }
    let package = format!("{VERSION}.0.0");
    let modules = npm::ensure(
        context,
        "binaryen",
        &package,
        "shrinking the compiled modules",
    )?;
    let name = if cfg!(windows) {
        "wasm-opt.cmd"
    } else {
        "wasm-opt"
    };
    Ok(modules.join(".bin").join(name))
}

/// A copy of this program under the name `wasm-opt`.
fn make_stand_in(context: &Context) -> Result<PathBuf> {
    let folder = context.root.join("target").join("no-wasm-opt");
    create_dir(&folder)?;
    let this = std::env::current_exe().map_err(|e| Failure::io("this program", &e))?;
    let path = folder.join(format!("wasm-opt{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(this, &path).map_err(|e| Failure::io(path.display(), &e))?;
    Ok(path)
}

/// When this program runs under the name `wasm-opt`, does that one's job without optimising:
/// `wasm-opt --output=OUT [options] IN`.
pub fn stand_in() -> Option<ExitCode> {
    let own_name = PathBuf::from(std::env::args_os().next()?);
    if own_name.file_stem()? != "wasm-opt" {
        return None;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--version") {
        println!("wasm-opt version {VERSION} (stand-in that does not optimise)");
        return Some(ExitCode::SUCCESS);
    }
    let out = words.iter().find_map(|word| word.strip_prefix("--output="));
    let input = words
        .iter()
        .find(|word| word.ends_with(".wasm") && !word.starts_with("--"));
    let copied = match (out, input) {
        (Some(out), Some(input)) => std::fs::copy(input, out).map(|_| ()),
        _ => Err(std::io::Error::other("expected --output=OUT and IN.wasm")),
    };
    Some(match copied {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stand-in for wasm-opt: {error}");
            ExitCode::FAILURE
        }
    })
}
