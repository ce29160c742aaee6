//! What is estimated: the variants of the lens, one code path.

use crate::error::{Error, Result};
use formats::lens_file::Positions as Targets;
use serde::{Deserialize, Serialize};
use transformer::{Config, Paths};

/// A wish; [`FitOptions::resolve`] turns it into an [`Estimator`] for a model.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// Layer that the lens leads to; `None` is the last.
    pub target: Option<usize>,
    /// Which target positions are summed.
    pub targets: Targets,
    /// No gradient through queries and keys: the attention pattern is a constant.
    pub frozen: bool,
    /// First valid position.
    pub skip_first: usize,
    /// Source layers; `None` is every layer below the target.
    pub sources: Option<Vec<usize>>,
    /// Cotangent rows per backward pass; `None` lets [`super::plan_memory`] choose.
    pub row_chunk: Option<usize>,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            target: None,
            targets: Targets::All,
            frozen: false,
            skip_first: 1,
            sources: None,
            row_chunk: None,
        }
    }
}

/// A checked estimator for one shape of model. Fits of equal estimators can be merged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimator {
    /// Width of the residual stream.
    pub d: usize,
    /// Layer that the lens leads to.
    pub target: usize,
    /// Source layers, ascending, below the target.
    pub sources: Vec<usize>,
    /// Which target positions are summed.
    pub targets: Targets,
    /// No gradient through queries and keys.
    pub frozen: bool,
    /// First valid position.
    pub skip_first: usize,
}

impl FitOptions {
    /// Checks the options against a model.
    ///
    /// # Errors
    /// [`Error::Option`] names the option and what would be right.
    pub fn resolve(&self, config: &Config) -> Result<Estimator> {
        let bad = |option, why| Err(Error::Option { option, why });
        let last = config.n_layers;
        let target = self.target.unwrap_or(last);
        if target == 0 || target > last {
            return bad(
                "target layer",
                format!("is {target}; this model's lenses lead to a layer from 1 to {last}"),
            );
        }
        let mut sources = self
            .sources
            .clone()
            .unwrap_or_else(|| (0..target).collect());
        sources.sort_unstable();
        sources.dedup();
        match sources.last() {
            None => return bad("source layers", "are none; give at least one".into()),
            Some(&top) if top >= target => {
                return bad(
                    "source layers",
                    format!("include {top}, which does not lie below the target layer {target}"),
                );
            }
            Some(_) => {}
        }
        if self.row_chunk == Some(0) {
            return bad("row chunk", "is 0; give at least 1 row".into());
        }
        Ok(Estimator {
            d: config.d_model,
            target,
            sources,
            targets: self.targets,
            frozen: self.frozen,
            skip_first: self.skip_first,
        })
    }
}

impl Estimator {
    /// Which of a prompt's `t` positions count.
    pub fn valid(&self, t: usize) -> Vec<bool> {
        (0..t).map(|n| n >= self.skip_first && n + 1 < t).collect()
    }

    /// The backward passes that it needs: future only is everything minus the same position.
    pub(crate) fn passes(&self) -> Vec<Paths> {
        let paths = |others| Paths {
            pattern: !self.frozen,
            others,
        };
        match self.targets {
            Targets::All => vec![paths(true)],
            Targets::Same => vec![paths(false)],
            Targets::Future => vec![paths(true), paths(false)],
        }
    }
}
