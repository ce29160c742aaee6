//! `jlens eval`: every number of the model card, from the files.

use crate::train::standard_lens;
use clap::{Args as ClapArgs, ValueEnum};
use formats::{LensFile, ModelFile};
use lens::{Lens, Targets};
use serde::Serialize;
use smallworld::Part;
use smallworld::eval::bench::{Bench, Row};
use std::error::Error;
use std::path::{Path, PathBuf};
use transformer::{Cpu, Model};

/// Measure a small model and its lenses on the held-out items; the control model's numbers stand beside its own.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Folder with models/NAME.safetensors and lenses/NAME-{all,same}.safetensors
    #[arg(long, default_value = "assets")]
    from: PathBuf,
    /// Name of the model
    #[arg(long, default_value = "world")]
    name: String,
    /// Name of the control model in the same folder; "none" leaves it out
    #[arg(long, default_value = "control")]
    control: String,
    /// Which held-out items: test is for reporting, validation for choosing
    #[arg(long, value_enum, default_value_t = Which::Test)]
    split: Which,
    /// Threads, for lenses that have to be fitted because their files are missing
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
    /// The report as one JSON object
    #[arg(long)]
    json: bool,
}

/// A part of the held-out items.
#[derive(Debug, Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Which {
    Validation,
    Test,
}

#[derive(Serialize)]
struct Report {
    model: String,
    weights_hash: String,
    software: &'static str,
    split: Which,
    rows: Vec<Row>,
}

/// Runs the subcommand.
///
/// # Errors
/// Files that are missing, damaged or of another model.
pub fn run(args: Args) -> Result<(), Box<dyn Error>> {
    let part = match args.split {
        Which::Validation => Part::Validation,
        Which::Test => Part::Test,
    };
    let subject = Subject::load(&args.from, &args.name)?;
    let control = match args.control.as_str() {
        "none" => None,
        name => Some(Subject::load(&args.from, name)?),
    };
    let bench = subject.bench(part, args.threads)?;
    let control_bench = control
        .as_ref()
        .map(|control| control.bench(part, args.threads))
        .transpose()?;
    let report = Report {
        model: subject.file.name.clone(),
        weights_hash: subject.file.weights_hash(),
        software: crate::SOFTWARE,
        split: args.split,
        rows: smallworld::eval::report(&bench, control_bench.as_ref())?,
    };
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print_table(&report);
    }
    Ok(())
}

/// A model with its lenses, from files.
struct Subject {
    file: ModelFile,
    model: Model<Cpu>,
    lenses: PathBuf,
}

impl Subject {
    fn load(from: &Path, name: &str) -> Result<Self, Box<dyn Error>> {
        let path = from.join("models").join(format!("{name}.safetensors"));
        let bytes = read(&path)?;
        let file = ModelFile::read(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        let model = Model::new(Cpu::new(), &file.weights)?;
        Ok(Self {
            file,
            model,
            lenses: from.join("lenses").join(name),
        })
    }

    fn bench(&self, part: Part, threads: usize) -> Result<Bench<'_>, Box<dyn Error>> {
        let (all, same) = (
            self.lens(Targets::All, "all", threads)?,
            self.lens(Targets::Same, "same", threads)?,
        );
        Ok(Bench::new(&self.model, all, same, part)?)
    }

    /// From its file, or fitted if there is none.
    fn lens(&self, targets: Targets, suffix: &str, threads: usize) -> Result<Lens, Box<dyn Error>> {
        let path = PathBuf::from(format!("{}-{suffix}.safetensors", self.lenses.display()));
        if !path.exists() {
            eprintln!("{} is not there: fitting that lens", path.display());
            return standard_lens(&self.model, &self.file, targets, threads);
        }
        let lens = LensFile::read(&read(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
        if lens.provenance.weights_hash != self.file.weights_hash() {
            let path = path.display();
            return Err(format!(
                "{path} was fitted with other weights; delete it to have it fitted anew"
            )
            .into());
        }
        Ok(lens.into())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()).into())
}

fn print_table(report: &Report) {
    println!(
        "{} ({}), {} split",
        report.model,
        &report.weights_hash[..12],
        match report.split {
            Which::Validation => "validation",
            Which::Test => "test",
        }
    );
    println!(
        "{:<46} {:>6} {:>6}  {:>13}  {:>8} {:>8}",
        "", "value", "n", "95 % interval", "control", "baseline"
    );
    let beside = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.3}"));
    for r in &report.rows {
        let (control, baseline) = (beside(r.control), beside(r.baseline));
        println!(
            "{:<46} {:>6.3} {:>6}  {:>5.3} - {:<5.3}  {control:>8} {baseline:>8}",
            r.id, r.value, r.n, r.low, r.high
        );
    }
}
