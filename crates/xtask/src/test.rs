//! `test`: every check of the project. All steps run even when one fails; the summary names
//! those that did.

use crate::args;
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::toolchain::{self, WebTools, browser, npm, vulkan};
use crate::{proc, web};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// Names of the steps, in the order in which they run.
pub const STEPS: [&str; 6] = ["fmt", "clippy", "native", "doc", "web", "e2e"];

/// The crate of the browser tests: needs a browser and a built site, so it is a step of its own.
const BROWSER_CRATE: &str = "tests";

/// `cargo xtask test`
pub fn run(context: &Context, options: &args::Test) -> Result<()> {
    let chosen = |step: &str| {
        let asked = options.only.is_empty() || options.only.iter().any(|only| only == step);
        asked && !(options.skip_e2e && step == "e2e")
    };
    let mut report = Report::default();
    let tools = (chosen("web") || chosen("e2e"))
        .then(|| toolchain::ensure_web(context, false))
        .transpose()?;
    for step in STEPS.into_iter().filter(|step| chosen(step)) {
        if step == "e2e" && report.failed.contains(&"web") {
            report.skipped.push(step);
            continue;
        }
        eprintln!("\n━━ {step}");
        let start = Instant::now();
        let result = one(context, step, tools.as_ref());
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(()) => {
                eprintln!("✓ {step} ({seconds:.0} s)");
                report.passed.push(step);
            }
            Err(failure) => {
                eprintln!("✗ {step} ({seconds:.0} s)\n{failure}");
                report.failed.push(step);
            }
        }
    }
    report.close()
}

#[derive(Default)]
struct Report {
    passed: Vec<&'static str>,
    failed: Vec<&'static str>,
    skipped: Vec<&'static str>,
}

impl Report {
    fn close(self) -> Result<()> {
        println!(
            "\nsteps: {} passed, {} failed, {} skipped",
            self.passed.len(),
            self.failed.len(),
            self.skipped.len()
        );
        if self.failed.is_empty() {
            return Ok(());
        }
        let again = self.failed.join(" --only ");
        Err(
            Failure::new(format!("failed: {}", self.failed.join(", "))).fix(format!(
                "see above; `cargo xtask test --only {again}` runs it again"
            )),
        )
    }
}

fn one(context: &Context, step: &str, tools: Option<&WebTools>) -> Result<()> {
    match (step, tools) {
        ("fmt", _) => proc::run(cargo(context).args(["fmt", "--all", "--check"])),
        ("clippy", _) => proc::run(cargo(context).args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-Dwarnings",
        ])),
        ("native", _) => native(context),
        ("doc", _) => proc::run(cargo(context).args([
            "test",
            "--doc",
            "--workspace",
            "--locked",
            "--exclude",
            BROWSER_CRATE,
        ])),
        ("web", Some(tools)) => web::build(context, tools, "dist", false).map(|_| ()),
        ("e2e", Some(tools)) => e2e(context, tools),
        (other, _) => Err(Failure::new(format!("no step `{other}`"))),
    }
}

fn cargo(context: &Context) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(&context.root);
    command
}

/// Unit and integration tests, with nextest where it is installed.
fn native(context: &Context) -> Result<()> {
    vulkan::ensure(context)?;
    let workspace = ["--workspace", "--locked", "--exclude", BROWSER_CRATE];
    let mut command = cargo(context);
    if proc::find("cargo-nextest").is_some() {
        command.args(["nextest", "run"]).args(workspace);
    } else {
        command
            .arg("test")
            .args(workspace)
            .args(["--lib", "--bins", "--tests"]);
    }
    proc::run(&mut command)
}

/// The browser tests, against the site in `dist/`; they serve it themselves.
fn e2e(context: &Context, tools: &WebTools) -> Result<()> {
    if !dist(context).join("index.html").is_file() {
        web::build(context, tools, "dist", false)?;
    }
    let mut command = browser_program(context, &["test", "--locked", "--no-fail-fast"])?;
    // One browser at a time: the machine's cores belong to the page's workers.
    proc::run(command.args(["--", "--test-threads=1"]))
}

/// The built site: `dist/`, or the folder named in `JLENS_DIST`.
pub fn dist(context: &Context) -> PathBuf {
    let named = std::env::var_os("JLENS_DIST");
    context
        .root
        .join(named.map_or_else(|| "dist".into(), PathBuf::from))
}

/// A cargo command for the crate of the browser tests, told where the browser, the built site
/// and the accessibility checker are.
pub fn browser_program(context: &Context, words: &[&str]) -> Result<Command> {
    let browser = browser::ensure(context)?;
    let mut command = cargo(context);
    command
        .args(words)
        .args(["--package", BROWSER_CRATE])
        // Apart, so that nothing waits here for another build in the native target folder.
        .args(["--target-dir", "target/browser-tests"])
        .env("JLENS_CHROME", &browser.chrome)
        .env("JLENS_CHROMEDRIVER", &browser.driver)
        .env("JLENS_DIST", dist(context))
        .env(
            "JLENS_SHOTS",
            context.root.join("target").join("screenshots"),
        )
        .env("JLENS_AXE", npm::axe(context)?);
    Ok(command)
}
