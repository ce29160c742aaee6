//! The project's commands, run as `cargo xtask <command>`.
//!
//! | module | job |
//! | --- | --- |
//! | [`args`] | the command line, parsed by hand so that this crate compiles in seconds |
//! | [`context`] | paths, options, asking before installing, running other programs |
//! | [`toolchain`] | everything the web build and the browser tests need, installed when missing |
//! | [`web`] | `serve`, `dist`: one pipeline, Trunk |
//! | [`test`] | `test`: every check, from formatting to headless Chromium |
//! | [`bench`] | `bench`, `shots`: programs of the `tests` crate, and the native benchmarks |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod args;
mod bench;
mod context;
mod failure;
mod pack;
mod proc;
mod sizes;
mod test;
mod toolchain;
mod web;

use args::{Args, Command};
use context::Context;
use failure::Result;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = toolchain::wasm_opt::stand_in() {
        return code;
    }
    let args = match Args::parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(message) => {
            eprintln!("{message}\n\n{}", args::HELP);
            return ExitCode::from(2);
        }
    };
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\n{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: Args) -> Result<()> {
    let context = Context::new(args.yes)?;
    match args.command {
        Command::Help => {
            println!("{}", args::HELP);
            Ok(())
        }
        Command::Toolchain => toolchain::ensure_all(&context),
        Command::Serve(options) => web::serve(&context, &options),
        Command::Dist(options) => web::dist(&context, &options),
        Command::Test(options) => test::run(&context, &options),
        Command::Shots(rest) => bench::shots(&context, &rest),
        Command::Bench(rest) => bench::run(&context, &rest),
    }
}
