//! Reading through a tuned lens that comes with the request.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{Said, TunedReading, TunedRequest};
use formats::Subject;
use formats::TunedFile;
use lens::Affine;
use lens::readout::{ReadOptions, read_affine};
use transformer::{Keep, Ops};

impl<O: Ops> Session<O> {
    /// Answers a request for a reading through a tuned lens.
    ///
    /// # Errors
    /// A file that is not one, or of a model of another shape; bad tokens or words; those of the backend.
    pub async fn read_tuned(&self, request: &TunedRequest) -> Result<TunedReading> {
        let named = |source| Error::File {
            file: "tuned lens".into(),
            source,
        };
        let file = TunedFile::read(&request.lens).map_err(named)?;
        let (tokens, model) = (&request.tokens, &self.model);
        let own = self.template()?;
        let subject = Subject {
            d_model: model.config.d_model,
            n_layers: model.config.n_layers,
            weights_hash: &own.weights_hash,
            vocabulary_hash: &own.vocabulary_hash,
        };
        let warnings = file.check(&subject).map_err(named)?;
        let trace = model.forward(tokens, tokens.len(), &[], Keep::Residuals)?;
        let maps: Vec<(usize, &Affine)> = file.maps.iter().map(|(&l, map)| (l, map)).collect();
        let options = ReadOptions {
            top: request.top,
            tracked: &request.tracked,
            ..ReadOptions::default()
        };
        let read = read_affine(model, &trace, &maps, options).await?;
        let p = file.provenance;
        Ok(TunedReading {
            layers: file.maps.keys().copied().collect(),
            cells: read.into_iter().flatten().map(Said::from).collect(),
            divergence: p.divergence.iter().map(|&x| x as f32).collect(),
            corpus: p.corpus,
            warnings: warnings.iter().map(ToString::to_string).collect(),
        })
    }
}
