//! AdamW (Loshchilov & Hutter 2019): Adam's update, and a decay of the weights that does not pass through it.

use super::Settings;
use std::ops::Range;
use transformer::layout;

/// Running averages of the gradient and of its square, in the weights' order.
#[derive(Debug, Clone, PartialEq)]
pub struct AdamW {
    pub first: Vec<f32>,
    pub second: Vec<f32>,
}

/// Ranges of the flat weights with their decay.
pub fn decays(settings: &Settings) -> Vec<(Range<usize>, f64)> {
    let mut at = 0;
    let of = |entry: layout::Entry| {
        let range = at..at + entry.len();
        at += entry.len();
        let decay = match entry.name.as_str() {
            "embedding" | "unembedding" | "positions" => settings.decay_embeddings,
            _ if entry.shape.len() == 2 => settings.decay,
            _ => 0.0,
        };
        (range, decay)
    };
    layout::layout(&settings.model)
        .into_iter()
        .map(of)
        .collect()
}

/// Scales the gradient down to the largest allowed norm; returns the norm it had.
pub fn clip(gradient: &mut [f32], largest: f64) -> f64 {
    let norm = gradient
        .iter()
        .map(|x| f64::from(*x).powi(2))
        .sum::<f64>()
        .sqrt();
    if norm > largest {
        let scale = (largest / norm) as f32;
        gradient.iter_mut().for_each(|x| *x *= scale);
    }
    norm
}

impl AdamW {
    pub fn new(parameters: usize) -> Self {
        Self {
            first: vec![0.0; parameters],
            second: vec![0.0; parameters],
        }
    }

    /// One update of `weights`; `step` counts from 0.
    ///
    /// `w <- (1 - rate decay) w - rate (m / (1 - b1^n)) / (sqrt(v / (1 - b2^n)) + eps)`, n = step + 1.
    pub fn update(
        &mut self,
        settings: &Settings,
        decays: &[(Range<usize>, f64)],
        step: usize,
        gradient: &[f32],
        weights: &mut [f32],
    ) {
        let rate = settings.rate(step);
        let [b1, b2] = settings.betas;
        let n = (step + 1) as f64;
        let scale = (rate / (1.0 - b1.powf(n))) as f32;
        let root = (1.0 / (1.0 - b2.powf(n)).sqrt()) as f32;
        let (b1, b2, eps) = (b1 as f32, b2 as f32, settings.eps as f32);
        for (range, decay) in decays {
            let keep = (1.0 - rate * decay) as f32;
            let averages = self.first[range.clone()]
                .iter_mut()
                .zip(&mut self.second[range.clone()]);
            let moving = weights[range.clone()].iter_mut().zip(averages);
            for (&g, (w, (m, v))) in gradient[range.clone()].iter().zip(moving) {
                *m = b1 * *m + (1.0 - b1) * g;
                *v = b2 * *v + (1.0 - b2) * g * g;
                *w = keep * *w - scale * *m / (v.sqrt() * root + eps);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two steps worked out by hand: with a constant gradient Adam moves by the rate, whatever the gradient's size.
    #[test]
    fn moves_by_the_rate_and_decays() {
        let settings = Settings {
            warm_up: 1,
            steps: 1_000_000,
            ..Settings::default()
        };
        let mut adam = AdamW::new(2);
        let mut weights = vec![1.0f32, 1.0];
        let decays = vec![(0..1, 0.5), (1..2, 0.0)];
        for step in 0..2 {
            adam.update(&settings, &decays, step, &[3.0, 1e-3], &mut weights);
        }
        let (rate, keep) = (2e-3, 1.0 - 2e-3 * 0.5);
        let expected = [(keep - rate) * keep - rate, 1.0 - 2.0 * rate];
        for (w, e) in weights.iter().zip(expected) {
            assert!((f64::from(*w) - e).abs() < 1e-6, "{w} {e}");
        }
    }

    #[test]
    fn clipping_keeps_the_direction() {
        let mut gradient = vec![3.0f32, 4.0];
        assert!((clip(&mut gradient, 1.0) - 5.0).abs() < 1e-9);
        assert!((gradient[0] - 0.6).abs() < 1e-6 && (gradient[1] - 0.8).abs() < 1e-6);
        clip(&mut gradient, 2.0);
        assert!((gradient[0] - 0.6).abs() < 1e-6);
    }

    #[test]
    fn decay_spares_gains() {
        let decays = decays(&Settings::default());
        assert_eq!(decays[0].1, 0.1);
        assert!(
            decays
                .iter()
                .filter(|(range, _)| range.len() == 96)
                .all(|(_, decay)| *decay == 0.0)
        );
        assert_eq!(decays.last().unwrap().0.end, 842_208);
    }
}
