//! Debian's own Rust as a second compiler, for the browser only.
//!
//! The package `rustc-web` follows upstream Rust closely; its standard library for wasm32 is
//! not packaged, but the sources are (`rust-web-src`). It is built once, with
//! its bitcode kept for link-time optimisation, and laid beside the distribution's other targets.

use super::apt;
use super::wasm_rust::{TARGET, compiles};
use crate::context::{Context, create_dir};
use crate::failure::{Failure, Result};
use crate::proc;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `lld-22` brings the linker that the packaged rustc looks for.
const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"];
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";

/// Whether the distribution's Rust is there and compiles for the browser.
pub fn is_ready() -> bool {
    is_new_enough() && compiles(&mut clean(RUSTC))
}

/// Whether this system's package manager has it.
pub fn is_offered() -> bool {
    cfg!(target_os = "linux") && apt::is_there() && apt::offers("rustc-web")
}

/// Installs the packages and builds the standard library.
pub fn install(context: &Context) -> Result<()> {
    apt::ensure(
        context,
        &PACKAGES,
        "a Rust that compiles to WebAssembly, since rustup cannot provide one here",
    )?;
    if !is_new_enough() {
        return Err(Failure::new(format!(
            "{RUSTC} is older than the {} that this workspace needs",
            env!("CARGO_PKG_RUST_VERSION")
        ))
        .fix("upgrade the packages rustc-web and cargo-web, or use rustup"));
    }
    if compiles(&mut clean(RUSTC)) {
        return Ok(());
    }
    eprintln!("• building the standard library for {TARGET} (about a minute, once)");
    let libraries = build_std(context)?;
    lay_beside_others(&libraries)?;
    if compiles(&mut clean(RUSTC)) {
        return Ok(());
    }
    Err(
        Failure::new("the freshly built standard library does not compile a test module").fix(
            format!("{RUSTC} --target {TARGET} --crate-type cdylib any.rs shows the reason"),
        ),
    )
}

/// Makes a folder whose `cargo` sends browser builds to the distribution's Rust and everything
/// else (the build hook that renders the article) to the usual one. To be put first on the PATH.
pub fn cargo_switch(context: &Context) -> Result<PathBuf> {
    let usual = proc::find("cargo").ok_or_else(|| Failure::new("no cargo on the PATH"))?;
    let folder = context.tools.join("distro-rust");
    create_dir(&folder)?;
    let script = format!(
        "#!/bin/sh\n\
         # Written by `cargo xtask`: the distribution's Rust for the browser, the usual for the rest.\n\
         case \" $* \" in\n\
         *{TARGET}*)\n\
         \x20 unset RUSTC RUSTUP_TOOLCHAIN CARGO LD_LIBRARY_PATH\n\
         \x20 PATH=/usr/bin:$PATH exec {CARGO} \"$@\" ;;\n\
         *) exec '{}' \"$@\" ;;\n\
         esac\n",
        usual.display()
    );
    let path = folder.join("cargo");
    std::fs::write(&path, script).map_err(|e| Failure::io(path.display(), &e))?;
    make_executable(&path)?;
    Ok(folder)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
        .map_err(|e| Failure::io(path.display(), &e))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}

fn is_new_enough() -> bool {
    let needed = env!("CARGO_PKG_RUST_VERSION");
    Path::new(CARGO).exists()
        && proc::version(Path::new(RUSTC)).is_some_and(|got| numbers(&got) >= numbers(needed))
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|n| n.parse().ok()).collect()
}

/// A distribution's program, free of what rustup and the running cargo put in the environment.
fn clean(program: &str) -> Command {
    let mut command = Command::new(program);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut first = OsString::from("/usr/bin:");
    first.push(path);
    command.env("PATH", first);
    for name in ["RUSTC", "RUSTUP_TOOLCHAIN", "CARGO", "LD_LIBRARY_PATH"] {
        command.env_remove(name);
    }
    command
}

/// Builds std for the target by way of an empty crate; returns the libraries.
fn build_std(context: &Context) -> Result<Vec<PathBuf>> {
    let folder = context.tools.join("distro-std");
    create_dir(&folder.join("src"))?;
    let manifest = "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
                    [lib]\ncrate-type = [\"cdylib\"]\n[workspace]\n";
    for (name, text) in [("Cargo.toml", manifest), ("src/lib.rs", "")] {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| Failure::io(path.display(), &e))?;
    }
    let target = folder.join("target");
    proc::run(
        clean(CARGO)
            .current_dir(&folder)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", "-Cembed-bitcode=yes")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_TARGET_DIR", &target)
            .args(["build", "--release", "--target", TARGET])
            .args(["-Z", "build-std=std,panic_abort"]),
    )?;
    let built = target.join(TARGET).join("release").join("deps");
    let entries = std::fs::read_dir(&built).map_err(|e| Failure::io(built.display(), &e))?;
    Ok(entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "rlib"))
        .filter(|path| !path.to_string_lossy().contains("libempty"))
        .collect())
}

/// Copies the libraries to where the distribution's rustc looks for the target.
fn lay_beside_others(libraries: &[PathBuf]) -> Result<()> {
    let home = format!("/usr/lib/rustlib/{TARGET}/lib");
    proc::run(apt::as_root("mkdir")?.args(["-p", &home]))?;
    // Those of an older rustc would be taken for rivals of the new ones.
    proc::run(apt::as_root("find")?.args([&home, "-name", "*.rlib", "-delete"]))?;
    proc::run(apt::as_root("cp")?.args(libraries).arg(&home))
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn versions_compare_as_numbers() {
        assert!(numbers("1.100.0") > numbers("1.95"));
        assert!(numbers("1.63.0") < numbers("1.95"));
    }
}
