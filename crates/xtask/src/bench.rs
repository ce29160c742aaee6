//! `bench` and `shots`: programs of the `tests` crate and of the library crates, run with what
//! they need in place; and a folder to carry to a machine that has a GPU and nothing else.

use crate::args;
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::{proc, test, web};
use std::path::Path;
use std::process::Command;

mod gpu;

/// `cargo xtask shots [figure …]`: screenshots of the built site.
pub fn shots(context: &Context, figures: &[String]) -> Result<()> {
    ensure_dist(context)?;
    let mut command = test::browser_program(context, &["run", "-q", "--bin", "shots"])?;
    proc::run(command.arg("--").args(figures))
}

/// `cargo xtask bench [fit | large | gpu | wasm | cold-start | page | drag]`, `bench gpu` with options of its own, or
/// `bench heights`, which writes what it measures.
pub fn run(context: &Context, what: &[String]) -> Result<()> {
    match what {
        [gpu, pack, folder] if gpu == "gpu" && pack == "--pack" => {
            return gpu::pack(context, Path::new(folder));
        }
        [gpu, option, ..] if gpu == "gpu" && option.starts_with("--") => {
            return gpu::run(context, &what[1..]);
        }
        [heights] if heights == "heights" => return page(context, heights),
        _ => {}
    }
    let known = ["fit", "large", "gpu", "wasm", "cold-start", "page", "drag"];
    if let Some(other) = what.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Failure::new(format!(
            "no benchmark `{other}`; there are {}",
            known.join(", ")
        )));
    }
    let chosen = |name: &str| what.is_empty() || what.iter().any(|word| word == name);
    for name in ["fit", "large"] {
        if chosen(name) {
            native(context, name)?;
        }
    }
    if chosen("gpu") {
        gpu::run(context, &[])?;
    }
    for name in ["wasm", "cold-start", "page", "drag"] {
        if chosen(name) {
            page(context, name)?;
        }
    }
    Ok(())
}

/// `fit`: prompts per second of a native fit, sustained GFLOP/s and the machine's own peak; `large`: memory and time at the
/// shape of SmolLM2-135M.
fn native(context: &Context, name: &str) -> Result<()> {
    let mut command = Command::new("cargo");
    let program = [
        "run",
        "-q",
        "--profile",
        "native",
        "-p",
        "cli",
        "--bin",
        "jlens",
    ];
    command.current_dir(&context.root).args(program);
    proc::run(command.args(["--", "bench", name]))
}

/// A measurement of the optimised page in headless Chromium.
fn page(context: &Context, name: &str) -> Result<()> {
    ensure_dist(context)?;
    let mut command = test::browser_program(context, &["run", "-q", "--bin", "measure"])?;
    proc::run(command.args(["--", name]))
}

/// Builds `dist/` when there is none; an existing one is measured as it is.
fn ensure_dist(context: &Context) -> Result<()> {
    let dist = test::dist(context);
    if dist.join("index.html").is_file() {
        let name = dist.display();
        eprintln!("• using {name} as it is; `cargo xtask dist` renews it");
        return Ok(());
    }
    web::dist(context, &args::Dist::default())
}
