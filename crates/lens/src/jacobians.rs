//! A lens in memory.

use crate::error::{Error, Result};
use crate::fit::Estimator;
use formats::LensFile;
use formats::lens_file::{Positions as Targets, Provenance, Reduction};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// One Jacobian per source layer; the target layer itself is the identity and is not stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Lens {
    /// Width of the residual stream, D.
    pub d: usize,
    /// Residual state -> J `[D, D]`, row-major, rows = coordinates of the target layer.
    pub layers: BTreeMap<usize, Vec<f32>>,
    /// Where it came from; `target_layer` is a residual state.
    pub provenance: Provenance,
}

/// What a fit cannot know of itself; empty where unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name of the model.
    pub model: String,
    /// Hash of its weights.
    pub weights_hash: String,
    /// Hash of its word list.
    pub vocabulary_hash: String,
    /// Name of the text.
    pub corpus: String,
    /// Hash of the text.
    pub corpus_hash: String,
    /// What computed it, e.g. `cpu`.
    pub engine: String,
    /// In which numbers.
    pub precision: String,
    /// Program and version.
    pub software: String,
    /// Day.
    pub date: String,
}

impl Origin {
    /// The full provenance of a fit.
    pub(crate) fn provenance(
        &self,
        e: &Estimator,
        reduction: Reduction,
        used: u64,
        skipped: u64,
        longest: usize,
    ) -> Provenance {
        let o = self.clone();
        Provenance {
            model: o.model,
            weights_hash: o.weights_hash,
            vocabulary_hash: o.vocabulary_hash,
            corpus: o.corpus,
            corpus_hash: o.corpus_hash,
            prompts_used: used,
            prompts_skipped: skipped,
            tokens_per_prompt: longest,
            skip_first: e.skip_first,
            target_layer: e.target,
            positions: e.targets,
            frozen_attention: e.frozen,
            reduction,
            engine: o.engine,
            precision: o.precision,
            software: o.software,
            date: o.date,
        }
    }
}

impl Lens {
    /// The layer that it leads to.
    pub fn target(&self) -> usize {
        self.provenance.target_layer
    }

    /// J of a layer; `None` for the target, whose J is the identity.
    ///
    /// # Errors
    /// [`Error::NoLayer`].
    pub fn jacobian(&self, layer: usize) -> Result<Option<&[f32]>> {
        match self.layers.get(&layer) {
            Some(j) => Ok(Some(j)),
            None if layer == self.target() => Ok(None),
            None => Err(Error::NoLayer {
                layer,
                has: self.layers.keys().copied().collect(),
                target: self.target(),
            }),
        }
    }

    /// `all - same = future`: what a lens says beyond another one of the same model and target. Only this difference has a
    /// name, so only this one is computed.
    ///
    /// # Errors
    /// [`Error::Combine`] for lenses of other kinds, targets, layers or texts, or that were fitted in another way.
    pub fn future(all: &Self, same: &Self) -> Result<Self> {
        fit_together(all, same)?;
        let minus = |(l, a): (&usize, &Vec<f32>)| {
            let j = a.iter().zip(&same.layers[l]).map(|(a, s)| a - s).collect();
            (*l, j)
        };
        Ok(Self {
            d: all.d,
            layers: all.layers.iter().map(minus).collect(),
            provenance: Provenance {
                positions: Targets::Future,
                ..all.provenance.clone()
            },
        })
    }
}

/// Refuses what is not `all` and `same` of one fit.
fn fit_together(all: &Lens, same: &Lens) -> Result<()> {
    let (a, s) = (&all.provenance, &same.provenance);
    let layers = |lens: &Lens| lens.layers.keys().copied().collect::<Vec<_>>();
    equal("targets", &a.positions, &Targets::All)?;
    equal("targets", &s.positions, &Targets::Same)?;
    equal("width", &all.d, &same.d)?;
    equal("the target layer", &a.target_layer, &s.target_layer)?;
    equal("the list of layers", &layers(all), &layers(same))?;
    equal("frozen attention", &a.frozen_attention, &s.frozen_attention)?;
    equal("mean or median", &a.reduction, &Reduction::Mean)?;
    equal("mean or median", &s.reduction, &Reduction::Mean)?;
    equal("the model's weights", &a.weights_hash, &s.weights_hash)?;
    equal("the text", &a.corpus_hash, &s.corpus_hash)?;
    // Of the same text, but another estimate: the difference would be one of two samples as well.
    equal("skip_first", &a.skip_first, &s.skip_first)?;
    equal("prompts_used", &a.prompts_used, &s.prompts_used)?;
    equal(
        "tokens_per_prompt",
        &a.tokens_per_prompt,
        &s.tokens_per_prompt,
    )
}

fn equal<T: PartialEq + Debug>(what: &'static str, left: &T, right: &T) -> Result<()> {
    if left == right {
        return Ok(());
    }
    Err(Error::Combine {
        what,
        left: format!("{left:?}"),
        right: format!("{right:?}"),
    })
}

impl From<LensFile> for Lens {
    fn from(file: LensFile) -> Self {
        Self {
            d: file.d_model,
            layers: file.jacobians,
            provenance: file.provenance,
        }
    }
}

impl From<Lens> for LensFile {
    fn from(lens: Lens) -> Self {
        Self {
            provenance: lens.provenance,
            d_model: lens.d,
            jacobians: lens.layers,
        }
    }
}
