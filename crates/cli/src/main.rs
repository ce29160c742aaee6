//! `jlens`: train, measure and read small models from the command line.
#![forbid(unsafe_code)]

mod eval;
mod train;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// What writes the files and reports.
const SOFTWARE: &str = concat!("jlens ", env!("CARGO_PKG_VERSION"));

/// The Jacobian lens, from the command line.
#[derive(Debug, Parser)]
#[command(name = "jlens", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Train(train::Args),
    Eval(eval::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Train(args) => train::run(args),
        Command::Eval(args) => eval::run(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
