//! A reader's own lens as a file, and back.

use super::{SKIP_FIRST, Session, sentence};
use crate::error::{Error, Result};
use crate::protocol::{OwnLens, Targets};
use formats::Subject;
use formats::{LensFile, Precision, Provenance};
use lens::Reduction;
use transformer::Ops;

/// Sentences that are looked at for the longest one; more are not fitted in a tab.
const MOST: u32 = 10_000;

impl<O: Ops> Session<O> {
    /// Answers a request to write a lens: safetensors in f32, with its provenance in the header.
    ///
    /// # Errors
    /// Jacobians of the wrong size or number; no shipped lens, which names the model's hashes.
    pub fn write_lens(&self, own: OwnLens) -> Result<Vec<u8>> {
        let provenance = self.provenance_of(&own)?;
        let file = LensFile {
            provenance,
            d_model: self.info.d_model,
            jacobians: own.jacobians.into_iter().enumerate().collect(),
        };
        file.write(Precision::F32).map_err(of_file)
    }

    /// Answers a request to open a lens file.
    ///
    /// # Errors
    /// Whatever is wrong with the file; a lens of another width or depth; one that does not hold the layers 0 .. target.
    pub fn open_lens(&self, bytes: &[u8]) -> Result<OwnLens> {
        let file = LensFile::read(bytes).map_err(of_file)?;
        let model = &self.template()?;
        let subject = Subject {
            d_model: self.info.d_model,
            n_layers: self.info.n_layers,
            weights_hash: &model.weights_hash,
            vocabulary_hash: &model.vocabulary_hash,
        };
        let warnings = file.check(&subject).map_err(of_file)?;
        let from = file.provenance;
        if !file.jacobians.keys().copied().eq(0..from.target_layer) {
            let has: Vec<usize> = file.jacobians.into_keys().collect();
            let why = format!(
                "must hold layers 0 to {}, it holds {has:?}",
                from.target_layer - 1
            );
            return Err(Error::request("lens file", why));
        }
        Ok(OwnLens {
            targets: Targets::from(from.positions),
            frozen: from.frozen_attention,
            median: from.reduction == Reduction::Median,
            prompts: from.prompts_used as u32,
            skipped: from.prompts_skipped as u32,
            seed: 0,
            corpus: from.corpus,
            date: from.date,
            jacobians: file.jacobians.into_values().collect(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
        })
    }

    /// The provenance of any shipped lens.
    pub(super) fn template(&self) -> Result<Provenance> {
        let shipped = self.lenses.values().next();
        Ok(shipped
            .ok_or(Error::NoLens(Targets::All))?
            .provenance
            .clone())
    }

    fn provenance_of(&self, own: &OwnLens) -> Result<Provenance> {
        let sentences = own.prompts.saturating_add(own.skipped).min(MOST);
        let tokens = |k| sentence(&self.vocabulary, own.seed, k).len();
        let longest = (0..sentences).map(tokens).max().unwrap_or(0);
        Ok(Provenance {
            corpus: format!(
                "small world, first {sentences} sentences of seed {}",
                own.seed
            ),
            corpus_hash: String::new(),
            prompts_used: own.prompts.into(),
            prompts_skipped: own.skipped.into(),
            tokens_per_prompt: longest.min(self.info.max_context),
            skip_first: SKIP_FIRST,
            target_layer: own.jacobians.len(),
            positions: lens::Targets::from(own.targets),
            frozen_attention: own.frozen,
            reduction: match own.median {
                true => Reduction::Median,
                false => Reduction::Mean,
            },
            engine: "browser, cpu".into(),
            precision: "f32, sums in f64".into(),
            software: concat!("jlens ", env!("CARGO_PKG_VERSION")).into(),
            date: own.date.clone(),
            ..self.template()?
        })
    }
}

fn of_file(source: formats::Error) -> Error {
    Error::File {
        file: "lens".into(),
        source,
    }
}
