//! What the page and a worker say to each other: self-contained commands, and the events that answer them.
//!
//! A command carries everything that it needs (besides the loaded model), so that a restarted worker can be sent it again.
//! Layers are residual states: 0 = embedding, l = after block l, L = model output. Positions count tokens from 0. Words are ids.

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
}

/// The bytes of a model as fetched by the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelFiles {
    /// Weights, safetensors with the configuration in its metadata.
    #[serde(with = "serde_bytes")]
    pub weights: Vec<u8>,
    /// Tokenizer file.
    #[serde(with = "serde_bytes")]
    pub tokenizer: Vec<u8>,
    /// Shipped lenses: all targets, same position. Future only is their difference.
    pub lenses: Vec<(Targets, Vec<u8>)>,
}

/// Which target positions a lens sums over (lens.md, estimator variants).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Targets {
    /// t' >= t: the paper's default.
    All,
    /// t' = t.
    Same,
    /// t' > t.
    Future,
}

/// Directions that stand for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Vectors {
    /// Lens vectors of the J-lens with these targets.
    Jacobian(Targets),
    /// Unembedding vectors: the logit lens.
    Logit,
    /// Random directions matched to the J-lens pair in norm and angle (seed).
    Random(u64),
}

/// A readout request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadRequest {
    /// Token ids, the first is usually `<s>`.
    pub tokens: Vec<u32>,
    /// Which J-lens is shown beside the logit lens.
    pub targets: Targets,
    /// Words per list.
    pub top: usize,
    /// Words whose rank every cell reports.
    pub tracked: Vec<u32>,
}

/// One word of a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// Word id.
    pub word: u32,
    /// 0-based rank in the whole vocabulary.
    pub rank: u32,
    /// Softmax probability.
    pub prob: f32,
}

/// Both lenses at one layer and position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Residual state.
    pub layer: usize,
    /// Token position.
    pub position: usize,
    /// Logit lens, best first.
    pub logit: Vec<Ranked>,
    /// J-lens, best first.
    pub jacobian: Vec<Ranked>,
    /// Tracked words under the logit lens, in the order asked.
    pub logit_tracked: Vec<Ranked>,
    /// Tracked words under the J-lens.
    pub jacobian_tracked: Vec<Ranked>,
}

/// A slice of the residual stream: `F(x, y) = coordinates of h_L(t') in an output basis`, where h_l(t) = clean + x u + y v.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SliceRequest {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Layer that is moved.
    pub layer: usize,
    /// Position that is moved.
    pub position: usize,
    /// Position that is watched at the last layer.
    pub watch: usize,
    /// The two input directions are the orthonormalised centred lens vectors (all targets) of these words at the layer, scaled to
    /// the layer's mean norm; the output directions are their orthonormalised centred unembedding vectors.
    pub words: [u32; 2],
    /// Half width of the sampled grid, in units of the mean norm.
    pub extent: f32,
    /// Grid points per side; 0 leaves the grid out.
    pub grid: usize,
    /// Further points `(x, y)` to evaluate exactly, with their Jacobians by VJP.
    pub points: Vec<[f32; 2]>,
    /// Points to evaluate exactly without Jacobians (outline of a square of nudges): forward passes only, so many are cheap.
    pub outline: Vec<[f32; 2]>,
}

/// Answer to a slice request; output coordinates are along the two output directions, in units of the output's mean norm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// `grid * grid` images, x fastest.
    pub grid: Vec<[f32; 2]>,
    /// Images of the points.
    pub values: Vec<[f32; 2]>,
    /// Jacobians at the points, row-major `[[dF1/dx, dF1/dy], [dF2/dx, dF2/dy]]`, by backward passes.
    pub jacobians: Vec<[[f32; 2]; 2]>,
    /// Images of the outline points.
    pub outline: Vec<[f32; 2]>,
}

/// How an edit is made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum EditMode {
    /// Exchange of dual-basis coordinates, set to those of the clean pass at every layer of the band.
    SwapClamped,
    /// Exchange applied to whatever arrives (undoes itself over a band).
    SwapLive,
    /// `h + a <h, s^> (t^ - s^)`.
    Project {
        /// Strength a.
        strength: f32,
    },
    /// `h + strength * mean norm * v_t / |v_t|`.
    Steer {
        /// Strength.
        strength: f32,
    },
    /// Projects the source word's direction out.
    Ablate,
}

/// One intervention on one prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwapRequest {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Word whose direction is read.
    pub source: u32,
    /// Word that takes its place.
    pub target: u32,
    /// First and last layer of the band, inclusive.
    pub band: [usize; 2],
    /// Kind of direction.
    pub vectors: Vectors,
    /// Subtract the vocabulary's mean vector.
    pub centred: bool,
    /// Kind of edit.
    pub mode: EditMode,
    /// Words per list.
    pub top: usize,
    /// Continue greedily for this many words (couplets), edits on prompt positions only.
    pub generate: usize,
}

