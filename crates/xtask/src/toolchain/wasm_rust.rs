//! A Rust that compiles to `wasm32-unknown-unknown`.
//!
//! Preferred is the Rust that runs this program, with the target added by rustup. Where rustup
//! cannot fetch the target's standard library (no rustup, or its server out of reach), Debian's
//! Rust takes its place for the web build alone: see [`distro`].

use super::distro;
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::proc;
use std::path::Path;
use std::process::{Command, Stdio};

/// The compilation target of everything that runs in the browser.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Which Rust compiles for the browser.
#[derive(Debug, PartialEq, Eq)]
pub enum WasmRust {
    /// The one that runs everything else.
    Own,
    /// The distribution's.
    Distro,
}

/// Finds or installs one. `JLENS_WASM_RUST=distro` skips rustup (to test the other way).
pub fn ensure(context: &Context) -> Result<WasmRust> {
    let skip_own = std::env::var("JLENS_WASM_RUST").is_ok_and(|choice| choice == "distro");
    if !skip_own && compiles(Command::new("rustc").current_dir(&context.root)) {
        return Ok(WasmRust::Own);
    }
    if distro::is_ready() {
        return Ok(WasmRust::Distro);
    }
    if !skip_own && proc::find("rustup").is_some() && add_target(context)? {
        return Ok(WasmRust::Own);
    }
    if distro::is_offered() {
        distro::install(context)?;
        return Ok(WasmRust::Distro);
    }
    Err(Failure::new(format!(
        "this Rust cannot compile to {TARGET}: its standard library for that target is missing"
    ))
    .fix(format!(
        "rustup target add {TARGET}\n(rustup is at https://rustup.rs; it must reach its server)"
    )))
}

/// Asks rustup for the target; `false` when rustup could not get it.
fn add_target(context: &Context) -> Result<bool> {
    let by_hand = format!("rustup target add {TARGET}");
    context.consent(
        &format!("Rust's standard library for {TARGET}"),
        "compiling the page to WebAssembly",
        &by_hand,
    )?;
    let mut command = Command::new("rustup");
    command
        .args(["target", "add", TARGET])
        .current_dir(&context.root);
    if let Err(failure) = proc::run(&mut command) {
        eprintln!("{failure}\n  rustup could not add the target; looking for another way");
        return Ok(false);
    }
    Ok(compiles(Command::new("rustc").current_dir(&context.root)))
}

/// Whether a `rustc` can compile *and link* a module that uses the standard library.
pub fn compiles(rustc: &mut Command) -> bool {
    let out = std::env::temp_dir().join(format!("xtask-probe-{}.wasm", std::process::id()));
    let done = probe(rustc, &out).unwrap_or(false);
    let _ = std::fs::remove_file(&out);
    done
}

fn probe(rustc: &mut Command, out: &Path) -> std::io::Result<bool> {
    use std::io::Write;
    let mut child = rustc
        .args(["-", "--crate-name=probe", "--crate-type=cdylib", "--target"])
        .args([TARGET, "-Cpanic=abort", "-o"])
        .arg(out)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(b"pub fn probe() -> Vec<u8> { vec![1] }")?;
    }
    Ok(child.wait()?.success())
}
