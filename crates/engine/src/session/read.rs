//! Both lenses over layers x positions.

use super::Session;
use crate::error::Result;
use crate::protocol::{Cell, Ranked, ReadRequest};
use lens::readout::{self, ReadOptions, Reading};
use transformer::{Keep, Ops};

/// All cells, layer-major, and the output at every position.
pub type ReadAnswer = (Vec<Cell>, Vec<Vec<Ranked>>);

impl<O: Ops> Session<O> {
    /// Answers a readout request.
    ///
    /// # Errors
    /// Bad tokens or tracked words, a lens that is not there; those of the backend.
    pub async fn read(&self, request: &ReadRequest) -> Result<ReadAnswer> {
        let (tokens, model) = (&request.tokens, &self.model);
        let lens = self.lens(request.targets)?;
        let trace = model.forward(tokens, tokens.len(), &[], Keep::Residuals)?;
        let layers: Vec<usize> = (0..=lens.target()).collect();
        let options = ReadOptions {
            top: request.top,
            tracked: &request.tracked,
            ..ReadOptions::default()
        };
        let logit = readout::read(model, &trace, None, &layers, options).await?;
        let jacobian = readout::read(model, &trace, Some(lens), &layers, options).await?;
        let output = readout::output(model, &trace, options).await?;
        let mut cells = Vec::with_capacity(layers.len() * tokens.len());
        for (layer, (logit, jacobian)) in logit.into_iter().zip(jacobian).enumerate() {
            for (position, pair) in logit.into_iter().zip(jacobian).enumerate() {
                cells.push(cell(layer, position, pair));
            }
        }
        let output = output.into_iter().map(|r| ranked(r.best)).collect();
        Ok((cells, output))
    }
}

fn cell(layer: usize, position: usize, (logit, jacobian): (Reading, Reading)) -> Cell {
    Cell {
        layer,
        position,
        logit: ranked(logit.best),
        jacobian: ranked(jacobian.best),
        logit_tracked: ranked(logit.tracked),
        jacobian_tracked: ranked(jacobian.tracked),
    }
}

/// The lens crate's lists as the protocol's.
pub(super) fn ranked(list: Vec<lens::Ranked>) -> Vec<Ranked> {
    list.into_iter().map(Ranked::from).collect()
}
