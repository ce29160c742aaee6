//! The tuned lens, trained on the text that the Jacobian lenses are fitted on; the mathematics is [`lens::tuned`].

use super::fitting;
use super::reads::Ranks;
use crate::dice::Dice;
use crate::error::Result;
use lens::readout::{ReadOptions, read_affine};
use lens::tuned::{Material, Training, divergence, train};
use lens::{Affine, TunedFile, TunedProvenance};
use pollster::block_on;
use transformer::{Cpu, Keep, Model};

/// Trains on these prompts, with this project's random choices.
///
/// # Errors
/// Those of the training.
pub fn tuned(
    model: &Model<Cpu>,
    prompts: &[Vec<u32>],
    training: Training,
    mut provenance: TunedProvenance,
    mut progress: impl FnMut(usize, f64),
) -> Result<TunedFile> {
    let material = block_on(Material::collect(model, prompts, training.skip))?;
    provenance.prompts = prompts.len() as u64;
    provenance.positions = material.positions() as u64;
    provenance.steps = training.steps as u64;
    provenance.batch = training.batch as u64;
    provenance.rate = training.rate;
    provenance.divergence.clear();
    let mut maps = std::collections::BTreeMap::new();
    for layer in 0..material.layers() {
        let mut dice = Dice::new("tuned lens", layer as u64, 0);
        let map = block_on(train(model, &material, layer, training, |n| dice.below(n)))?;
        let left = block_on(divergence(model, &material, layer, &map))?;
        progress(layer, left);
        provenance.divergence.push((left * 1e4).round() / 1e4);
        maps.insert(layer, map);
    }
    Ok(TunedFile {
        provenance,
        d_model: model.config.d_model,
        maps,
    })
}

/// Trains on the text that the lenses are fitted on.
///
/// # Errors
/// As [`tuned`].
pub fn standard(model: &Model<Cpu>) -> Result<TunedFile> {
    let provenance = TunedProvenance::default();
    tuned(
        model,
        &fitting::windows(),
        Training::default(),
        provenance,
        |_, _| (),
    )
}

/// As [`super::reads::ranks`], through this lens.
///
/// # Errors
/// Those of the lens crate.
pub fn ranks(
    model: &Model<Cpu>,
    lens: &TunedFile,
    prompts: &[Vec<u32>],
    words: &[u32],
    tail: usize,
) -> Result<Ranks> {
    let maps: Vec<(usize, &Affine)> = lens.maps.iter().map(|(&l, map)| (l, map)).collect();
    let mut all = Vec::with_capacity(prompts.len());
    for (prompt, &word) in prompts.iter().zip(words) {
        let trace = model.forward(prompt, prompt.len(), &[], Keep::Residuals)?;
        let positions: Vec<usize> = (prompt.len().saturating_sub(tail)..prompt.len()).collect();
        let options = ReadOptions {
            top: 1,
            tracked: &[word],
            positions: Some(&positions),
            ..ReadOptions::default()
        };
        let layers = block_on(read_affine(model, &trace, &maps, options))?;
        let rank = |layer: Vec<lens::Reading>| -> Vec<u32> {
            layer
                .iter()
                .filter_map(|r| r.tracked.first())
                .map(|r| r.rank)
                .collect()
        };
        all.push(layers.into_iter().map(rank).collect());
    }
    Ok(all)
}
