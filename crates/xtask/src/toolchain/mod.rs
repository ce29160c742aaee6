//! Everything the commands need beyond Rust itself, installed when it is missing.
//!
//! Each step first looks whether its work is done, so that running again costs a second and an
//! interrupted run goes on where it stopped. Versions are pinned here and in `Cargo.lock`.
//!
//! | module | provides |
//! | --- | --- |
//! | [`wasm_rust`] | a Rust that compiles to `wasm32-unknown-unknown`: rustup's, else |
//! | [`distro`] | the distribution's Rust with a standard library built from its sources |
//! | [`cargo_tools`] | Trunk and the wasm-bindgen command, from crates.io |
//! | [`wasm_opt`] | the optimiser that shrinks the modules, from npm |
//! | [`npm`] | npm packages at exact versions, also axe-core for the accessibility test |
//! | [`browser`] | Chromium and its driver for the browser tests |
//! | [`vulkan`] | a Vulkan driver for the native tests of the WebGPU backend |
//! | [`apt`] | Debian packages |

pub mod apt;
pub mod browser;
mod cargo_tools;
mod distro;
pub mod npm;
pub mod vulkan;
pub mod wasm_opt;
mod wasm_rust;

use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::proc;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the web build runs with.
#[derive(Debug)]
pub struct WebTools {
    /// The Trunk program.
    pub trunk: PathBuf,
    /// Folders to put before the PATH: the pinned tools, and the distribution's Rust if used.
    folders: Vec<PathBuf>,
    /// Whether the wasm32 target belongs to the Rust that runs everything else too.
    pub own_rust: bool,
}

impl WebTools {
    /// The PATH for the web build.
    pub fn path(&self) -> Result<OsString> {
        let old = std::env::var_os("PATH").unwrap_or_default();
        let folders = self.folders.iter().cloned();
        std::env::join_paths(folders.chain(std::env::split_paths(&old)))
            .map_err(|error| Failure::new(format!("could not extend the PATH: {error}")))
    }

    /// Trunk with its environment set for this repository.
    pub fn trunk(&self, context: &Context) -> Result<Command> {
        let mut command = Command::new(&self.trunk);
        command
            .current_dir(&context.root)
            .env("PATH", self.path()?)
            .env("CARGO_TARGET_DIR", context.web_target())
            .env("TRUNK_SKIP_VERSION_CHECK", "true")
            // A failed build is no bug of Trunk: its stack says nothing.
            .env("RUST_BACKTRACE", "0")
            // Trunk 0.21 takes only `true` or `false` here and stops at the customary `1`.
            .env_remove("NO_COLOR");
        Ok(command)
    }
}

/// Makes sure that the web build can run. An unoptimised build (`dev`) needs no `wasm-opt`.
pub fn ensure_web(context: &Context, dev: bool) -> Result<WebTools> {
    let _lock = context.lock("toolchain")?;
    let mut folders = Vec::new();
    let rust = wasm_rust::ensure(context)?;
    if rust == wasm_rust::WasmRust::Distro {
        folders.push(distro::cargo_switch(context)?);
    }
    let trunk = cargo_tools::trunk(context)?;
    folders.push(folder_of(&cargo_tools::wasm_bindgen(context)?)?);
    if !dev {
        folders.push(folder_of(&wasm_opt::ensure(context)?)?);
    }
    Ok(WebTools {
        trunk,
        folders,
        own_rust: rust == wasm_rust::WasmRust::Own,
    })
}

/// `cargo xtask toolchain`: everything, with a line for each thing that is there.
pub fn ensure_all(context: &Context) -> Result<()> {
    let web = ensure_web(context, false)?;
    let rust = if web.own_rust {
        "rustup's, with the wasm32 target"
    } else {
        "the distribution's, for wasm32 only"
    };
    eprintln!("✓ Rust for the browser: {rust}");
    eprintln!("✓ trunk: {}", web.trunk.display());
    let path = web.path()?;
    for name in ["wasm-bindgen", "wasm-opt"] {
        let found = proc::find_in(name, &path);
        eprintln!("✓ {name}: {}", found.unwrap_or_default().display());
    }
    let browser = browser::ensure(context)?;
    eprintln!(
        "✓ Chromium {}: {}",
        browser.version,
        browser.chrome.display()
    );
    eprintln!("✓ chromedriver: {}", browser.driver.display());
    vulkan::ensure(context)?;
    eprintln!("✓ Vulkan, or this system's own");
    eprintln!("✓ axe-core: {}", npm::axe(context)?.display());
    eprintln!("everything is in place");
    Ok(())
}

fn folder_of(program: &Path) -> Result<PathBuf> {
    program
        .parent()
        .map(Path::to_owned)
        .ok_or_else(|| Failure::new(format!("{} has no folder", program.display())))
}
