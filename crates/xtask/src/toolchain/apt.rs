//! Debian packages: what is installed, what could be, and installing it as root or with sudo.

use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::proc;
use std::process::Command;

/// Whether this system has apt.
pub fn is_there() -> bool {
    cfg!(target_os = "linux") && proc::find("apt-get").is_some()
}

/// Whether a package can be installed from the configured archives. The lists on a fresh machine
/// are empty, so they are fetched once before the answer is no.
pub fn offers(package: &str) -> bool {
    has_candidate(package) || (update().is_ok() && has_candidate(package))
}

fn has_candidate(package: &str) -> bool {
    let policy = proc::output(Command::new("apt-cache").args(["policy", package]));
    policy.is_some_and(|text| {
        text.lines()
            .filter_map(|line| line.trim().strip_prefix("Candidate:"))
            .any(|version| version.trim() != "(none)")
    })
}

/// Installs those of the packages that are missing, after asking.
pub fn ensure(context: &Context, packages: &[&str], why: &str) -> Result<()> {
    let missing: Vec<&str> = packages
        .iter()
        .copied()
        .filter(|package| !is_installed(package))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("sudo apt-get install {}", missing.join(" "));
    context.consent(
        &format!("Debian packages {}", missing.join(", ")),
        why,
        &by_hand,
    )?;
    update()?;
    let mut install = as_root("apt-get")?;
    install
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "-y", "-q", "-o", "DPkg::Lock::Timeout=300"])
        .args(&missing);
    proc::run(&mut install).map_err(|failure| {
        Failure::new(format!("the packages were not installed\n{failure}")).fix(by_hand)
    })
}

/// A program run as root: as it is for root, else through sudo.
pub fn as_root(program: &str) -> Result<Command> {
    let id = proc::output(Command::new("id").arg("-u"));
    if id.as_deref() == Some("0") {
        return Ok(Command::new(program));
    }
    if proc::find("sudo").is_none() {
        return Err(Failure::new(format!(
            "`{program}` must run as root, and there is no sudo"
        ))
        .fix("run `cargo xtask toolchain` once as root"));
    }
    let mut command = Command::new("sudo");
    command.arg(program);
    Ok(command)
}

fn update() -> Result<()> {
    proc::run(as_root("apt-get")?.args(["update", "-q", "-o", "DPkg::Lock::Timeout=300"]))
}

fn is_installed(package: &str) -> bool {
    let status = proc::output(Command::new("dpkg-query").args(["-W", "-f=${Status}", package]));
    status.is_some_and(|text| text == "install ok installed")
}
