//! The start-up self-check: a small forward, backward and readout on the GPU and on the CPU, compared; then a workload like one
//! prompt of a fit, timed on both.
//!
//! Some drivers compute wrong numbers without an error, and a software adapter is a hundred times slower than the CPU backend;
//! a page that shows numbers must notice both before it shows any.

use crate::device::{Adapter, Gpu};
use transformer::ops::Ops;
use transformer::{Config, Cpu, Edit, Keep, Model, Paths, Result, Weights};

/// What the self-check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The device that was checked.
    pub adapter: Adapter,
    /// In which numbers it computes.
    pub precision: &'static str,
    /// Largest difference between GPU and CPU, relative to the largest magnitude of each result; infinite if a result is not a number.
    pub error: f32,
    /// How fast both are. `None` on a software adapter, which is never faster, and on one that computes wrong numbers.
    pub timing: Option<Timing>,
}

/// Seconds for the same work, like a quarter of one prompt of a fit of the shipped model: width 96, two blocks, 64 tokens, 96
/// cotangent rows (2.1 GFLOP in linear maps).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// On the GPU.
    pub gpu_seconds: f64,
    /// On one CPU thread; measured on a fraction of the cotangent rows, in which the work is linear.
    pub cpu_seconds: f64,
}

impl Timing {
    /// How many times faster the GPU is.
    pub fn ratio(&self) -> f64 {
        self.cpu_seconds / self.gpu_seconds.max(1e-9)
    }
}

impl Check {
    /// Largest error that counts as right (lens.md, correctness 2).
    pub const TOLERANCE: f32 = 1e-3;

    /// Right numbers?
    pub fn correct(&self) -> bool {
        self.error <= Self::TOLERANCE
    }

    /// Right, and faster than the CPU?
    pub fn worthwhile(&self) -> bool {
        self.correct() && self.timing.is_some_and(|t| t.ratio() > 1.0)
    }
}

/// Runs the check; `now` gives seconds (a browser has no `std::time::Instant`).
///
/// # Errors
/// Those of the device.
pub async fn self_check(gpu: Gpu, now: impl Fn() -> f64) -> Result<(Gpu, Check)> {
    let small = weights(&config(48, 100))?;
    let on_gpu = Model::new(gpu, &small)?;
    let exact = results(&Model::new(Cpu::new(), &small)?).await?;
    let error = difference(&results(&on_gpu).await?, &exact);
    let gpu = on_gpu.ops;
    let mut check = Check {
        adapter: gpu.adapter.clone(),
        precision: "f32",
        error,
        timing: None,
    };
    if !check.correct() || check.adapter.software {
        return Ok((gpu, check));
    }
    let (gpu, timing) = timing(gpu, now).await?;
    check.timing = Some(timing);
    Ok((gpu, check))
}

/// Largest difference relative to the largest magnitude of each result. A NaN must not pass.
fn difference(got: &[Vec<f32>], exact: &[Vec<f32>]) -> f32 {
    let mut worst = 0.0f32;
    for (got, exact) in got.iter().zip(exact) {
        let scale = exact.iter().fold(1e-6f32, |s, x| s.max(x.abs()));
        for (x, y) in got.iter().zip(exact) {
            let e = (x - y).abs() / scale;
            if e.is_nan() {
                return f32::INFINITY;
            }
            worst = worst.max(e);
        }
    }
    worst
}

/// Cotangent rows of the timed work, and how many of them the CPU computes.
const ROWS: usize = 96;
const CPU_ROWS: usize = 12;
const TOKENS: usize = 64;

async fn timing(gpu: Gpu, now: impl Fn() -> f64) -> Result<(Gpu, Timing)> {
    let weights = weights(&config(ROWS, 794))?;
    let (on_gpu, on_cpu) = (
        Model::new(gpu, &weights)?,
        Model::new(Cpu::new(), &weights)?,
    );
    let mut seconds = [f64::INFINITY; 2];
    // the second round has its buffers at hand
    for _ in 0..2 {
        let start = now();
        rows(&on_cpu, TOKENS, CPU_ROWS).await?;
        let middle = now();
        rows(&on_gpu, TOKENS, ROWS).await?;
        let whole = (middle - start) * (ROWS / CPU_ROWS) as f64;
        seconds = [seconds[0].min(now() - middle), seconds[1].min(whole)];
    }
    let [gpu_seconds, cpu_seconds] = seconds;
    let timing = Timing {
        gpu_seconds,
        cpu_seconds,
    };
    Ok((on_gpu.ops, timing))
}

