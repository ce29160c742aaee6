//! Training a tuned lens (Belrose et al. 2023): per layer an affine map `h -> A h + b`, starting from the identity, so that the
//! model's head after it gives the model's own final distribution: Adam on the Kullback-Leibler divergence.
//!
//! Who trains brings the random choices (which positions make up a batch), so that this crate keeps no generator for it.

use crate::error::{Error, Result};
use formats::tuned_file::Affine;
use transformer::ops::Linear;
use transformer::{Keep, Model, TrainOps};

/// How a tuned lens is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Training {
    /// Steps per layer.
    pub steps: usize,
    /// Positions per step.
    pub batch: usize,
    /// Learning rate of Adam at the start; it falls linearly to 0.
    pub rate: f64,
    /// Positions at the start of each prompt that are left out.
    pub skip: usize,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            steps: 300,
            batch: 256,
            rate: 3e-3,
            skip: 2,
        }
    }
}

/// States of every layer, and the final distribution at the same positions.
pub struct Material {
    /// `[layer][N, D]`.
    states: Vec<Vec<f32>>,
    /// `[N, V]`.
    output: Vec<f32>,
    /// N.
    positions: usize,
}

impl Material {
    /// Runs the prompts.
    ///
    /// # Errors
    /// Bad tokens; no position left; those of the backend.
    pub async fn collect<O: TrainOps<S = f32>>(
        model: &Model<O>,
        prompts: &[Vec<u32>],
        skip: usize,
    ) -> Result<Self> {
        let (d, last) = (model.config.d_model, model.config.n_layers);
        let mut states = vec![Vec::new(); last];
        let mut output = Vec::new();
        for prompt in prompts.iter().filter(|prompt| prompt.len() > skip) {
            let trace = model.forward(prompt, prompt.len(), &[], Keep::Residuals)?;
            for (all, state) in states.iter_mut().zip(&trace.residuals) {
                all.extend_from_slice(&model.ops.read(state).await?[skip * d..]);
            }
            let end = model.ops.read(&trace.residuals[last]).await?;
            let logits = model.logits(&model.ops.upload(&end[skip * d..]));
            let mut logits = model.ops.read(&logits).await?;
            logits
                .chunks_exact_mut(model.config.vocab)
                .for_each(softmax);
            output.extend(logits);
        }
        if output.is_empty() {
            return Err(Error::Option {
                option: "text",
                why: format!("has no prompt of more than {skip} tokens; give longer prompts"),
            });
        }
        Ok(Self {
            positions: output.len() / model.config.vocab,
            states,
            output,
        })
    }

    /// Positions in it.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Layers in it.
    pub fn layers(&self) -> usize {
        self.states.len()
    }

    /// Root mean square of a layer's numbers: the unit in which its bias is counted.
    fn unit(&self, layer: usize) -> f32 {
        let states = &self.states[layer];
        let sum: f64 = states.iter().map(|x| f64::from(*x).powi(2)).sum();
        (sum / states.len() as f64).sqrt() as f32
    }

    /// Rows of some positions: states `[n, D]` and distributions `[n, V]`.
    fn rows(&self, layer: usize, picked: &[usize], d: usize, v: usize) -> (Vec<f32>, Vec<f32>) {
        let take = |from: &[f32], width: usize| -> Vec<f32> {
            let row = |&i: &usize| &from[i * width..(i + 1) * width];
            picked.iter().flat_map(row).copied().collect()
        };
        (take(&self.states[layer], d), take(&self.output, v))
    }
}

fn softmax(row: &mut [f32]) {
    let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|x| *x = (*x - top).exp());
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|x| *x /= sum);
}

/// Trains one layer's map. `pick(n)` chooses one of n positions.
///
/// # Errors
/// A layer that the material lacks; those of the backend.
pub async fn train<O: TrainOps<S = f32>>(
    model: &Model<O>,
    material: &Material,
    layer: usize,
    training: Training,
    mut pick: impl FnMut(usize) -> usize,
) -> Result<Affine> {
    if layer >= material.layers() {
        let why = format!("is {layer}; the last one is {}", material.layers() - 1);
        return Err(Error::Option {
            option: "layer",
            why,
        });
    }
    let (d, v, n) = (model.config.d_model, model.config.vocab, material.positions);
    let unit = material.unit(layer);
    let mut map = Flat::identity(d);
    let mut adam = Adam::new(d * d + d);
    for step in 0..training.steps {
        let picked: Vec<usize> = (0..training.batch.min(n)).map(|_| pick(n)).collect();
        let (states, output) = material.rows(layer, &picked, d, v);
        let mut gradient = gradient(model, &map, &states, &output).await?.1;
        gradient[d * d..].iter_mut().for_each(|g| *g *= unit);
        let rate = training.rate * (1.0 - step as f64 / training.steps as f64);
        for (i, move_by) in adam.moves(&gradient, rate, step).into_iter().enumerate() {
            map.0[i] -= if i < d * d { move_by } else { move_by * unit };
        }
    }
    Ok(map.split(d))
}

