//! Layer by layer: what a lens and the logit lens say of the same states.

use crate::error::Result;
use crate::jacobians::Lens;
use crate::readout::{ReadOptions, Reading, check_width, read, square};
use transformer::model::Trace;
use transformer::ops::real::Real;
use transformer::{Model, Ops};

/// Sums over positions at one layer; `[lens, logit lens]` where there are two.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Positions.
    pub n: usize,
    /// Both lenses name the same word first.
    pub agree: usize,
    /// The first word is the model's own next word.
    pub output: [usize; 2],
    /// Entropy of the readout, in bits.
    pub entropy: [f64; 2],
}

/// Compares a lens with the logit lens at some positions of a trace, at every layer 0 ..= L, and adds to `sums`.
///
/// # Errors
/// As [`read`].
pub async fn compare<O: Ops>(
    model: &Model<O>,
    trace: &Trace<O::Buf>,
    lens: &Lens,
    positions: &[usize],
    sums: &mut Vec<Sums>,
) -> Result<()> {
    let layers: Vec<usize> = (0..=model.config.n_layers).collect();
    let options = ReadOptions {
        top: 1,
        positions: Some(positions),
        ..ReadOptions::default()
    };
    let through = read(model, trace, Some(lens), &layers, options).await?;
    let logit = read(model, trace, None, &layers, options).await?;
    let first = |readings: &[Reading], i: usize| readings[i].best.first().map(|best| best.word);
    sums.resize(layers.len(), Sums::default());
    let last = layers.len() - 1;
    for (layer, sum) in sums.iter_mut().enumerate() {
        for i in 0..positions.len() {
            let (a, b) = (first(&through[layer], i), first(&logit[layer], i));
            let said = first(&logit[last], i);
            sum.agree += usize::from(a == b);
            sum.output[0] += usize::from(a == said);
            sum.output[1] += usize::from(b == said);
        }
        sum.n += positions.len();
        sum.entropy[0] += entropy(model, trace, Some(lens), layer, positions).await?;
        sum.entropy[1] += entropy(model, trace, None, layer, positions).await?;
    }
    Ok(())
}

/// Entropy of a readout in bits, summed over positions.
async fn entropy<O: Ops>(
    model: &Model<O>,
    trace: &Trace<O::Buf>,
    lens: Option<&Lens>,
    layer: usize,
    positions: &[usize],
) -> Result<f64> {
    let d = model.config.d_model;
    let rows: Vec<u32> = positions.iter().map(|&p| p as u32).collect();
    let mut h = model.ops.embed(&trace.residuals[layer], &rows, d);
    if let Some(lens) = lens {
        check_width(lens, d)?;
        if let Some(j) = lens.jacobian(layer)? {
            h = model.ops.linear(&h, &square(&model.ops, j, d));
        }
    }
    let logits = model.ops.read(&model.logits(&h)).await?;
    Ok(logits.chunks_exact(model.config.vocab).map(bits).sum())
}

/// Entropy of softmax(logits) in bits.
fn bits<S: Real>(logits: &[S]) -> f64 {
    let top = logits
        .iter()
        .map(|x| x.wide())
        .fold(f64::NEG_INFINITY, f64::max);
    let (mut z, mut weighted) = (0.0, 0.0);
    for x in logits {
        let below = x.wide() - top;
        z += below.exp();
        weighted += below * below.exp();
    }
    (z.ln() - weighted / z) / std::f64::consts::LN_2
}

/// The best rank (0 = first) of a word over the last `tail` positions, at every layer 0 ..= L. No lens: the logit lens.
///
/// # Errors
/// As [`read`].
pub async fn best_ranks<O: Ops>(
    model: &Model<O>,
    trace: &Trace<O::Buf>,
    lens: Option<&Lens>,
    words: &[u32],
    tail: usize,
) -> Result<Vec<Vec<u32>>> {
    let layers: Vec<usize> = (0..=model.config.n_layers).collect();
    let n = trace.tokens.len();
    let positions: Vec<usize> = (n.saturating_sub(tail)..n).collect();
    let options = ReadOptions {
        top: 1,
        tracked: words,
        positions: Some(&positions),
        ..ReadOptions::default()
    };
    let readings = read(model, trace, lens, &layers, options).await?;
    let best = |layer: &Vec<Reading>, word: usize| {
        let ranks = layer.iter().filter_map(|r| r.tracked.get(word));
        ranks.map(|r| r.rank).min().unwrap_or(u32::MAX)
    };
    let of = |layer| (0..words.len()).map(|word| best(layer, word)).collect();
    Ok(readings.iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropies_of_known_distributions() {
        assert!((bits(&[1.0f64; 8]) - 3.0).abs() < 1e-12);
        assert!(bits(&[1000.0f64, 0.0, 0.0]) < 1e-9);
        // p = 1/2, 1/4, 1/4
        let logits = [2f64.ln(), 0.0, 0.0];
        assert!((bits(&logits) - 1.5).abs() < 1e-12);
    }
}
