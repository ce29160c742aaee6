//! `jlens swap`: acting along the vectors of two words, with random directions beside it.

use crate::read::list;
use crate::subject::{Outcome, Source, Subject, Which};
use crate::words;
use clap::{Args as ClapArgs, ValueEnum};
use lens::intervene::{Mode, Prepared, generate, prepare};
use lens::readout::{self, Ranked, ReadOptions};
use lens::{Basis, Head, Lens};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::str::FromStr;
use transformer::Edit;
use transformer::backend::Buf;
use transformer::model::{Keep, Trace};

/// Exchange two words inside the model (or steer, move, ablate) and see what it answers; random directions of the same
/// lengths and angle stand beside it as a control.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Words of the prompt; `<s>` is put in front
    prompt: String,
    /// Word whose direction is read
    source_word: String,
    /// Word that takes its place
    target_word: String,
    #[command(flatten)]
    source: Source,
    /// Layers that are edited, as 2 or 1-4
    #[arg(long, default_value = "1-2")]
    band: Band,
    /// Directions of the two words
    #[arg(long, value_enum, default_value_t = Vectors::Jacobian)]
    vectors: Vectors,
    /// How the edit is made
    #[arg(long, value_enum, default_value_t = How::Clamped)]
    mode: How,
    /// Strength of project and steer
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    strength: f64,
    /// Do not subtract the vocabulary's mean vector
    #[arg(long)]
    raw: bool,
    /// Lens file, instead of the shipped one
    #[arg(long, conflicts_with = "targets")]
    lens: Option<PathBuf>,
    /// Which shipped lens
    #[arg(long, value_enum, default_value_t = Which::All)]
    targets: Which,
    /// Edit only this position (can be given several times) [default: all]
    #[arg(long, value_name = "POSITION")]
    at: Vec<usize>,
    /// Seed of the random control
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Words per list
    #[arg(long, default_value_t = 5)]
    top: usize,
    /// Continue for so many words, editing the prompt's positions only
    #[arg(long, default_value_t = 0)]
    generate: usize,
    /// Everything as one JSON object
    #[arg(long)]
    json: bool,
}

/// Kinds of directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Vectors {
    /// Lens vectors
    Jacobian,
    /// Unembedding vectors
    Logit,
}

/// Kinds of edits.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum How {
    /// Exchange, set to the coordinates of the unmodified run at every layer
    Clamped,
    /// Exchange of whatever arrives
    Live,
    /// h + a <h, s> (t - s), unit directions
    Project,
    /// h + a m t, unit direction, m the layer's mean length
    Steer,
    /// Project the source word's direction out
    Ablate,
}

/// First and last layer, inclusive.
#[derive(Debug, Clone, Copy)]
struct Band(usize, usize);

impl FromStr for Band {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |t: &str| {
            t.trim()
                .parse::<usize>()
                .map_err(|_| format!("{t:?} is no layer; write 2 or 1-4"))
        };
        let band = Self(number(first)?, number(last)?);
        if band.0 > band.1 {
            Err(format!("{text} is empty; the first layer comes first"))
        } else {
            Ok(band)
        }
    }
}

/// Output after one kind of directions.
struct Answer {
    words: Vec<Ranked>,
    text: Vec<u32>,
    prepared: Option<Prepared<f32>>,
}

/// Everything that stays the same for all kinds of directions.
struct Run<'a> {
    args: &'a Args,
    subject: &'a Subject,
    head: Head<f32>,
    tokens: Vec<u32>,
    on: Vec<bool>,
    pair: [u32; 2],
    clean: Trace<Buf<f32>>,
}

/// Runs the subcommand.
///
/// # Errors
/// Unknown words, layers or positions, missing files, directions that are too alike.
pub fn run(args: Args) -> Outcome {
    let subject = args.source.load()?;
    let tokens = words::tokens(&subject.words, &args.prompt)?;
    let pair = [
        words::token(&subject.words, &args.source_word)?,
        words::token(&subject.words, &args.target_word)?,
    ];
    let lens = subject.lens(args.lens.as_deref(), args.targets)?;
    let on = positions(&args.at, tokens.len())?;
    let clean = subject
        .model
        .forward(&tokens, tokens.len(), &[], Keep::Residuals)?;
    pollster::block_on(async {
        let head = Head::new(&subject.model).await?;
        let run = Run {
            args: &args,
            subject: &subject,
            head,
            tokens,
            on,
            pair,
            clean,
        };
        let clean = run.outcome(&[], None).await?;
        let edited = run.with(run.basis(&lens)).await?;
        let random = run
            .with(Basis::Random {
                lens: &lens,
                seed: args.seed,
            })
            .await?;
        if args.json {
            println!("{}", run.document(&lens, &clean, &edited, &random));
        } else {
            run.print(&clean, &edited, &random);
        }
        Ok(())
    })
}

