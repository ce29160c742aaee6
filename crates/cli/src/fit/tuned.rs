//! `jlens fit --lens tuned`: a tuned lens, for comparison.

use super::Args;
use super::corpus::Corpus;
use crate::subject::{Outcome, Subject, write};
use formats::Precision;
use formats::tuned_file::TunedProvenance;
use lens::tuned::Training;
use serde_json::json;
use std::path::PathBuf;

/// Trains and writes it.
///
/// # Errors
/// Text without a position that counts; files that cannot be written.
pub fn run(args: &Args, subject: &Subject, corpus: &Corpus) -> Outcome {
    let standard = Training::default();
    let training = Training {
        steps: args.steps.unwrap_or(standard.steps),
        skip: args.skip_first.unwrap_or(standard.skip),
        ..standard
    };
    let provenance = TunedProvenance {
        model: subject.file.name.clone(),
        weights_hash: subject.weights_hash.clone(),
        vocabulary_hash: subject.file.vocabulary_hash.clone(),
        corpus: corpus.name.clone(),
        corpus_hash: corpus.hash.clone(),
        engine: "cpu".into(),
        software: crate::SOFTWARE.into(),
        ..TunedProvenance::default()
    };
    let told = |layer: usize, divergence: f64| {
        if args.json {
            println!("{}", json!({ "layer": layer, "divergence": divergence }));
        } else {
            eprintln!("layer {layer}: {divergence:.4} nats from the final distribution");
        }
    };
    let (model, prompts) = (&subject.model, &corpus.prompts);
    let lens = smallworld::eval::tuned::tuned(model, prompts, training, provenance, told)?;
    let name = format!("{}-tuned.safetensors", subject.file.name);
    let path: PathBuf = args.out.clone().unwrap_or_else(|| name.into());
    let precision = if args.half {
        Precision::F16Short
    } else {
        Precision::F32
    };
    write(&path, &lens.write(precision)?)?;
    if args.json {
        println!("{}", json!({ "lens": path, "provenance": lens.provenance }));
    } else {
        println!("wrote {}", path.display());
    }
    Ok(())
}