/// Answer to a swap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwapResult {
    /// Output at the last position of the clean pass.
    pub clean: Vec<Ranked>,
    /// Output after the edit.
    pub edited: Vec<Ranked>,
    /// Greedy continuations, clean and edited; empty unless asked.
    pub clean_text: Vec<u32>,
    /// As `clean_text`.
    pub edited_text: Vec<u32>,
    /// Cosine of the two directions at each layer of the band.
    pub cosines: Vec<f32>,
    /// Dual-basis coordinates `(source, target)` at the last position, clean pass, per band layer.
    pub coordinates: Vec<[f32; 2]>,
    /// A warning (nearly parallel directions).
    pub warning: Option<String>,
}

/// Which held-out items to count over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TestSet {
    /// Two-hop animal questions.
    Animals {
        /// With ", let me think ,".
        filler: bool,
    },
    /// Two-hop country questions.
    Countries {
        /// With ", let me think ,".
        filler: bool,
    },
    /// One swap of two countries, five relations.
    Flexible,
    /// Couplets; counted is the rhyme word.
    Couplets,
    /// Couplets; counted is an earlier word (verb or adjective) that goes with the new rhyme word and with no other.
    CoupletsEarly,
}

/// An intervention counted over a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwapCountsRequest {
    /// Items.
    pub set: TestSet,
    /// Band.
    pub band: [usize; 2],
    /// Directions.
    pub vectors: Vectors,
    /// Subtract the mean vector.
    pub centred: bool,
    /// Kind of edit.
    pub mode: EditMode,
}

/// Successes among tried items, with a 95 % Wilson interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Count {
    /// The target's answer came out on top.
    pub hits: u32,
    /// Items tried.
    pub n: u32,
    /// Lower end.
    pub low: f32,
    /// Upper end.
    pub high: f32,
}

/// A fit on generated text, or a worker's share of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitRequest {
    /// Prompt texts are sentences `first .. first + count` of the corpus stream of this seed.
    pub seed: u64,
    /// First prompt of this share.
    pub first: u32,
    /// Prompts of this share.
    pub count: u32,
    /// Which target positions.
    pub targets: Targets,
    /// No gradient through queries and keys.
    pub frozen: bool,
    /// Target layer; `None` is the last.
    pub target_layer: Option<usize>,
    /// Layer whose rows are streamed for the heat map.
    pub show_layer: usize,
}

/// A lens to be held against the shipped one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareRequest {
    /// The shipped lens to compare with.
    pub targets: Targets,
    /// Jacobians of layers `0 ..`, `[layer][D * D]`, row-major, rows = outputs; as many layers as there are.
    pub jacobians: Vec<Vec<f32>>,
    /// Words per list for the agreement of the readouts.
    pub top: usize,
}

/// A lens that a reader has fitted, as it is saved and opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnLens {
    /// Jacobians of layers `0 .. target`, `[layer][D * D]`, row-major, rows = outputs; the target layer is their number.
    pub jacobians: Vec<Vec<f32>>,
    /// Which target positions.
    pub targets: Targets,
    /// No gradient went through queries and keys.
    pub frozen: bool,
    /// Median over the prompts, not the mean.
    pub median: bool,
    /// Prompts in it.
    pub prompts: u32,
    /// Prompts without a valid position.
    pub skipped: u32,
    /// When written: seed of the corpus stream, of which the prompts are the first sentences.
    pub seed: u64,
    /// When opened: name of the text.
    pub corpus: String,
    /// Day, as `2026-01-31`, or empty.
    pub date: String,
    /// When opened: what the reader should know, such as hashes that differ from the loaded model's.
    pub warnings: Vec<String>,
}

/// Answer to [`CompareRequest`], per layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Cosine of the two Jacobians as vectors of `D * D` numbers.
    pub cosines: Vec<f32>,
    /// Share of the `top` words of the shipped lens's readout that are also in the other's, averaged over the valid positions of
    /// [`Comparison::prompts`] held-out prompts.
    pub agreement: Vec<f32>,
    /// Prompts read for the agreement.
    pub prompts: u32,
    /// Positions read for the agreement.
    pub positions: u32,
}

/// Worker to page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The worker is up.
    Ready {
        /// Must equal the page's build id.
        build: String,
        /// `cpu` or `gpu`.
        backend: String,
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

/// About the loaded model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// Display name.
    pub name: String,
    /// Words by id.
    pub words: Vec<String>,
    /// D.
    pub d_model: usize,
    /// L.
    pub n_layers: usize,
    /// Longest context.
    pub max_context: usize,
    /// Window, if any.
    pub window: Option<usize>,
    /// All parameters.
    pub parameters: usize,
    /// First 12 hex digits of the weights' hash.
    pub weights_hash: String,
    /// What the reader should know, such as a lens that was fitted with other weights.
    pub warnings: Vec<String>,
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
}
