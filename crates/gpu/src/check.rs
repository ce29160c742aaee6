//! The start-up self-check: a small forward, backward and readout on the GPU and on the CPU, compared and timed.
//!
//! Some drivers compute wrong numbers without an error, and a software adapter is a hundred times slower than the CPU backend;
//! a page that shows numbers must notice both before it shows any.

use crate::device::Gpu;
use transformer::ops::Ops;
use transformer::{
    Activation, Config, Cpu, Keep, Model, NormKind, NormPlace, Paths, Positions, Result, Weights,
};

/// What the self-check found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// Largest difference between GPU and CPU, relative to the largest magnitude of each result.
    pub error: f32,
    /// Seconds per backward pass on the GPU.
    pub gpu_seconds: f64,
    /// Seconds per backward pass on the CPU.
    pub cpu_seconds: f64,
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
        self.correct() && self.gpu_seconds < self.cpu_seconds
    }
}

/// Runs the check; `now` gives seconds (a browser has no `std::time::Instant`).
///
/// # Errors
/// Those of the device.
pub async fn self_check(gpu: Gpu, now: impl Fn() -> f64) -> Result<(Gpu, Check)> {
    let weights = weights()?;
    let on_gpu = Model::new(gpu, &weights)?;
    let on_cpu = Model::new(Cpu::new(), &weights)?;
    let exact = results(&on_cpu).await?;
    let got = results(&on_gpu).await?; // also warms every pipeline up
    let mut error = 0.0f32;
    for (a, b) in got.iter().zip(&exact) {
        let scale = b.iter().fold(1e-6f32, |s, x| s.max(x.abs()));
        for (x, y) in a.iter().zip(b) {
            // a NaN must not pass
            let e = (x - y).abs() / scale;
            error = if e.is_nan() {
                f32::INFINITY
            } else {
                error.max(e)
            };
        }
    }
    let start = now();
    results(&on_cpu).await?;
    let middle = now();
    results(&on_gpu).await?;
    let check = Check {
        error,
        gpu_seconds: now() - middle,
        cpu_seconds: middle - start,
    };
    Ok((on_gpu.ops, check))
}

/// Two blocks of the shipped model's kind, a third of its width.
fn weights() -> Result<Weights> {
    let config = Config {
        vocab: 100,
        d_model: 48,
        n_layers: 2,
        n_heads: 2,
        n_kv_heads: 2,
        head_dim: 24,
        d_ff: 96,
        max_context: 32,
        norm: NormKind::Rms,
        norm_eps: 1e-5,
        norm_place: NormPlace::Post,
        window: Some(5),
        positions: Positions::Rope {
            base: 1000.0,
            rotary_dim: 24,
        },
        activation: Activation::Relu,
        tied: false,
        bias: false,
    };
    let mut weights = Weights::zeros(&config)?;
    for (i, w) in weights.flat.iter_mut().enumerate() {
        *w = 0.3 * (0.7 * i as f32 + 0.01 * (i % 97) as f32).sin();
    }
    Ok(weights)
}

/// Residual state, logits, packed readout and a Jacobian.
async fn results<O: Ops<S = f32>>(m: &Model<O>) -> Result<Vec<Vec<f32>>> {
    let tokens: Vec<u32> = (0..24).map(|i| i * 4 % 97).collect();
    let (n, d, last) = (tokens.len(), m.config.d_model, m.config.n_layers);
    let valid: Vec<bool> = (0..n).map(|t| t >= 2 && t + 1 < n).collect();
    let trace = m.forward(&tokens, n, &[], Keep::ForVjp)?;
    let logits = m.logits(&trace.residuals[last]);
    let top = m.ops.top(&logits, m.config.vocab, 3, &[7]);
    let mut j = m.ops.zeros(d * d);
    let g = m.ops.seed(0, d, d, &valid);
    let g = m.vjp(&trace, last, 0, g, Paths::ALL, &mut |_, _| {})?;
    m.ops.mean_positions(&g, 0, d, &valid, &mut j);
    let mut out = Vec::new();
    for buf in [&trace.residuals[last], &logits, &top, &j] {
        out.push(m.ops.read(buf).await?);
    }
    Ok(out)
}
