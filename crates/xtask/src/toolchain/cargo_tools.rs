//! Trunk and the wasm-bindgen command, from crates.io, at exact versions.
//!
//! A copy that the user already has is used when its version is right and never replaced when it
//! is not: ours go to a folder of their own. They are built quickly rather than for speed, and
//! without the parts that fetch programs from the network, which [`super`] does instead.

use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::proc;
use std::path::PathBuf;
use std::process::Command;

/// Trunk 0.22 needs a newer Rust than this workspace.
const TRUNK: &str = "0.21.14";

struct Tool<'a> {
    package: &'a str,
    program: &'a str,
    version: &'a str,
    /// Its own lock file is used where the registry serves all versions that it names.
    locked: bool,
    optimise: &'a str,
    minutes: &'a str,
    why: &'a str,
}

/// The Trunk program.
pub fn trunk(context: &Context) -> Result<PathBuf> {
    ensure(
        context,
        &Tool {
            package: "trunk",
            program: "trunk",
            version: TRUNK,
            locked: true,
            optimise: "0",
            minutes: "three to six",
            why: "building the site",
        },
    )
}

/// The wasm-bindgen program; it must have exactly the version of the library in `Cargo.lock`.
pub fn wasm_bindgen(context: &Context) -> Result<PathBuf> {
    let version = locked_version(context, "wasm-bindgen")?;
    ensure(
        context,
        &Tool {
            package: "wasm-bindgen-cli",
            program: "wasm-bindgen",
            version: &version,
            locked: false,
            optimise: "1",
            minutes: "one to two",
            why: "joining the compiled modules with the page",
        },
    )
}

fn ensure(context: &Context, tool: &Tool) -> Result<PathBuf> {
    let Tool {
        package, version, ..
    } = tool;
    let root = context.tools.join(format!("{package}-{version}"));
    let ours = root
        .join("bin")
        .join(format!("{}{}", tool.program, std::env::consts::EXE_SUFFIX));
    let right = |path: &PathBuf| proc::version(path).as_deref() == Some(version);
    if right(&ours) {
        return Ok(ours);
    }
    if let Some(theirs) = proc::find(tool.program).filter(right) {
        return Ok(theirs);
    }
    let lock = if tool.locked { " --locked" } else { "" };
    let by_hand = format!("cargo install {package} --version {version}{lock}");
    context.consent(
        &format!(
            "{package} {version} (compiling it takes {} minutes, once)",
            tool.minutes
        ),
        tool.why,
        &by_hand,
    )?;
    install(context, tool, &root)
        .map_err(|failure| Failure::new(failure.to_string()).fix(by_hand))?;
    if right(&ours) {
        return Ok(ours);
    }
    Err(Failure::new(format!(
        "{} was installed but does not report version {version}",
        ours.display()
    )))
}

fn install(context: &Context, tool: &Tool, root: &PathBuf) -> Result<()> {
    let build = context.tools.join(format!("build-{}", tool.package));
    let mut command = Command::new("cargo");
    command
        .args(["install", tool.package, "--version", tool.version])
        .args(["--debug", "--no-default-features", "--force", "--root"])
        .arg(root)
        .args(tool.locked.then_some("--locked"))
        .env("CARGO_TARGET_DIR", &build)
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", tool.optimise)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("RUSTFLAGS");
    crate::context::create_dir(&context.tools)?;
    // Outside the repository, so that its cargo configuration does not apply to foreign code.
    command.current_dir(&context.tools);
    proc::run(&mut command)?;
    let _ = std::fs::remove_dir_all(&build);
    Ok(())
}

/// The version of a package in `Cargo.lock`.
fn locked_version(context: &Context, package: &str) -> Result<String> {
    let path = context.root.join("Cargo.lock");
    let text = std::fs::read_to_string(&path).map_err(|e| Failure::io(path.display(), &e))?;
    version_in_lock(&text, package).ok_or_else(|| {
        Failure::new(format!("Cargo.lock names no version of {package}"))
            .fix(format!("cargo tree -p {package}"))
    })
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?;
    Some(version.trim_end_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::version_in_lock;

    #[test]
    fn the_locked_version_is_that_of_the_exact_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(
            version_in_lock(lock, "wasm-bindgen").as_deref(),
            Some("0.2.130")
        );
        assert_eq!(version_in_lock(lock, "wasm"), None);
    }
}
