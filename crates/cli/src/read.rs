//! `jlens read`: what both lenses say at every layer and position.

use crate::subject::{Outcome, Source, Subject, Which};
use crate::words::{self, fit};
use clap::Args as ClapArgs;
use lens::readout::{self, Ranked, ReadOptions, Reading};
use serde_json::{Value, json};
use std::path::PathBuf;
use transformer::model::Keep;

/// Read a prompt through the Jacobian lens and the logit lens: a table of the best word at every layer and position.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Words of the prompt; `<s>` is put in front
    prompt: String,
    #[command(flatten)]
    source: Source,
    /// Lens file, instead of the shipped one
    #[arg(long, conflicts_with = "targets")]
    lens: Option<PathBuf>,
    /// Which shipped lens
    #[arg(long, value_enum, default_value_t = Which::All)]
    targets: Which,
    /// Show the rank of this word everywhere (can be given several times)
    #[arg(long, value_name = "WORD")]
    track: Vec<String>,
    /// Words per cell in JSON; in the table it is always the best one
    #[arg(long, default_value_t = 5)]
    top: usize,
    /// Columns per cell of the table
    #[arg(long, default_value_t = 9)]
    width: usize,
    /// Everything as one JSON object
    #[arg(long)]
    json: bool,
}

/// Both lenses, `[layers][positions]`.
struct Readings {
    layers: Vec<usize>,
    jacobian: Vec<Vec<Reading>>,
    logit: Vec<Vec<Reading>>,
    output: Vec<Reading>,
}

/// Runs the subcommand.
///
/// # Errors
/// Unknown words, missing files, a prompt that is too long.
pub fn run(args: Args) -> Outcome {
    let subject = args.source.load()?;
    let tokens = words::tokens(&subject.words, &args.prompt)?;
    let tracked = args
        .track
        .iter()
        .map(|w| words::token(&subject.words, w))
        .collect::<Outcome<Vec<u32>>>()?;
    let lens = subject.lens(args.lens.as_deref(), args.targets)?;
    let layers: Vec<usize> = lens.layers.keys().copied().chain([lens.target()]).collect();
    let trace = subject
        .model
        .forward(&tokens, tokens.len(), &[], Keep::Residuals)?;
    let options = ReadOptions {
        top: args.top.max(1),
        tracked: &tracked,
        ..ReadOptions::default()
    };
    let readings = pollster::block_on(async {
        let model = &subject.model;
        Ok::<_, lens::Error>(Readings {
            jacobian: readout::read(model, &trace, Some(&lens), &layers, options).await?,
            logit: readout::read(model, &trace, None, &layers, options).await?,
            output: readout::output(model, &trace, options).await?,
            layers,
        })
    })?;
    if args.json {
        println!(
            "{}",
            document(&subject, &lens.provenance, &tokens, &readings)
        );
        return Ok(());
    }
    let name = format!(
        "Jacobian lens ({})",
        format!("{:?}", lens.provenance.positions).to_lowercase()
    );
    for (title, table) in [
        (name.as_str(), &readings.jacobian),
        ("Logit lens", &readings.logit),
    ] {
        print_words(&args, &subject, &tokens, title, &readings, table);
        for (i, word) in args.track.iter().enumerate() {
            print_ranks(
                &args,
                &subject,
                &tokens,
                &format!("{title}: rank of {word:?}"),
                &readings.layers,
                table,
                i,
            );
        }
    }
    Ok(())
}

fn header(title: &str, layers: &[usize], width: usize, last: &str) {
    println!("{title}");
    let cells: Vec<String> = layers
        .iter()
        .map(|l| fit(&format!("layer {l}"), width))
        .collect();
    println!("  {}  {}{}", fit("", width), cells.join(" "), last);
}

/// Rows are positions, columns are layers; the model's own output stands at the right.
fn print_words(
    args: &Args,
    s: &Subject,
    tokens: &[u32],
    title: &str,
    all: &Readings,
    table: &[Vec<Reading>],
) {
    header(title, &all.layers, args.width, "   output");
    let best = |r: &Reading| r.best.first().map_or("", |r| s.word(r.word)).to_owned();
    for (n, &token) in tokens.iter().enumerate() {
        let cells: Vec<String> = table
            .iter()
            .map(|layer| fit(&best(&layer[n]), args.width))
            .collect();
        let output = all.output[n].best.first().map_or(String::new(), |r| {
            format!("{} {:.0} %", s.word(r.word), 100.0 * r.prob)
        });
        println!(
            "  {}  {}   {output}",
            fit(s.word(token), args.width),
            cells.join(" ")
        );
    }
    println!();
}

/// As [`print_words`], with 1-based ranks of one tracked word.
fn print_ranks(
    args: &Args,
    s: &Subject,
    tokens: &[u32],
    title: &str,
    layers: &[usize],
    table: &[Vec<Reading>],
    tracked: usize,
) {
    header(title, layers, args.width, "");
    for (n, &token) in tokens.iter().enumerate() {
        let rank = |r: &Reading| r.tracked.get(tracked).map_or(0, |r| r.rank + 1);
        let cells: Vec<String> = table
            .iter()
            .map(|layer| format!("{:>w$}", rank(&layer[n]), w = args.width.min(6)))
            .map(|c| fit(&c, args.width))
            .collect();
        println!("  {}  {}", fit(s.word(token), args.width), cells.join(" "));
    }
    println!();
}

/// Words with their 0-based ranks.
pub fn list(s: &Subject, words: &[Ranked]) -> Value {
    words
        .iter()
        .map(|r| json!({ "word": s.word(r.word), "rank": r.rank, "prob": r.prob }))
        .collect()
}

fn document(s: &Subject, provenance: &lens::Provenance, tokens: &[u32], all: &Readings) -> Value {
    let mut cells = Vec::new();
    for (lens, table) in [("jacobian", &all.jacobian), ("logit", &all.logit)] {
        for (layer, row) in all.layers.iter().zip(table) {
            for (position, r) in row.iter().enumerate() {
                cells.push(json!({
                    "lens": lens, "layer": layer, "position": position,
                    "words": list(s, &r.best), "tracked": list(s, &r.tracked),
                }));
            }
        }
    }
    json!({
        "model": s.file.name,
        "weights_hash": s.weights_hash,
        "software": crate::SOFTWARE,
        "lens": provenance,
        "tokens": tokens.iter().map(|&t| s.word(t)).collect::<Vec<_>>(),
        "output": all.output.iter().map(|r| list(s, &r.best)).collect::<Vec<_>>(),
        "cells": cells,
    })
}