/// Mean Kullback-Leibler divergence of what a map reads from the final distribution, over all positions, in nats.
///
/// # Errors
/// Those of the backend.
pub async fn divergence<O: TrainOps<S = f32>>(
    model: &Model<O>,
    material: &Material,
    layer: usize,
    map: &Affine,
) -> Result<f64> {
    const CHUNK: usize = 512;
    let (d, v, n) = (model.config.d_model, model.config.vocab, material.positions);
    let flat = Flat([&map.matrix[..], &map.bias].concat());
    let mut sum = 0.0;
    for first in (0..n).step_by(CHUNK) {
        let picked: Vec<usize> = (first..n.min(first + CHUNK)).collect();
        let (states, output) = material.rows(layer, &picked, d, v);
        sum += gradient(model, &flat, &states, &output).await?.0 * picked.len() as f64;
    }
    Ok(sum / n as f64)
}

/// `A` `[D, D]` row-major, then `b` `[D]`.
struct Flat(Vec<f32>);

impl Flat {
    fn identity(d: usize) -> Self {
        let one = |i: usize| f32::from(i < d * d && i.is_multiple_of(d + 1));
        Self((0..d * d + d).map(one).collect())
    }

    fn on<O: TrainOps<S = f32>>(&self, model: &Model<O>) -> Linear<O::Buf> {
        let d = model.config.d_model;
        let (w, bias) = self.0.split_at(d * d);
        Linear {
            w: model.ops.upload(w),
            bias: Some(model.ops.upload(bias)),
            inp: d,
            out: d,
        }
    }

    fn split(mut self, d: usize) -> Affine {
        let bias = self.0.split_off(d * d);
        Affine {
            matrix: self.0,
            bias,
        }
    }
}

/// Mean divergence from `output`, and its gradient in the map's numbers.
async fn gradient<O: TrainOps<S = f32>>(
    model: &Model<O>,
    map: &Flat,
    states: &[f32],
    output: &[f32],
) -> Result<(f64, Vec<f32>)> {
    let (ops, head) = (&model.ops, &model.params);
    let (d, v) = (model.config.d_model, model.config.vocab);
    let x = ops.upload(states);
    let moved = ops.linear(&x, &map.on(model));
    let (normed, saved) = ops.norm(&moved, &head.final_norm);
    let mut logits = ops.read(&ops.linear(&normed, &head.unembedding)).await?;
    logits.chunks_exact_mut(v).for_each(softmax);
    let n = states.len() / d;
    let divergence = apart(output, &logits) / n as f64;
    let each = 1.0 / n as f32;
    let pairs = logits.iter_mut().zip(output);
    pairs.for_each(|(q, p)| *q = (*q - p) * each);
    let mut g = ops.linear_vjp(&ops.upload(&logits), &head.unembedding);
    ops.norm_vjp(&mut g, &head.final_norm, &saved);
    let mut into = Linear {
        w: ops.zeros(d * d),
        bias: Some(ops.zeros(d)),
        inp: d,
        out: d,
    };
    ops.linear_grad(&x, &g, &mut into);
    let mut flat = ops.read(&into.w).await?;
    if let Some(bias) = &into.bias {
        flat.extend(ops.read(bias).await?);
    }
    Ok((divergence, flat))
}

/// `sum p ln(p / q)`.
fn apart(p: &[f32], q: &[f32]) -> f64 {
    let term = |(&p, &q): (&f32, &f32)| match f64::from(p) {
        p if p > 0.0 => p * (p / f64::from(q).max(1e-30)).ln(),
        _ => 0.0,
    };
    p.iter().zip(q).map(term).sum()
}

/// Kingma & Ba 2015, beta 0.9 and 0.999.
struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Adam {
    fn new(n: usize) -> Self {
        Self {
            first: vec![0.0; n],
            second: vec![0.0; n],
        }
    }

    /// How far to go against the gradient, number by number.
    fn moves(&mut self, gradient: &[f32], rate: f64, step: usize) -> Vec<f32> {
        let t = (step + 1) as i32;
        let scale = (rate / (1.0 - 0.9f64.powi(t))) as f32;
        let root = (1.0 - 0.999f64.powi(t)).sqrt() as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        let one = |((first, second), &g): ((&mut f32, &mut f32), &f32)| {
            *first = 0.9 * *first + 0.1 * g;
            *second = 0.999 * *second + 0.001 * g * g;
            scale * *first / (second.sqrt() / root + 1e-8)
        };
        moments.zip(gradient).map(one).collect()
    }
}
