//! Layer by layer over corpus text: where the two lenses agree, and how few sentences the lens needs.

use crate::error::Result;
use crate::eval::bench::{Bench, Entry};
use crate::eval::fitting::fit;
use crate::eval::stats::Share;
use crate::world::experiments::{self, TEXT_SEED, TEXT_SKIP};
use crate::{Generator, Vocabulary};
use lens::layers::{Sums, compare};
use lens::statistics::cosine;
use lens::{Lens, Origin, Targets};
use pollster::block_on;
use transformer::Keep;

/// Layer whose convergence is shown.
const LAYER: usize = 2;
/// Single sentences drawn.
const SENTENCES: usize = 40;

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let mut entries = agreement(bench)?;
    entries.extend(convergence(bench)?);
    Ok(entries)
}

/// Per lens and layer, over text: the share of positions at which it and the logit lens name the same word first, at which each
/// names the model's final word, and the mean entropy of both readouts in bits.
fn agreement(bench: &Bench) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (name, looking) in [("full", &bench.full), ("future", &bench.future)] {
        if let Some(lens) = &looking.lens {
            entries.extend(agreement_of(bench, name, lens)?);
        }
    }
    Ok(entries)
}

fn agreement_of(bench: &Bench, name: &str, lens: &Lens) -> Result<Vec<Entry>> {
    let mut sums: Vec<Sums> = Vec::new();
    for window in experiments::text(&bench.words) {
        let trace = bench
            .model
            .forward(&window, window.len(), &[], Keep::Residuals)?;
        let positions: Vec<usize> = (TEXT_SKIP..window.len()).collect();
        block_on(compare(bench.model, &trace, lens, &positions, &mut sums))?;
    }
    let mut entries = Vec::new();
    let share = |hits, n| Share::of(hits, n);
    for (layer, sum) in sums.iter().enumerate() {
        let id = format!("agree.{name}.logit.layer{layer}");
        entries.push(Entry::share(id, share(sum.agree, sum.n)));
    }
    for (layer, sum) in sums.iter().enumerate() {
        let [lens, logit] = sum.output.map(|hits| share(hits, sum.n));
        entries.push(Entry::against(
            format!("agree.{name}.output.layer{layer}"),
            lens,
            logit,
        ));
    }
    for (layer, sum) in sums.iter().enumerate() {
        let [lens, logit] = sum.entropy.map(|bits| bits / sum.n as f64);
        let mut entry = Entry::mean(format!("entropy.{name}.layer{layer}"), lens, sum.n);
        entry.baseline = Some(logit);
        entries.push(entry);
    }
    Ok(entries)
}

/// Cosine between the lens of n single sentences and that of 100 windows, mean over draws of sentences.
fn convergence(bench: &Bench) -> Result<Vec<Entry>> {
    let sentences = sentences(&bench.words, SENTENCES)?;
    let mut entries = Vec::new();
    for (name, looking, targets) in [
        ("full", &bench.full, Targets::All),
        ("future", &bench.future, Targets::Future),
    ] {
        let Some(lens) = &looking.lens else { continue };
        let reference = lens.jacobian(LAYER)?.unwrap_or_default();
        let mut single = Vec::with_capacity(sentences.len());
        for sentence in &sentences {
            let one = std::slice::from_ref(sentence);
            single.push(fit(bench.model, one, targets, 1, 1, &Origin::default())?);
        }
        for n in [1, 5, 20] {
            let groups = single.chunks_exact(n);
            let cosines = groups.map(|group| Ok(cosine(&mean(group, reference.len())?, reference)));
            let cosines = cosines.collect::<Result<Vec<f64>>>()?;
            let average = cosines.iter().sum::<f64>() / cosines.len() as f64;
            let id = format!("convergence.{name}.n{n}");
            let mut entry = Entry::mean(id, average, cosines.len());
            entry.baseline = Some(cosine(&identity(lens.d), reference));
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// What the logit lens takes J for.
fn identity(d: usize) -> Vec<f32> {
    (0..d * d).map(|i| f32::from(i % (d + 1) == 0)).collect()
}

/// Mean Jacobian of some lenses.
fn mean(lenses: &[Lens], size: usize) -> Result<Vec<f32>> {
    let mut mean = vec![0.0f32; size];
    for lens in lenses {
        let jacobian = lens.jacobian(LAYER)?.unwrap_or_default();
        let share = lenses.len() as f32;
        mean.iter_mut()
            .zip(jacobian)
            .for_each(|(m, j)| *m += j / share);
    }
    Ok(mean)
}

/// Single documents of 8 to 40 tokens.
fn sentences(words: &Vocabulary, count: usize) -> Result<Vec<Vec<u32>>> {
    let mut generator = Generator::new(TEXT_SEED);
    let mut sentences = Vec::with_capacity(count);
    while sentences.len() < count {
        let sentence = words.encode(&format!("<s> {}", generator.document()))?;
        if (8..=40).contains(&sentence.len()) {
            sentences.push(sentence);
        }
    }
    Ok(sentences)
}
