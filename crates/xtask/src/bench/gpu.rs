//! The WebGPU benchmark: here, or packed for a machine with a GPU and without a toolchain or a network.

use crate::context::{Context, create_dir};
use crate::failure::{Failure, Result};
use crate::proc;
use crate::toolchain::vulkan;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program, an example of the `gpu` crate.
const PROGRAM: &str = "gpu_speed";

/// What the packed folder's reader needs to know.
const SCRIPT: &str = r#"#!/bin/sh
# Measures the WebGPU backend of "the Jacobian lens, live" on this machine's GPU: operations, the fit of the shipped model and of a
# model of SmolLM2-135M's shape with random weights. About two minutes on a fast GPU; nothing is installed, nothing is sent anywhere.
#
#   sh run.sh                   prints, and writes result.txt beside itself
#   sh run.sh --peak 67         also compares with the data sheet's f32 peak in TFLOP/s
#
# Needs a Vulkan driver and loader (libvulkan.so.1). If the first line names llvmpipe, the GPU's driver was not found: point
# VK_DRIVER_FILES at its .json file (often in /usr/share/vulkan/icd.d or /etc/vulkan/icd.d).
cd "$(dirname "$0")" || exit 1
{ date -u; uname -srm; ./gpu_speed "$@"; echo "exit $?"; } 2>&1 | tee result.txt
"#;

/// Builds and runs the benchmark; options go to the program.
pub fn run(context: &Context, options: &[String]) -> Result<()> {
    vulkan::ensure(context)?;
    let mut command = cargo(context, "run");
    if !options.is_empty() {
        command.arg("--").args(options);
    }
    proc::run(&mut command)
}

/// Writes the stripped program and a script into `folder`.
pub fn pack(context: &Context, folder: &Path) -> Result<()> {
    create_dir(folder)?;
    let strip = ["--config", "profile.native.strip=\"symbols\""];
    proc::run(cargo(context, "build").args(strip))?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let built = target(context).join("native").join("examples").join(&name);
    let copy = |from: &Path, to: PathBuf| {
        std::fs::copy(from, &to)
            .map_err(|e| Failure::io(format!("could not write {}", to.display()), &e))
    };
    let bytes = copy(&built, folder.join(&name))?;
    let script = folder.join("run.sh");
    std::fs::write(&script, SCRIPT)
        .map_err(|e| Failure::io(format!("could not write {}", script.display()), &e))?;
    println!(
        "packed {} ({:.1} MB) and run.sh: copy the folder to the machine and run `sh run.sh` there",
        folder.join(name).display(),
        bytes as f64 / 1e6
    );
    Ok(())
}

fn cargo(context: &Context, verb: &str) -> Command {
    let mut command = Command::new("cargo");
    let program = [
        "--profile",
        "native",
        "--package",
        "gpu",
        "--example",
        PROGRAM,
    ];
    command
        .current_dir(&context.root)
        .args([verb, "-q"])
        .args(program);
    command
}

fn target(context: &Context) -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR");
    named.map_or_else(|| context.root.join("target"), PathBuf::from)
}
