//! The tuned lens (Belrose et al. 2023), for comparison: per layer an affine map `h -> A h + b`, trained so that the model's head
//! after it gives the model's own final distribution.
//!
//! Adam, 300 steps of 256 positions, rate 3e-3 falling to 0, on the KL divergence from the final distribution.

use super::fitting;
use super::reads::Ranks;
use crate::dice::Dice;
use crate::error::Result;
use pollster::block_on;
use transformer::ops::Linear;
use transformer::{Cpu, Keep, Model, Ops, TrainOps};

const STEPS: usize = 300;
const BATCH: usize = 256;
const RATE: f64 = 3e-3;
/// Positions at the start of a window that are left out.
const SKIP: usize = 2;

type Buf = <Cpu as Ops>::Buf;

/// One affine map per residual state 0 .. L-1.
pub struct Tuned {
    maps: Vec<Affine>,
}

/// `A` `[D, D]` row-major, then `b` `[D]`.
struct Affine(Vec<f32>);

impl Affine {
    fn on(&self, model: &Model<Cpu>) -> Linear<Buf> {
        let d = model.config.d_model;
        let (w, bias) = self.0.split_at(d * d);
        Linear {
            w: model.ops.upload(w),
            bias: Some(model.ops.upload(bias)),
            inp: d,
            out: d,
        }
    }
}

/// Training material: states of every layer and the final distribution at the same positions.
struct Material {
    /// `[layer][N, D]`.
    states: Vec<Vec<f32>>,
    /// `[N, V]`.
    output: Vec<f32>,
}

impl Tuned {
    /// Trains on the text that the lenses are fitted on.
    ///
    /// # Errors
    /// Those of the transformer.
    pub fn train(model: &Model<Cpu>) -> Result<Self> {
        let material = Material::collect(model)?;
        let maps = material
            .states
            .iter()
            .enumerate()
            .map(|(layer, states)| one(model, states, &material.output, layer));
        Ok(Self {
            maps: maps.collect::<Result<_>>()?,
        })
    }

    /// As [`super::reads::ranks`], through this lens.
    ///
    /// # Errors
    /// Those of the transformer.
    pub fn ranks(
        &self,
        model: &Model<Cpu>,
        prompts: &[Vec<u32>],
        words: &[u32],
        tail: usize,
    ) -> Result<Ranks> {
        let (d, v) = (model.config.d_model, model.config.vocab);
        let maps: Vec<_> = self.maps.iter().map(|map| map.on(model)).collect();
        let mut all = Vec::with_capacity(prompts.len());
        for (prompt, &word) in prompts.iter().zip(words) {
            let trace = model.forward(prompt, prompt.len(), &[], Keep::Residuals)?;
            let mut layers = Vec::with_capacity(maps.len());
            for (state, map) in trace.residuals.iter().zip(&maps) {
                let end = &state[prompt.len().saturating_sub(tail) * d..];
                let moved = model.ops.linear(&model.ops.upload(end), map);
                let logits = block_on(model.ops.read(&model.logits(&moved)))?;
                layers.push(logits.chunks_exact(v).map(|row| rank(row, word)).collect());
            }
            all.push(layers);
        }
        Ok(all)
    }
}

/// How many words score higher.
fn rank(scores: &[f32], word: u32) -> u32 {
    let mine = scores[word as usize];
    scores.iter().filter(|&&score| score > mine).count() as u32
}

impl Material {
    fn collect(model: &Model<Cpu>) -> Result<Self> {
        let (d, last) = (model.config.d_model, model.config.n_layers);
        let mut states = vec![Vec::new(); last];
        let mut output = Vec::new();
        for window in fitting::windows() {
            let trace = model.forward(&window, window.len(), &[], Keep::Residuals)?;
            for (all, state) in states.iter_mut().zip(&trace.residuals) {
                all.extend_from_slice(&state[SKIP * d..]);
            }
            let logits = model.logits(&model.ops.upload(&trace.residuals[last][SKIP * d..]));
            let mut logits = block_on(model.ops.read(&logits))?;
            logits
                .chunks_exact_mut(model.config.vocab)
                .for_each(softmax);
            output.extend(logits);
        }
        Ok(Self { states, output })
    }
}

fn softmax(row: &mut [f32]) {
    let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|x| *x = (*x - top).exp());
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|x| *x /= sum);
}

/// Trains one layer's map, starting from the identity. Its bias is counted in units of the layer's root mean square.
fn one(model: &Model<Cpu>, states: &[f32], output: &[f32], layer: usize) -> Result<Affine> {
    let (d, v) = (model.config.d_model, model.config.vocab);
    let n = states.len() / d;
    let unit = (states.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / states.len() as f64)
        .sqrt() as f32;
    let mut map = Affine(
        (0..d * d + d)
            .map(|i| f32::from(i < d * d && i % (d + 1) == 0))
            .collect(),
    );
    let (mut first, mut second) = (vec![0.0f32; map.0.len()], vec![0.0f32; map.0.len()]);
    let mut dice = Dice::new("tuned lens", layer as u64, 0);
    for step in 0..STEPS {
        let picked: Vec<usize> = (0..BATCH.min(n)).map(|_| dice.below(n)).collect();
        let rows = |from: &[f32], width: usize| -> Vec<f32> {
            picked
                .iter()
                .flat_map(|&i| &from[i * width..(i + 1) * width])
                .copied()
                .collect()
        };
        let gradient = gradient(model, &map, &rows(states, d), &rows(output, v))?;
        let rate = RATE * (1.0 - step as f64 / STEPS as f64);
        let t = (step + 1) as i32;
        let scale = (rate / (1.0 - 0.9f64.powi(t))) as f32;
        let root = (1.0 - 0.999f64.powi(t)).sqrt() as f32;
        for (i, g) in gradient.into_iter().enumerate() {
            let g = if i < d * d { g } else { g * unit };
            first[i] = 0.9 * first[i] + 0.1 * g;
            second[i] = 0.999 * second[i] + 0.001 * g * g;
            let move_by = scale * first[i] / (second[i].sqrt() / root + 1e-8);
            map.0[i] -= if i < d * d { move_by } else { move_by * unit };
        }
    }
    Ok(map)
}

/// Gradient of the mean KL divergence in the map's numbers.
fn gradient(model: &Model<Cpu>, map: &Affine, states: &[f32], output: &[f32]) -> Result<Vec<f32>> {
    let (ops, head) = (&model.ops, &model.params);
    let (d, v) = (model.config.d_model, model.config.vocab);
    let x = ops.upload(states);
    let moved = ops.linear(&x, &map.on(model));
    let (normed, saved) = ops.norm(&moved, &head.final_norm);
    let mut logits = block_on(ops.read(&ops.linear(&normed, &head.unembedding)))?;
    logits.chunks_exact_mut(v).for_each(softmax);
    let each = 1.0 / (states.len() / d) as f32;
    logits
        .iter_mut()
        .zip(output)
        .for_each(|(q, p)| *q = (*q - p) * each);
    let mut g = ops.linear_vjp(&ops.upload(&logits), &head.unembedding);
    ops.norm_vjp(&mut g, &head.final_norm, &saved);
    let mut into = Linear {
        w: ops.zeros(d * d),
        bias: Some(ops.zeros(d)),
        inp: d,
        out: d,
    };
    ops.linear_grad(&x, &g, &mut into);
    let mut flat = block_on(ops.read(&into.w))?;
    if let Some(bias) = &into.bias {
        flat.extend(block_on(ops.read(bias))?);
    }
    Ok(flat)
}