fn positions(at: &[usize], n: usize) -> Outcome<Vec<bool>> {
    if let Some(p) = at.iter().find(|p| **p >= n) {
        return Err(format!(
            "there is no position {p}: the prompt has positions 0 to {}",
            n - 1
        )
        .into());
    }
    Ok((0..n).map(|p| at.is_empty() || at.contains(&p)).collect())
}

impl Run<'_> {
    fn basis<'l>(&self, lens: &'l Lens) -> Basis<'l> {
        match self.args.vectors {
            Vectors::Jacobian => Basis::Jacobian(lens),
            Vectors::Logit => Basis::Logit,
        }
    }

    fn mode(&self) -> (Mode, &[u32]) {
        let strength = self.args.strength;
        match self.args.mode {
            How::Clamped => (Mode::SwapClamped, &self.pair),
            How::Live => (Mode::SwapLive, &self.pair),
            How::Project => (Mode::Project { strength }, &self.pair),
            How::Steer => (Mode::Steer { strength }, &self.pair),
            How::Ablate => (Mode::Ablate, &self.pair[..1]),
        }
    }

    async fn with(&self, basis: Basis<'_>) -> Outcome<Answer> {
        let (mode, pair) = self.mode();
        let (model, Band(first, last)) = (&self.subject.model, self.args.band);
        let directions = self
            .head
            .directions(model, basis, first..=last, pair, !self.args.raw)
            .await?;
        let prepared = prepare(model, &self.clean, &directions, mode, &self.on).await?;
        self.outcome(&prepared.edits.clone(), Some(prepared)).await
    }

    async fn outcome(
        &self,
        edits: &[Edit<f32>],
        prepared: Option<Prepared<f32>>,
    ) -> Outcome<Answer> {
        let (model, last) = (&self.subject.model, [self.tokens.len() - 1]);
        let trace = model.forward(&self.tokens, self.tokens.len(), edits, Keep::Residuals)?;
        let options = ReadOptions {
            top: self.args.top.max(1),
            positions: Some(&last),
            ..ReadOptions::default()
        };
        let mut readings = readout::output(model, &trace, options).await?;
        let stop = self.subject.words.id(".");
        Ok(Answer {
            words: readings.pop().unwrap_or_default().best,
            text: generate(model, &self.tokens, edits, self.args.generate, stop).await?,
            prepared,
        })
    }

    fn print(&self, clean: &Answer, edited: &Answer, random: &Answer) {
        let s = self.subject;
        if let Some(p) = &edited.prepared {
            if let Some(warning) = &p.warning {
                eprintln!("warning: {warning}");
            }
            for (i, cosine) in p.cosines.iter().enumerate() {
                let at = p.coordinates.get(i).map_or(String::new(), |[a, b]| {
                    format!(", coordinates at the last edited position {a:.2} {b:.2}")
                });
                println!("layer {}: cosine {cosine:.3}{at}", self.args.band.0 + i);
            }
        }
        for (name, result) in [
            ("clean", clean),
            ("edited", edited),
            ("random control", random),
        ] {
            let words: Vec<String> = result
                .words
                .iter()
                .map(|r| format!("{} {:.1} %", s.word(r.word), 100.0 * r.prob))
                .collect();
            println!("{name:<15} {}", words.join("   "));
            if !result.text.is_empty() {
                println!("{:<15} {}", "", self.text(result));
            }
        }
    }

    fn text(&self, result: &Answer) -> String {
        let words: Vec<&str> = result.text.iter().map(|&w| self.subject.word(w)).collect();
        words.join(" ")
    }

    fn document(&self, lens: &Lens, clean: &Answer, edited: &Answer, random: &Answer) -> Value {
        let (s, args) = (self.subject, self.args);
        let of = |r: &Answer| {
            json!({
                "words": list(s, &r.words), "text": self.text(r),
                "cosines": r.prepared.as_ref().map(|p| &p.cosines),
                "coordinates": r.prepared.as_ref().map(|p| &p.coordinates),
                "warning": r.prepared.as_ref().and_then(|p| p.warning.as_ref()),
            })
        };
        json!({
            "model": s.file.name, "weights_hash": s.weights_hash, "software": crate::SOFTWARE, "lens": lens.provenance,
            "tokens": self.tokens.iter().map(|&t| s.word(t)).collect::<Vec<_>>(),
            "source": args.source_word, "target": args.target_word, "band": [args.band.0, args.band.1],
            "vectors": format!("{:?}", args.vectors).to_lowercase(), "centred": !args.raw,
            "mode": format!("{:?}", args.mode).to_lowercase(), "strength": args.strength, "seed": args.seed,
            "clean": of(clean), "edited": of(edited), "random": of(random),
        })
    }
}
