//! What computes, whether it computes right, and how fast.

use serde::{Deserialize, Serialize};

/// A backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Backend {
    /// WebAssembly on the processor.
    Cpu,
    /// WebGPU.
    Gpu,
}

impl Backend {
    /// As in addresses and attributes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

/// A worker about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// What it computes with.
    pub backend: Backend,
    /// The GPU and its self-check; `None` on the processor.
    pub gpu: Option<GpuCheck>,
}

/// A GPU, held against the processor before it is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuCheck {
    /// Name of the adapter, or the best description that the browser gives.
    pub adapter: String,
    /// A processor that poses as a GPU.
    pub software: bool,
    /// Number format.
    pub precision: String,
    /// Largest difference from the processor's results, relative to the largest magnitude of each.
    pub error: f32,
    /// Largest error that counts as right.
    pub tolerance: f32,
    /// Seconds of the same work on GPU and processor; `None` if it was not timed.
    pub seconds: Option<[f64; 2]>,
    /// Right, and faster than the processor.
    pub worthwhile: bool,
}

/// The files of one golden fixture.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ParityRequest {
    /// `manifest.json`.
    #[serde(with = "serde_bytes")]
    pub manifest: Vec<u8>,
    /// Which family of it.
    pub family: String,
    /// The family's tensors.
    #[serde(with = "serde_bytes")]
    pub fixture: Vec<u8>,
}

/// One part of a fixture, compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parity {
    /// Which part.
    pub part: String,
    /// Results compared.
    pub compared: u32,
    /// Largest error among them.
    pub error: f64,
    /// Where that was.
    pub worst: String,
    /// Largest error that counts as right.
    pub tolerance: f64,
    /// Results whose ranked words differ from the golden ones.
    pub other_words: u32,
}

impl Parity {
    /// Right?
    #[must_use]
    pub fn passed(&self) -> bool {
        self.error <= self.tolerance && self.other_words == 0
    }
}

/// How fast a worker fits the loaded model's lens, and how fast it multiplies large matrices, measured in turns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Prompts per second, in the fastest round and in the middle one.
    pub prompts_per_second: [f64; 2],
    /// Operations per prompt in linear maps, in 10^9.
    pub gflop_per_prompt: f64,
    /// 10^9 operations per second in products of square matrices, in the fastest round and in the middle one.
    pub peak: [f64; 2],
    /// Tokens per prompt.
    pub tokens: u32,
    /// Rounds.
    pub rounds: u32,
}
