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

/// `jlens … | head` closes the pipe before everything is printed: that ends the program, quietly.
fn end_quietly_with_the_reader() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let what = panic.payload_as_str().unwrap_or_default();
        if what.starts_with("failed printing to stdout") && what.contains("Broken pipe") {
            std::process::exit(0);
        }
        report(panic);
    }));
}

fn main() -> ExitCode {
    end_quietly_with_the_reader();
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
