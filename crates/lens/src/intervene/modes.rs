//! From directions to edits.

use super::parts::{ablate, projection, pseudo_inverse, steer, swap};
use crate::error::{Error, Result, shape};
use crate::vectors::Directions;
use nalgebra::DMatrix;
use transformer::model::Trace;
use transformer::ops::Linear;
use transformer::ops::real::Real;
use transformer::{Edit, Model, Ops};

/// |cos| from which a pair is warned about.
const ALIKE: f64 = 0.99;
/// |cos| from which a pair is refused.
const TOO_ALIKE: f64 = 0.999;

/// How an edit is made. Source and target are the first and the second direction of a layer, s^ and t^ their unit vectors,
/// V = [s t] `[D, 2]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// `h + V (swap(V+ h_clean) - V+ h)`: the exchanged coordinates of the unmodified run, at every layer of a band. (An
    /// exchange of whatever arrives undoes itself at the next layer.)
    SwapClamped,
    /// `h + V (swap(c) - c)`, `c = V+ h`.
    SwapLive,
    /// `h + a <h, s^> (t^ - s^)`.
    Project {
        /// Strength a.
        strength: f64,
    },
    /// `h + a m t^`, m the mean length of the layer's states in the clean pass; t the last direction given.
    Steer {
        /// Strength a.
        strength: f64,
    },
    /// `h - V V+ h` for all directions given.
    Ablate,
}

/// Edits, and what the reader should know about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared<S> {
    /// One per layer.
    pub edits: Vec<Edit<S>>,
    /// Cosine of the first two directions per layer (empty with one direction).
    pub cosines: Vec<f64>,
    /// Coordinates `V+ h` (source, target) of the clean pass at the last edited position, per layer; swaps only.
    pub coordinates: Vec<[f64; 2]>,
    /// Nearly parallel directions.
    pub warning: Option<String>,
}

/// Makes the edits of `mode` along `directions` at the positions that are `on` (one entry per token of `clean`).
///
/// # Errors
/// [`Error::Parallel`] for a pair with |cos| > 0.999, [`Error::NoDirection`], [`Error::Shape`]; those of the backend.
pub async fn prepare<O: Ops>(
    model: &Model<O>,
    clean: &Trace<O::Buf>,
    directions: &Directions<O::S>,
    mode: Mode,
    on: &[bool],
) -> Result<Prepared<O::S>> {
    if on.len() != clean.tokens.len() {
        return Err(shape("positions to edit", clean.tokens.len(), on.len()));
    }
    let mut out = Prepared {
        edits: Vec::new(),
        cosines: Vec::new(),
        coordinates: Vec::new(),
        warning: None,
    };
    let mut layers = Vec::new();
    for (&layer, rows) in directions {
        model.check_layer("edited layer", layer)?;
        let v = columns(rows, model.config.d_model, layer, mode)?;
        check_angle(&v, layer, mode, &mut out)?;
        let needs = match mode {
            Mode::SwapClamped | Mode::SwapLive => {
                let p = pseudo_inverse(&v);
                let recorded = coordinates(model, clean, layer, &p);
                Needs::Coordinates(p, recorded)
            }
            Mode::Steer { .. } => Needs::States,
            Mode::Project { .. } | Mode::Ablate => Needs::Nothing,
        };
        layers.push(Layer {
            index: layer,
            v,
            needs,
        });
    }
    let mut numbers = clean_pass(model, clean, &layers).await?.into_iter();
    for Layer { index, v, needs } in layers {
        let mut next = || numbers.next().unwrap_or_default();
        let parts = match (mode, needs) {
            (_, Needs::Coordinates(p, _)) => {
                let coordinates: Vec<f64> = next().iter().map(|x| x.wide()).collect();
                out.coordinates.push(at_last(&coordinates, on));
                swap(&v, &p, &coordinates, mode)
            }
            (Mode::Steer { strength }, _) => {
                let size = mean_length(&next(), model.config.d_model);
                steer(&v, strength * size, on.len())
            }
            (Mode::Project { strength }, _) => projection(&v, strength),
            _ => ablate(&v),
        };
        out.edits.push(parts.build(index, on));
    }
    Ok(out)
}

/// A layer to be edited.
struct Layer<B> {
    index: usize,
    /// Directions as columns `[D, k]`.
    v: DMatrix<f64>,
    needs: Needs<B>,
}

