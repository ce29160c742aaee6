//! npm packages at exact versions, in the tools folder.

use crate::context::{Context, create_dir};
use crate::failure::{Failure, Result};
use crate::proc;
use std::path::PathBuf;

/// The accessibility checker that the browser tests inject (MPL-2.0; used, not shipped).
const AXE: &str = "4.14.1";

/// Whether npm is installed.
pub fn is_there() -> bool {
    proc::find("npm").is_some()
}

/// The `node_modules` folder that holds a package.
pub fn ensure(context: &Context, package: &str, version: &str, why: &str) -> Result<PathBuf> {
    let folder = context.tools.join(format!("npm-{package}-{version}"));
    let modules = folder.join("node_modules");
    // npm writes this file last.
    if modules.join(".package-lock.json").is_file() {
        return Ok(modules);
    }
    let wanted = format!("{package}@{version}");
    let by_hand = format!("npm install --prefix {} {wanted}", folder.display());
    if !is_there() {
        return Err(
            Failure::new(format!("npm is missing, and {why} needs {wanted}"))
                .fix("install Node.js (Debian: sudo apt-get install npm)"),
        );
    }
    context.consent(&format!("{wanted} from npm"), why, &by_hand)?;
    create_dir(&folder)?;
    let mut command = proc::command("npm");
    command
        .current_dir(&folder)
        .args(["install", "--no-audit", "--no-fund", "--no-save"])
        .args(["--ignore-scripts", "--prefix", ".", &wanted]);
    proc::run(&mut command).map_err(|failure| Failure::new(failure.to_string()).fix(by_hand))?;
    Ok(modules)
}

/// The script `axe.min.js`.
pub fn axe(context: &Context) -> Result<PathBuf> {
    let modules = ensure(context, "axe-core", AXE, "the accessibility test")?;
    Ok(modules.join("axe-core").join("axe.min.js"))
}
