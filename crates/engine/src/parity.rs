//! The golden fixtures, compared where the page runs: one reply per part.

use crate::error::Result;
use crate::protocol::{Parity, ParityRequest, Reply};
use crate::turn::Turn;
use parity::{Finding, Golden, Part, compare};
use transformer::{Model, Ops};

/// Largest error that counts as right (lens.md, correctness 2): relative for tensors, of log-probabilities for readouts.
const TOLERANCE: f64 = 1e-3;

/// Answers a parity request.
///
/// # Errors
/// A fixture that is damaged; those of the backend.
pub(crate) async fn answer<O: Ops + Clone>(
    ops: &O,
    request: ParityRequest,
    turn: &Turn,
    emit: &dyn Fn(Reply),
) -> Result<()> {
    let golden = Golden::read(&request.manifest, &request.family, request.fixture)?;
    let model = Model::new(ops.clone(), &golden.weights()?)?;
    for part in Part::ALL {
        let findings = compare(&golden, &model, part).await?;
        emit(Reply::Parity(summary(part, &findings)));
        turn.pass().await;
    }
    emit(Reply::ParityDone);
    Ok(())
}

fn summary(part: Part, findings: &[Finding]) -> Parity {
    let worst = findings.iter().max_by(|a, b| a.error.total_cmp(&b.error));
    Parity {
        part: part.name().to_owned(),
        compared: findings.len() as u32,
        // nothing compared is nothing right
        error: worst.map_or(f64::INFINITY, |w| w.error),
        worst: worst.map_or(String::new(), |w| w.what.clone()),
        tolerance: TOLERANCE,
        other_words: findings.iter().filter(|f| !f.same_words).count() as u32,
    }
}
