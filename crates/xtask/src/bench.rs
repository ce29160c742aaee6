//! `bench` and `shots`: programs of the `tests` crate and of the library crates, run with what
//! they need in place.

use crate::args;
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::{proc, test, web};
use std::process::Command;

/// `cargo xtask shots [figure …]`: screenshots of the built site.
pub fn shots(context: &Context, figures: &[String]) -> Result<()> {
    ensure_dist(context)?;
    let mut command = test::browser_program(context, &["run", "-q", "--bin", "shots"])?;
    proc::run(command.arg("--").args(figures))
}

/// `cargo xtask bench [fit | large | wasm | cold-start | drag]`
pub fn run(context: &Context, what: &[String]) -> Result<()> {
    let known = ["fit", "large", "wasm", "cold-start", "drag"];
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
    for name in ["wasm", "cold-start", "drag"] {
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
