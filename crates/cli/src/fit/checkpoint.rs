//! A running fit on disk: saved whole or not at all, and only continued by the fit that it belongs to.

use super::Args;
use super::corpus::Corpus;
use crate::subject::{Outcome, Subject, read, write};
use lens::{Accumulator, FitOptions};
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORMAT: &str = "jlens.fit.1";

/// A saved fit, and what it belongs to.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    format: String,
    weights_hash: String,
    corpus: String,
    corpus_hash: String,
    sums: Accumulator,
}

/// A new fit, or the one of the checkpoint.
///
/// # Errors
/// A checkpoint that is in the way, missing, damaged or of another fit.
pub fn start(
    args: &Args,
    subject: &Subject,
    corpus: &Corpus,
    options: &FitOptions,
    spare: usize,
) -> Outcome<Accumulator> {
    let estimator = options.resolve(&subject.model.config)?;
    let new = if args.median {
        Accumulator::median(estimator, spare)
    } else {
        Accumulator::mean(estimator)
    };
    let Some(path) = args.checkpoint.as_deref() else {
        return Ok(new);
    };
    if !args.resume {
        if path.exists() {
            return Err(format!(
                "{} exists; go on with --resume, or delete it",
                path.display()
            )
            .into());
        }
        return Ok(new);
    }
    let bytes = read(path, "leave --resume out to begin a fit")?;
    let saved: Checkpoint = postcard::from_bytes(&bytes)
        .map_err(|e| format!("{} is no checkpoint of this program: {e}", path.display()))?;
    for (what, saved, now) in [
        ("format", saved.format.as_str(), FORMAT),
        (
            "model",
            saved.weights_hash.as_str(),
            subject.weights_hash.as_str(),
        ),
        ("text", saved.corpus_hash.as_str(), corpus.hash.as_str()),
        (
            "estimator",
            &format!("{:?}", saved.sums.estimator),
            &format!("{:?}", new.estimator),
        ),
        (
            "reduction",
            &format!("{:?}", saved.sums.reduction()),
            &format!("{:?}", new.reduction()),
        ),
    ] {
        if saved != now {
            return Err(format!("{} belongs to another {what} ({saved}, not {now}); give the options that it was begun with", path.display()).into());
        }
    }
    eprintln!(
        "going on after {} prompts, from {}",
        saved.sums.seen(),
        path.display()
    );
    Ok(saved.sums)
}

/// Saves a running fit.
///
/// # Errors
/// As the system says.
pub fn save(path: &Path, subject: &Subject, corpus: &Corpus, sums: &Accumulator) -> Outcome {
    let saved = Checkpoint {
        format: FORMAT.into(),
        weights_hash: subject.weights_hash.clone(),
        corpus: corpus.name.clone(),
        corpus_hash: corpus.hash.clone(),
        sums: sums.clone(),
    };
    write(path, &postcard::to_allocvec(&saved)?)
}
