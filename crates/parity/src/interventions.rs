//! Swaps, projection, steering, ablation: every state and the logits of the edited run.

use crate::error::Result;
use crate::finding::Finding;
use crate::forward::whole_pass;
use crate::golden::{Golden, whole};
use lens::intervene::{Mode, mean_norm, prepare};
use lens::vectors::Directions;
use lens::{Basis, Head};
use transformer::model::Trace;
use transformer::{Keep, Model, Ops};

/// One case of the manifest.
struct Case<'a> {
    name: &'static str,
    mode: Mode,
    words: &'a [u32],
    centred: bool,
    on: &'a [bool],
}

/// What the manifest says about the interventions.
struct Parameters<'g> {
    g: &'g Golden,
}

impl Parameters<'_> {
    fn lacks(&self, field: &str, why: &str) -> crate::Error {
        self.g.lacks(&format!("interventions.{field}"), why)
    }

    fn word(&self, field: &str) -> Result<u32> {
        let word = whole(&self.g.entry["interventions"][field]);
        word.and_then(|w| u32::try_from(w).ok())
            .ok_or_else(|| self.lacks(field, "expected a token id"))
    }

    fn strength(&self, field: &str) -> Result<f64> {
        let number = self.g.entry["interventions"][field].as_f64();
        number.ok_or_else(|| self.lacks(field, "expected a number"))
    }

    fn list<T>(
        &self,
        field: &str,
        read: impl Fn(&serde_json::Value) -> Option<T>,
    ) -> Result<Vec<T>> {
        let list = self.g.entry["interventions"][field].as_array();
        let read = list.and_then(|list| list.iter().map(read).collect());
        read.ok_or_else(|| self.lacks(field, "expected a list"))
    }
}

pub(crate) async fn compare<O: Ops>(g: &Golden, model: &Model<O>) -> Result<Vec<Finding>> {
    let parameters = Parameters { g };
    let tokens = g.prompt(0)?;
    let clean = model.forward(&tokens, tokens.len(), &[], Keep::Residuals)?;
    let words = [parameters.word("source")?, parameters.word("target")?];
    let everywhere = vec![true; tokens.len()];
    let mut some = vec![false; tokens.len()];
    for p in parameters.list("some_positions", whole)? {
        let on = some.get_mut(p);
        *on.ok_or_else(|| parameters.lacks("some_positions", "has one beyond the prompt"))? = true;
    }
    let cases = cases(&parameters, &words, &everywhere, &some)?;
    if parameters.list("cases", |_| Some(()))?.len() != cases.len() {
        return Err(parameters.lacks("cases", "has cases that are not compared"));
    }
    let mut findings = Vec::new();
    for case in cases {
        edited(g, model, &clean, &case, &mut findings).await?;
    }
    let norms = parameters.list("mean_residual_norms", serde_json::Value::as_f64)?;
    for (l, golden) in norms.into_iter().enumerate() {
        let got = mean_norm(model, &clean, l).await?;
        let what = format!("mean norm of state {l}");
        findings.push(Finding::of(what, &[got], &[golden as f32]));
    }
    Ok(findings)
}

fn cases<'a>(
    parameters: &Parameters<'_>,
    words: &'a [u32; 2],
    everywhere: &'a [bool],
    some: &'a [bool],
) -> Result<Vec<Case<'a>>> {
    let project = Mode::Project {
        strength: parameters.strength("projection_amount")?,
    };
    let steer = Mode::Steer {
        strength: parameters.strength("steer_alpha")?,
    };
    let case = |name, mode, words, centred, on| Case {
        name,
        mode,
        words,
        centred,
        on,
    };
    let (one, two) = (&words[..1], &words[..]);
    Ok(vec![
        case(
            "swap.clamped.centred",
            Mode::SwapClamped,
            two,
            true,
            everywhere,
        ),
        case(
            "swap.clamped.raw",
            Mode::SwapClamped,
            two,
            false,
            everywhere,
        ),
        case(
            "swap.clamped.centred.some_positions",
            Mode::SwapClamped,
            two,
            true,
            some,
        ),
        case("swap.live.centred", Mode::SwapLive, two, true, everywhere),
        case("swap.projection.centred", project, two, true, everywhere),
        case("steer.centred", steer, one, true, everywhere),
        case("ablate.one.centred", Mode::Ablate, one, true, everywhere),
        case("ablate.two.centred", Mode::Ablate, two, true, everywhere),
    ])
}

async fn directions<O: Ops>(
    g: &Golden,
    model: &Model<O>,
    case: &Case<'_>,
) -> Result<Directions<O::S>> {
    let band = Parameters { g }.list("band", whole)?;
    let lens = g.lens()?;
    let head = Head::new(model).await?;
    let basis = Basis::Jacobian(&lens);
    Ok(head
        .directions(model, basis, band, case.words, case.centred)
        .await?)
}

async fn edited<O: Ops>(
    g: &Golden,
    model: &Model<O>,
    clean: &Trace<O::Buf>,
    case: &Case<'_>,
    findings: &mut Vec<Finding>,
) -> Result<()> {
    let along = directions(g, model, case).await?;
    let edits = prepare(model, clean, &along, case.mode, case.on)
        .await?
        .edits;
    let trace = model.forward(&clean.tokens, clean.seq, &edits, Keep::Residuals)?;
    whole_pass(g, model, &trace, case.name, findings).await
}
