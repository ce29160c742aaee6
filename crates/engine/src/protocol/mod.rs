//! What the page and a worker say to each other: self-contained commands, and the events that answer them.
//!
//! A command carries everything that it needs (besides the loaded model), so that a restarted worker can be sent it again.
//! Layers are residual states: 0 = embedding, l = after block l, L = model output. Positions count tokens from 0. Words are ids.
//!
//! One file per theme: `model` files and description; `lenses` targets, directions, readings; `slice` planes through the stream;
//! `swap` interventions; `fit` fitting and comparing; `backend` what computes, how right and how fast; `backward` rows, local
//! Jacobians, one nudge in many sentences; `chain` the chain rule; `space` pursuit and steering; `evidence` experiments over
//! held-out items.

mod backend;
mod backward;
mod chain;
mod evidence;
mod fit;
mod lenses;
mod model;
mod slice;
mod space;
mod swap;

pub use backend::{About, Backend, GpuCheck, Parity, ParityRequest, Speed};
pub use backward::{
    Covector, Direction, Local, LocalRequest, NudgeRequest, Nudges, Rows, RowsRequest, Said,
};
pub use chain::{Chain, ChainRequest, Span};
pub use evidence::{Band, BandLayer, BandRequest, Causal, CausalRequest, Stein, SteinRequest};
pub use fit::{CompareRequest, Comparison, FitRequest, OwnLens};
pub use lenses::{Cell, Ranked, ReadRequest, Targets, TunedReading, TunedRequest, Vectors};
pub use model::{ModelFiles, ModelInfo};
pub use slice::{Slice, SliceRequest};
pub use space::{Picks, Pursuit, PursuitRequest, SteerRequest, Steered, Steering};
pub use swap::{Count, EditMode, SwapCountsRequest, SwapRequest, SwapResult, TestSet};

use serde::{Deserialize, Serialize};

/// Chosen by the page, echoed in every event that answers.
pub type RequestId = u32;

/// Page to worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Echoed in the answers.
    pub id: RequestId,
    /// What to do.
    pub command: Command,
}

/// What a worker can be asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Command {
    /// Parses and uploads a model; answered by [`Reply::Loaded`]. A worker holds one model and its shipped lenses at a time.
    Load(ModelFiles),
    /// Both lenses over layers x positions; answered by [`Reply::Read`].
    Read(ReadRequest),
    /// A 2-D slice through the residual stream pushed to the last layer; answered by [`Reply::Slice`].
    Slice(SliceRequest),
    /// One intervention on one prompt; answered by [`Reply::Swap`].
    Swap(SwapRequest),
    /// An intervention counted over a held-out set; progress, then [`Reply::SwapCounts`].
    SwapCounts(SwapCountsRequest),
    /// Fits a lens on generated corpus text; a stream of [`Reply::FitRows`] and [`Reply::FitPrompt`], then [`Reply::FitDone`].
    Fit(FitRequest),
    /// How close a lens (a reader's own fit) is to the shipped one; answered by [`Reply::Compare`].
    Compare(CompareRequest),
    /// Writes a reader's own lens as a safetensors file; answered by [`Reply::LensFile`].
    WriteLens(OwnLens),
    /// Opens such a file; answered by [`Reply::OwnLens`].
    OpenLens(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Forgets a request; one that has not been answered yet never will be. Has no answer of its own.
    Cancel(RequestId),
    /// Test hook: the worker panics, so that recovery can be shown to work.
    Crash,
    /// Test hook: the worker's GPU is lost, as by a driver reset. Nothing happens on the processor.
    LoseDevice,
    /// Compares this backend with a golden fixture; a stream of [`Reply::Parity`], then [`Reply::ParityDone`]. Needs no model.
    Parity(ParityRequest),
    /// Measures fit and matrix product; answered by [`Reply::Speed`].
    MeasureSpeed,
    /// One row of a Jacobian at every layer and position; answered by [`Reply::Rows`].
    Rows(RowsRequest),
    /// One position's own Jacobian against the average; answered by [`Reply::Local`].
    Local(LocalRequest),
    /// One nudge in many sentences; answered by [`Reply::Nudges`].
    Nudge(NudgeRequest),
    /// A state as a sparse sum of lens vectors; answered by [`Reply::Pursuit`].
    Pursue(PursuitRequest),
    /// Steering and ablation with a control; answered by [`Reply::Steered`].
    Steer(SteerRequest),
    /// Reading through a tuned lens; answered by [`Reply::Tuned`].
    ReadTuned(TunedRequest),
    /// Concepts exchanged by pieces; progress, then [`Reply::Causal`].
    Causal(CausalRequest),
    /// Two lenses layer by layer; progress, then [`Reply::Band`].
    Band(BandRequest),
    /// Both sides of Stein's lemma; progress, then [`Reply::Stein`].
    Stein(SteinRequest),
    /// The blocks' Jacobians at one token and their products; answered by [`Reply::Chain`].
    Chain(ChainRequest),
}

