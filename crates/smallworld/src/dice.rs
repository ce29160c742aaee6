//! Random numbers that never change: ChaCha with 8 rounds, keyed by a seed and a purpose, with every derived
//! quantity (ranges, fractions, shuffles, normal deviates) spelled out here, so that a seed means the same text for ever.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A stream of random choices.
///
/// The 32-byte ChaCha key is the seed (8 bytes, little-endian) followed by the purpose's first 24 bytes, padded with zeros;
/// the ChaCha stream number is `index`. Different purposes and indices give independent streams for one seed.
#[derive(Debug, Clone)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream for this purpose, seed and index.
    #[must_use]
    pub fn new(purpose: &str, seed: u64, index: u64) -> Self {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (slot, byte) in key[8..].iter_mut().zip(purpose.bytes()) {
            *slot = byte;
        }
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(index);
        Self(rng)
    }

    /// An integer in `0..n` (0 for `n = 0`): the high half of the 128-bit product of `n` and the next 64 random bits.
    /// The bias is below n / 2^64.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// A fraction in `[0, 1)`: the next 64 bits' upper 53, divided by 2^53.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// One of the items, all equally likely.
    ///
    /// # Panics
    /// On an empty slice; every table that is drawn from is a non-empty constant or checked by its caller.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// An index drawn in proportion to the weights (the last one, should rounding overshoot).
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            if left < *weight {
                return index;
            }
            left -= weight;
        }
        weights.len().saturating_sub(1)
    }

    /// Fisher-Yates from the end: position i swaps with one of `0..=i`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// A standard normal deviate, by Box and Muller's cosine branch.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_fixed_and_separate() {
        let draw = |purpose: &str, seed, index| {
            let mut dice = Dice::new(purpose, seed, index);
            [
                dice.below(1000),
                dice.below(1000),
                dice.below(1000),
                dice.below(1000),
            ]
        };
        assert_eq!(draw("text", 1, 0), draw("text", 1, 0));
        assert_ne!(draw("text", 1, 0), draw("text", 2, 0));
        assert_ne!(draw("text", 1, 0), draw("text", 1, 1));
        assert_ne!(draw("text", 1, 0), draw("init", 1, 0));
    }

    #[test]
    fn weights_are_respected() {
        let mut dice = Dice::new("test", 0, 0);
        let mut counts = [0usize; 3];
        for _ in 0..30_000 {
            counts[dice.weighted(&[1.0, 0.0, 2.0])] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((9_500..10_500).contains(&counts[0]), "{counts:?}");
    }

    #[test]
    fn normal_deviates_have_unit_variance() {
        let mut dice = Dice::new("test", 0, 0);
        let draws: Vec<f64> = (0..20_000).map(|_| dice.normal()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!(
            mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05,
            "{mean} {variance}"
        );
    }
}