/// Two blocks of the shipped model's kind.
fn config(d: usize, vocab: usize) -> Config {
    Config {
        d_model: d,
        n_layers: 2,
        n_heads: d / 24,
        n_kv_heads: d / 24,
        d_ff: 8 * d / 3,
        ..Config::small_world(vocab)
    }
}

fn weights(config: &Config) -> Result<Weights> {
    let mut weights = Weights::zeros(config)?;
    for (i, w) in weights.flat.iter_mut().enumerate() {
        *w = 0.3 * (0.7 * i as f32 + 0.01 * (i % 97) as f32).sin();
    }
    Ok(weights)
}

fn tokens(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i * 4 % 97).collect()
}

/// Residual state, logits, packed readout, an edited state and a Jacobian.
async fn results<O: Ops<S = f32>>(m: &Model<O>) -> Result<Vec<Vec<f32>>> {
    let (tokens, d, last) = (tokens(24), m.config.d_model, m.config.n_layers);
    let n = tokens.len();
    let trace = m.forward(&tokens, n, &[], Keep::Residuals)?;
    let logits = m.logits(&trace.residuals[last]);
    let top = m.ops.top(&logits, m.config.vocab, 3, &[7]);
    let wave = |n: usize| (0..n).map(|i| (0.9 * i as f32).sin()).collect::<Vec<f32>>();
    let edit = Edit {
        layer: 1,
        v: wave(d),
        p: wave(d),
        m: vec![-0.02],
        c: wave(n),
        on: (0..n).map(|t| t % 2 == 0).collect(),
    };
    let edited = m.forward(&tokens, n, &[edit], Keep::Residuals)?;
    let mut out = vec![rows(m, n, d).await?];
    for buf in [
        &trace.residuals[last],
        &logits,
        &top,
        &edited.residuals[last],
    ] {
        out.push(m.ops.read(buf).await?);
    }
    Ok(out)
}

/// The first rows of a Jacobian of the embedding, as a fit computes them.
async fn rows<O: Ops<S = f32>>(m: &Model<O>, n: usize, rows: usize) -> Result<Vec<f32>> {
    let (d, last) = (m.config.d_model, m.config.n_layers);
    let valid: Vec<bool> = (0..n).map(|t| t >= 2 && t + 1 < n).collect();
    let trace = m.forward(&tokens(n), n, &[], Keep::ForVjp)?;
    let mut j = m.ops.zeros(d * d);
    let g = m.ops.seed(0, rows, d, &valid);
    let g = m.vjp(&trace, last, 0, g, Paths::ALL, &mut |_, _| {})?;
    m.ops.mean_positions(&g, 0, d, &valid, &mut j);
    m.ops.read(&j).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use pollster::block_on;
    use std::time::Instant;

    #[test]
    fn both_sides_are_timed_on_the_same_work() {
        let gpu = block_on(Gpu::open_with(Options::default())).unwrap();
        let start = Instant::now();
        let (_, timing) = block_on(timing(gpu, || start.elapsed().as_secs_f64())).unwrap();
        println!("{timing:?}, ratio {:.3}", timing.ratio());
        assert!(timing.gpu_seconds > 0.0 && timing.cpu_seconds > 0.0);
        let whole = 2.0 * timing.gpu_seconds + 2.0 * timing.cpu_seconds / (ROWS / CPU_ROWS) as f64;
        assert!(whole <= start.elapsed().as_secs_f64() * 1.001);
    }

    #[test]
    fn a_number_that_is_none_fails() {
        let difference = |x: f32| difference(&[vec![1.0, x]], &[vec![1.0, 2.0]]);
        assert_eq!(difference(2.0), 0.0);
        assert_eq!(difference(1.0), 0.5);
        assert_eq!(difference(f32::NAN), f32::INFINITY);
    }
}
