//! Jacobians of every estimator variant.

use crate::error::Result;
use crate::finding::Finding;
use crate::golden::Golden;
use lens::{Accumulator, FitOptions, Origin, PromptFit, Targets};
use transformer::{Model, Ops};

/// Rows per backward pass: uneven, as a fit within a memory budget takes them.
const ROWS: usize = 5;

/// The variants by the names of the golden tensors.
fn variants(g: &Golden) -> Result<[(&'static str, FitOptions); 5]> {
    let options = g.options()?;
    let with = |targets| FitOptions {
        targets,
        ..options.clone()
    };
    Ok([
        ("all", options.clone()),
        ("same", with(Targets::Same)),
        ("future", with(Targets::Future)),
        (
            "frozen",
            FitOptions {
                frozen: true,
                ..options.clone()
            },
        ),
        (
            "penultimate",
            FitOptions {
                target: Some(g.config.n_layers - 1),
                ..options.clone()
            },
        ),
    ])
}

pub(crate) async fn compare<O: Ops>(g: &Golden, model: &Model<O>) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for (name, options) in variants(g)? {
        let estimator = options.resolve(&g.config)?;
        let mut mean = Accumulator::mean(estimator.clone());
        let mut median = Accumulator::median(estimator.clone(), 1 << 20);
        for p in 0..3 {
            let Some(fit) = PromptFit::new(model, &estimator, ROWS, &g.prompt(p)?)? else {
                return Err(g.lacks("skip_first", "leaves a prompt without positions"));
            };
            let fitted = fit.finish().await?;
            for (l, j) in &fitted.layers {
                let golden = g.numbers(&format!("J.{name}.prompt{p}.{l}"))?;
                let what = format!("J.{name}, prompt {p}, state {l}");
                findings.push(Finding::of(what, j, &golden));
            }
            mean.add(&fitted)?;
            median.add(&fitted)?;
        }
        for (reduction, sum) in [("mean", mean), ("median", median)] {
            let lens = sum.finish(&Origin::default())?;
            for l in 0..estimator.target {
                let golden = g.numbers(&format!("J.{name}.{reduction}.{l}"))?;
                // a state that the lens lacks is as wrong as can be
                let j = lens.layers.get(&l).map_or(&[][..], Vec::as_slice);
                let what = format!("J.{name}, {reduction}, state {l}");
                findings.push(Finding::of(what, j, &golden));
            }
        }
    }
    Ok(findings)
}
