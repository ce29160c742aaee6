//! `jlens`: train, measure and read small models from the command line.
#![forbid(unsafe_code)]

mod bench;
mod eval;
mod fit;
mod inspect;
mod read;
mod subject;
mod swap;
mod train;
mod words;

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
    Fit(fit::Args),
    Read(read::Args),
    Swap(swap::Args),
    Eval(eval::Args),
    Inspect(inspect::Args),
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Train(args) => train::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Read(args) => read::run(args),
        Command::Swap(args) => swap::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Bench(args) => bench::run(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