/// Worker to page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The worker is up.
    Ready {
        /// Must equal the page's build id.
        build: String,
        /// What it computes with.
        about: About,
    },
    /// The worker cannot compute with the backend that it was made for; nothing more comes from it.
    Unfit {
        /// For the reader: why.
        message: String,
    },
    /// The device was lost while it computed; nothing more comes from it.
    Lost {
        /// What it said.
        message: String,
    },
    /// An answer, or a part of one.
    Reply {
        /// The request.
        id: RequestId,
        /// The answer.
        reply: Reply,
    },
    /// A request failed; the worker lives on.
    Failed {
        /// The request.
        id: RequestId,
        /// For the reader: what, where, and what to do.
        message: String,
    },
    /// A message that the worker could not read: page and worker do not fit together.
    Unreadable {
        /// For the reader: what, and what to do.
        message: String,
    },
    /// The worker is about to die; nothing more comes from it.
    Panicked {
        /// What the panic said.
        message: String,
    },
}

/// Answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// To [`Command::Load`].
    Loaded(ModelInfo),
    /// To [`Command::Read`]: all cells, layer-major, and the model's own output at every position.
    Read {
        /// Layers 0 ..= L, all positions.
        cells: Vec<Cell>,
        /// `[T]` lists.
        output: Vec<Vec<Ranked>>,
    },
    /// To [`Command::Slice`].
    Slice(Slice),
    /// To [`Command::Swap`].
    Swap(SwapResult),
    /// Items done so far, of how many.
    Progress {
        /// Done.
        done: u32,
        /// Of.
        of: u32,
    },
    /// To [`Command::SwapCounts`].
    SwapCounts(Count),
    /// To [`Command::Compare`].
    Compare(Comparison),
    /// To [`Command::WriteLens`].
    LensFile(#[serde(with = "serde_bytes")] Vec<u8>),
    /// To [`Command::OpenLens`].
    OwnLens(OwnLens),
    /// Rows `first ..` of the prompt's J at the shown layer, row-major `[rows, D]`.
    FitRows {
        /// Index of the prompt.
        prompt: u32,
        /// First row.
        first: u32,
        /// Numbers.
        rows: Vec<f32>,
    },
    /// One prompt's Jacobians, `[layer][D * D]` for layers 0 .. target; empty if the prompt was skipped.
    FitPrompt {
        /// Index of the prompt.
        prompt: u32,
        /// Tokens in it.
        tokens: u32,
        /// Jacobians.
        jacobians: Vec<Vec<f32>>,
    },
    /// The share is done.
    FitDone,
    /// A part of a golden fixture, compared.
    Parity(Parity),
    /// The fixture is done.
    ParityDone,
    /// To [`Command::MeasureSpeed`].
    Speed(Speed),
    /// To [`Command::Rows`].
    Rows(Rows),
    /// To [`Command::Local`].
    Local(Local),
    /// To [`Command::Nudge`].
    Nudges(Nudges),
    /// To [`Command::Pursue`].
    Pursuit(Pursuit),
    /// To [`Command::Steer`].
    Steered(Steered),
    /// To [`Command::ReadTuned`].
    Tuned(TunedReading),
    /// To [`Command::Causal`].
    Causal(Causal),
    /// To [`Command::Band`].
    Band(Band),
    /// To [`Command::Stein`].
    Stein(Stein),
    /// To [`Command::Chain`].
    Chain(Chain),
}
