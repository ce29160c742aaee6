//! Residual states and logits.

use crate::error::Result;
use crate::finding::Finding;
use crate::golden::Golden;
use transformer::model::Trace;
use transformer::{Keep, Model, Ops};

pub(crate) async fn compare<O: Ops>(g: &Golden, model: &Model<O>) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for p in 0..3 {
        let tokens = g.prompt(p)?;
        let trace = model.forward(&tokens, tokens.len(), &[], Keep::Residuals)?;
        whole_pass(g, model, &trace, &format!("prompt{p}"), &mut findings).await?;
    }
    Ok(findings)
}

/// Every state and the logits of a pass against the golden `{name}.residuals` and `{name}.logits`.
pub(crate) async fn whole_pass<O: Ops>(
    g: &Golden,
    model: &Model<O>,
    trace: &Trace<O::Buf>,
    name: &str,
    findings: &mut Vec<Finding>,
) -> Result<()> {
    let golden = g.numbers(&format!("{name}.residuals"))?;
    let states = golden.chunks_exact(trace.tokens.len() * g.config.d_model);
    for (l, golden) in states.enumerate() {
        // a state that the pass lacks is as wrong as can be
        let got = match trace.residuals.get(l) {
            Some(state) => model.ops.read(state).await?,
            None => Vec::new(),
        };
        findings.push(Finding::of(format!("{name}, state {l}"), &got, golden));
    }
    let logits = model.logits(&trace.residuals[g.config.n_layers]);
    let got = model.ops.read(&logits).await?;
    let golden = g.numbers(&format!("{name}.logits"))?;
    findings.push(Finding::of(format!("{name}, logits"), &got, &golden));
    Ok(())
}