/// What an edit needs to know of the clean pass.
enum Needs<B> {
    /// V+, and `V+ h` `[N, k]` as recorded.
    Coordinates(DMatrix<f64>, B),
    /// The layer's states.
    States,
    Nothing,
}

/// Reads what all layers need, at once.
async fn clean_pass<O: Ops>(
    model: &Model<O>,
    clean: &Trace<O::Buf>,
    layers: &[Layer<O::Buf>],
) -> Result<Vec<Vec<O::S>>> {
    let wanted = layers.iter().filter_map(|layer| match &layer.needs {
        Needs::Coordinates(_, recorded) => Some(recorded),
        Needs::States => Some(&clean.residuals[layer.index]),
        Needs::Nothing => None,
    });
    let wanted: Vec<&O::Buf> = wanted.collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    Ok(model.ops.read_all(&wanted).await?)
}

/// Mean over positions of the length of a layer's states.
///
/// # Errors
/// Those of the backend.
pub async fn mean_norm<O: Ops>(
    model: &Model<O>,
    trace: &Trace<O::Buf>,
    layer: usize,
) -> Result<f64> {
    model.check_layer("layer", layer)?;
    let h = model.ops.read(&trace.residuals[layer]).await?;
    Ok(mean_length(&h, model.config.d_model))
}

fn mean_length<S: Real>(h: &[S], d: usize) -> f64 {
    let lengths = h.chunks_exact(d).map(|row| {
        let square: f64 = row.iter().map(|x| x.wide() * x.wide()).sum();
        square.sqrt()
    });
    lengths.sum::<f64>() / (h.len() / d) as f64
}

/// Directions as columns `[D, k]`, with the numbers of directions that the mode takes and none of length zero.
fn columns<S: Real>(rows: &[S], d: usize, layer: usize, mode: Mode) -> Result<DMatrix<f64>> {
    let k = rows.len() / d;
    let (least, most) = match mode {
        Mode::SwapClamped | Mode::SwapLive | Mode::Project { .. } => (2, 2),
        Mode::Steer { .. } => (1, 2),
        Mode::Ablate => (1, d),
    };
    if rows.len() != k * d || k < least || k > most {
        let expected = format!("[{least}..={most}, {d}] at layer {layer} for {mode:?}");
        return Err(shape(
            "directions",
            expected,
            format!("{} numbers", rows.len()),
        ));
    }
    let v = DMatrix::from_fn(d, k, |i, n| rows[n * d + i].wide());
    for (index, column) in v.column_iter().enumerate() {
        let norm = column.norm();
        if !norm.is_finite() || norm == 0.0 {
            return Err(Error::NoDirection { layer, index, norm });
        }
    }
    Ok(v)
}

/// Notes the cosine of the first two directions; warns of, or refuses, a pair whose coordinates would be noise.
fn check_angle<S>(v: &DMatrix<f64>, layer: usize, mode: Mode, out: &mut Prepared<S>) -> Result<()> {
    if v.ncols() < 2 {
        return Ok(());
    }
    let cosine = v.column(0).dot(&v.column(1)) / (v.column(0).norm() * v.column(1).norm());
    out.cosines.push(cosine);
    let pair = !matches!(mode, Mode::Steer { .. } | Mode::Ablate);
    if pair && cosine.abs() > TOO_ALIKE {
        return Err(Error::Parallel { layer, cosine });
    }
    if pair && cosine.abs() > ALIKE && out.warning.is_none() {
        out.warning = Some(format!(
            "the two directions are nearly parallel at layer {layer} (cos = {cosine:.4}): small differences are magnified, so read the result with care"
        ));
    }
    Ok(())
}

/// Records `V+ h` of the clean pass, `[N, k]`.
fn coordinates<O: Ops>(
    model: &Model<O>,
    clean: &Trace<O::Buf>,
    layer: usize,
    p: &DMatrix<f64>,
) -> O::Buf {
    let numbers: Vec<O::S> = p.transpose().iter().map(|&x| O::S::of(x)).collect();
    let map = Linear {
        w: model.ops.upload(&numbers),
        bias: None,
        inp: model.config.d_model,
        out: p.nrows(),
    };
    model.ops.linear(&clean.residuals[layer], &map)
}

fn at_last(coordinates: &[f64], on: &[bool]) -> [f64; 2] {
    let last = on.iter().rposition(|&on| on).unwrap_or(0);
    [coordinates[2 * last], coordinates[2 * last + 1]]
}
