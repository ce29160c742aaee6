//! `jlens train`: the small model from nothing, with its lenses.

use clap::Args as ClapArgs;
use formats::{LensFile, ModelFile, Precision, Vocabulary};
use lens::{Lens, Origin, Targets};
use serde_json::json;
use smallworld::eval::fitting;
use smallworld::train::{Progress, Settings, Trainer, control_model};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use transformer::{Cpu, Model};

/// Train the small model on the small world's text, then fit its lenses. Equal settings give equal bits on one machine,
/// whatever the number of threads; a run that was killed goes on from its checkpoint.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Folder for models/NAME.safetensors, models/words.json and lenses/NAME-{all,same}.safetensors
    #[arg(long, default_value = "assets")]
    out: PathBuf,
    /// Name of the model
    #[arg(long, default_value = "world")]
    name: String,
    /// Seed of the first weights and of the text
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Updates
    #[arg(long, default_value_t = Settings::default().steps)]
    steps: usize,
    /// Train the control: attention sees everything before it, not only four words
    #[arg(long)]
    control: bool,
    /// Threads; they change the time, not the result
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
    /// Where to keep what a resumed run needs [default: OUT/NAME.checkpoint.safetensors, removed at the end]
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// Report and save every so many steps
    #[arg(long, default_value_t = 100)]
    every: usize,
    /// One JSON object per report
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// Bad settings, a checkpoint of other settings, files that cannot be written.
pub fn run(args: Args) -> Result<(), Box<dyn Error>> {
    let mut settings = Settings {
        seed: args.seed,
        steps: args.steps,
        ..Settings::default()
    };
    if args.control {
        settings.model = control_model();
    }
    std::fs::create_dir_all(&args.out)?;
    let kept = args.checkpoint.is_some();
    let checkpoint = args.checkpoint.unwrap_or_else(|| {
        args.out
            .join(format!("{}.checkpoint.safetensors", args.name))
    });
    let mut trainer = Trainer::new(settings.clone(), args.threads, Some(&checkpoint))?;
    if trainer.step() > 0 {
        eprintln!(
            "going on after {} steps, from {}",
            trainer.step(),
            checkpoint.display()
        );
    }
    trainer.run(usize::MAX, args.every, &mut |progress| {
        report(progress, args.json)
    })?;

    let model = model_file(&args.name, &settings, trainer.weights())?;
    let files = write_model(&args.out, &args.name, &model)?;
    let lenses = write_lenses(&args.out, &args.name, &model, args.threads)?;
    for file in files.iter().chain(&lenses) {
        eprintln!("wrote {}", file.display());
    }
    if !kept {
        std::fs::remove_file(&checkpoint)?;
    }
    Ok(())
}

fn report(p: &Progress, as_json: bool) {
    if as_json {
        let sets: BTreeMap<_, _> = p
            .held_out
            .sets
            .iter()
            .map(|(name, right, of)| (*name, json!({ "right": right, "of": of })))
            .collect();
        let line = json!({
            "step": p.step, "steps": p.steps, "loss": p.loss, "tokens_per_second": p.tokens_per_second, "held_out": sets,
        });
        println!("{line}");
    } else {
        let (step, steps, loss, speed, held_out) =
            (p.step, p.steps, p.loss, p.tokens_per_second, &p.held_out);
        println!(
            "step {step:>5} of {steps}  loss {loss:.3}  {speed:>6.0} tokens/s  held out: {held_out}"
        );
    }
}

/// How models and lenses are shipped: short of bits, so that the page loads sooner.
const SHIPPED: Precision = Precision::F16Short;

/// The model as it is written: rounded first, so that what is measured is what is shipped.
fn model_file(
    name: &str,
    settings: &Settings,
    weights: transformer::Weights,
) -> Result<ModelFile, Box<dyn Error>> {
    let words = words()?;
    let about = BTreeMap::from([
        ("software".to_owned(), crate::SOFTWARE.to_owned()),
        ("seed".to_owned(), settings.seed.to_string()),
        ("training".to_owned(), serde_json::to_string(settings)?),
    ]);
    let model = ModelFile {
        name: name.to_owned(),
        vocabulary_hash: words.hash(),
        about,
        weights,
    };
    Ok(model.rounded(SHIPPED))
}

fn words() -> Result<Vocabulary, Box<dyn Error>> {
    Ok(Vocabulary::new(
        smallworld::Vocabulary::standard().words().to_vec(),
    )?)
}

fn write_model(out: &Path, name: &str, model: &ModelFile) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let folder = out.join("models");
    std::fs::create_dir_all(&folder)?;
    let files = [
        folder.join(format!("{name}.safetensors")),
        folder.join("words.json"),
    ];
    std::fs::write(&files[0], model.write(SHIPPED)?)?;
    std::fs::write(&files[1], words()?.write()?)?;
    Ok(files)
}

/// Fits and writes the lens over all targets and the one at the same position; their difference is the future lens.
fn write_lenses(
    out: &Path,
    name: &str,
    file: &ModelFile,
    threads: usize,
) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let folder = out.join("lenses");
    std::fs::create_dir_all(&folder)?;
    let model = Model::new(Cpu::new(), &file.weights)?;
    let mut written = Vec::new();
    for (targets, suffix) in [(Targets::All, "all"), (Targets::Same, "same")] {
        let lens = standard_lens(&model, file, targets, threads)?;
        let path = folder.join(format!("{name}-{suffix}.safetensors"));
        std::fs::write(&path, LensFile::from(lens).write(SHIPPED)?)?;
        written.push(path);
    }
    Ok(written)
}

/// The lens of a model on the text that all shipped lenses are fitted on.
///
/// # Errors
/// Those of the fit.
pub fn standard_lens(
    model: &Model<Cpu>,
    file: &ModelFile,
    targets: Targets,
    threads: usize,
) -> Result<Lens, Box<dyn Error>> {
    let text = fitting::windows();
    let bytes: Vec<u8> = text
        .iter()
        .flatten()
        .flat_map(|token| token.to_le_bytes())
        .collect();
    let origin = Origin {
        model: file.name.clone(),
        weights_hash: file.weights_hash(),
        vocabulary_hash: file.vocabulary_hash.clone(),
        corpus: fitting::corpus_name(),
        corpus_hash: formats::hash::of_bytes(&bytes),
        engine: "cpu".into(),
        precision: "f32, sums in f64".into(),
        software: crate::SOFTWARE.into(),
        ..Origin::default()
    };
    Ok(fitting::fit(
        model,
        &text,
        targets,
        fitting::SKIP,
        threads,
        &origin,
    )?)
}
