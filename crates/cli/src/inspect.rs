//! `jlens inspect`: what is in a model and in a lens.

use crate::subject::{Outcome, Source, Subject, Which};
use clap::Args as ClapArgs;
use lens::Lens;
use lens::statistics::{cosine, relative_change};
use serde_json::{Value, json};
use std::path::PathBuf;
use transformer::layout::parameter_count;

/// Show what a model and its lens are, where they came from, and how far each layer's map is from the identity.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Lens file, instead of the shipped one
    #[arg(long, conflicts_with = "targets")]
    lens: Option<PathBuf>,
    /// Which shipped lens
    #[arg(long, value_enum, default_value_t = Which::All)]
    targets: Which,
    /// Show the model alone
    #[arg(long)]
    no_lens: bool,
    /// List the model's words and nothing else
    #[arg(long)]
    vocabulary: bool,
    /// Everything as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// Files that are missing, damaged or do not fit together.
pub fn run(args: Args) -> Outcome {
    let subject = args.source.load()?;
    if args.vocabulary {
        if args.json {
            println!("{}", json!(subject.words.words()));
        } else {
            println!("{}", subject.words.words().join(" "));
        }
        return Ok(());
    }
    let lens = match args.no_lens {
        true => None,
        false => Some(subject.lens(args.lens.as_deref(), args.targets)?),
    };
    let document = json!({ "model": model(&subject), "lens": lens.as_ref().map(describe) });
    if args.json {
        println!("{document}");
    } else {
        print(&document["model"], "");
        if let Some(lens) = lens {
            println!("\nlens");
            print(&json!(lens.provenance), "  ");
            println!("\n  layer  cosine(J, I)  |J - I| / |I|");
            for (l, cosine, change) in from_identity(&lens) {
                println!("  {l:>5}  {cosine:>12.3}  {change:>13.3}");
            }
        }
    }
    Ok(())
}

fn model(s: &Subject) -> Value {
    json!({
        "name": s.file.name,
        "parameters": parameter_count(&s.model.config),
        "weights_hash": s.weights_hash,
        "vocabulary_hash": s.file.vocabulary_hash,
        "config": s.model.config,
        "about": s.file.about,
    })
}

/// Layer, cosine between J and the identity, relative change.
fn from_identity(lens: &Lens) -> Vec<(usize, f64, f64)> {
    let mut identity = vec![0.0; lens.d * lens.d];
    (0..lens.d).for_each(|i| identity[i * lens.d + i] = 1.0);
    lens.layers
        .iter()
        .map(|(&l, j)| (l, cosine(j, &identity), relative_change(j, &identity)))
        .collect()
}

fn describe(lens: &Lens) -> Value {
    let layers: Vec<Value> = from_identity(lens)
        .into_iter()
        .map(|(layer, cosine, change)| json!({ "layer": layer, "cosine_with_identity": cosine, "relative_change": change }))
        .collect();
    json!({ "provenance": lens.provenance, "d_model": lens.d, "layers": layers })
}

/// One field a line; objects are set in.
fn print(value: &Value, indent: &str) {
    let Value::Object(fields) = value else { return };
    for (name, value) in fields {
        match value {
            Value::Object(_) => {
                println!("{indent}{name}");
                print(value, &format!("{indent}  "));
            }
            Value::String(text) => println!("{indent}{name}: {text}"),
            other => println!("{indent}{name}: {other}"),
        }
    }
}
