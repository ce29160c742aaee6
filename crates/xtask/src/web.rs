//! `serve` and `dist`: both are Trunk, with the toolchain seen to and the build kept apart from
//! the native one. Plain `trunk serve` builds the same site in the default target folder.

use crate::args;
use crate::context::Context;
use crate::failure::Result;
use crate::{pack, proc, sizes, toolchain};
use std::path::PathBuf;
use std::time::Instant;

/// `cargo xtask dist`
pub fn dist(context: &Context, options: &args::Dist) -> Result<()> {
    let tools = toolchain::ensure_web(context, options.dev)?;
    let out = options.out.as_deref().unwrap_or("dist");
    let folder = build(context, &tools, out, options.dev)?;
    let zip = options.zip.as_ref().map_or_else(
        || folder.with_extension("zip"),
        |file| context.root.join(file),
    );
    let bytes = pack::write(&folder, &zip)?;
    let megabytes = bytes as f64 / 1e6;
    eprintln!("✓ packed {} ({megabytes:.1} MB)", zip.display());
    Ok(())
}

/// Builds the site into a folder and prints what each file weighs.
pub fn build(
    context: &Context,
    tools: &toolchain::WebTools,
    out: &str,
    dev: bool,
) -> Result<PathBuf> {
    let _lock = context.lock("web-build")?;
    let start = Instant::now();
    let mut trunk = tools.trunk(context)?;
    trunk.args(["build", "--dist", out]);
    trunk.args((!dev).then_some("--release"));
    proc::run(&mut trunk)?;
    let folder = context.root.join(out);
    let seconds = start.elapsed().as_secs_f64();
    sizes::print(&folder)?;
    eprintln!("✓ built {out}/ in {seconds:.0} s");
    Ok(folder)
}

/// `cargo xtask serve`
pub fn serve(context: &Context, options: &args::Serve) -> Result<()> {
    let tools = toolchain::ensure_web(context, options.dev)?;
    let port = options.port.to_string();
    let open = options.open && has_display();
    let mut trunk = tools.trunk(context)?;
    trunk
        .args(["serve", "--address", "127.0.0.1", "--port", &port])
        // Not `dist/`: a build for tests or for publishing may run meanwhile.
        .args(["--dist", "target/serve"])
        .args((!options.dev).then_some("--release"))
        .arg(format!("--open={open}"));
    eprintln!("• building; then the page is at http://127.0.0.1:{port} until Ctrl-C");
    crate::context::create_dir(&context.root.join("target").join("serve"))?;
    proc::run(&mut trunk)
}

/// Whether a browser window could appear for the person at this terminal.
fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if set("CI") || set("SSH_CONNECTION") {
        return false;
    }
    cfg!(windows) || cfg!(target_os = "macos") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
