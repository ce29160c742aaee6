//! The first weights: normal deviates whose spread keeps signals at unit size.
//!
//! Embedding and unembedding: standard deviation 0.02. Other matrices `[out, in]`: 1 / sqrt(in), and for the two maps that
//! write into the residual stream (`attn.o`, `mlp.down`) a further 1 / sqrt(2 L). Gains 1, biases 0.

use crate::dice::Dice;
use crate::error::Result;
use transformer::{Config, Weights, layout};

/// Weights for a seed.
pub fn weights(config: &Config, seed: u64) -> Result<Weights> {
    let mut weights = Weights::zeros(config)?;
    let mut dice = Dice::new("first weights", seed, 0);
    let mut at = 0;
    for entry in layout::layout(config) {
        let numbers = &mut weights.flat[at..at + entry.len()];
        at += entry.len();
        let spread = spread(config, &entry);
        for x in numbers.iter_mut() {
            *x = match spread {
                Some(spread) => (dice.normal() * spread) as f32,
                None => f32::from(entry.name.ends_with(".gain")),
            };
        }
    }
    Ok(weights)
}

/// Standard deviation of a matrix's entries; none for vectors.
fn spread(config: &Config, entry: &layout::Entry) -> Option<f64> {
    let [_, inputs] = entry.shape[..] else {
        return None;
    };
    if matches!(
        entry.name.as_str(),
        "embedding" | "unembedding" | "positions"
    ) {
        return Some(0.02);
    }
    let writes = entry.name.ends_with("attn.o") || entry.name.ends_with("mlp.down");
    let depth = if writes {
        2.0 * config.n_layers as f64
    } else {
        1.0
    };
    Some(1.0 / (inputs as f64 * depth).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::shipped_model;

    #[test]
    fn spreads_are_as_documented() {
        let weights = weights(&shipped_model(), 0).unwrap();
        let spread = |name: &str| {
            let x = weights.get(name).unwrap();
            (x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / x.len() as f64).sqrt()
        };
        assert!((spread("embedding") - 0.02).abs() < 0.001);
        assert!((spread("blocks.3.attn.q") - 96f64.powf(-0.5)).abs() < 0.005);
        assert!((spread("blocks.3.mlp.down") - 256f64.powf(-0.5) / 4.0).abs() < 0.001);
        assert!(
            weights
                .get("blocks.0.norm1.gain")
                .unwrap()
                .iter()
                .all(|&x| x == 1.0)
        );
    }
}
