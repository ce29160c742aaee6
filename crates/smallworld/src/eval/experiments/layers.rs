//! Layer by layer over corpus text: where the two lenses agree, and how few sentences the lens needs.

use crate::error::Result;
use crate::eval::bench::{Bench, Entry};
use crate::eval::fitting::fit;
use crate::eval::stats::Share;
use crate::{Generator, Vocabulary};
use lens::statistics::cosine;
use lens::{Lens, Origin, ReadOptions, Targets};
use pollster::block_on;
use transformer::Keep;

/// Seed of the text; used for nothing else.
const TEXT_SEED: u64 = 778;
/// Layer whose convergence is shown.
const LAYER: usize = 2;
/// Single sentences drawn.
const SENTENCES: usize = 40;

pub fn run(bench: &Bench) -> Result<Vec<Entry>> {
    let mut entries = agreement(bench)?;
    entries.extend(convergence(bench)?);
    Ok(entries)
}

/// Share of positions at which the full lens and the logit lens name the same word first, and at which the full lens names the
/// model's final word.
fn agreement(bench: &Bench) -> Result<Vec<Entry>> {
    let layers: Vec<usize> = (0..=bench.model.config.n_layers).collect();
    let (mut same, mut last, mut n) = (vec![0; layers.len()], vec![0; layers.len()], 0);
    for window in Generator::new(TEXT_SEED).windows(&bench.words, 10, 64) {
        let trace = bench
            .model
            .forward(&window, window.len(), &[], Keep::Residuals)?;
        let positions: Vec<usize> = (8..window.len()).collect();
        let options = ReadOptions {
            top: 1,
            positions: Some(&positions),
            ..ReadOptions::default()
        };
        let read = |lens| {
            block_on(lens::readout::read(
                bench.model,
                &trace,
                lens,
                &layers,
                options,
            ))
        };
        let (full, logit) = (read(bench.full.lens.as_ref())?, read(None)?);
        let first = |readings: &[lens::Reading], i: usize| readings[i].best.first().map(|b| b.word);
        for i in 0..positions.len() {
            for layer in 0..layers.len() {
                let seen = first(&full[layer], i);
                same[layer] += usize::from(seen == first(&logit[layer], i));
                last[layer] += usize::from(seen == first(&full[layers.len() - 1], i));
            }
        }
        n += positions.len();
    }
    let row = |name: &str, hits: &[usize]| -> Vec<Entry> {
        let one = |(layer, &hits): (usize, &usize)| {
            Entry::share(format!("{name}.layer{layer}"), Share::of(hits, n))
        };
        hits.iter().enumerate().map(one).collect()
    };
    Ok([row("agree.logit", &same), row("agree.output", &last)].concat())
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
            entries.push(Entry::mean(
                format!("convergence.{name}.n{n}"),
                average,
                cosines.len(),
            ));
        }
    }
    Ok(entries)
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
