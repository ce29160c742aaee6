//! From directions to edits.

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
    for (&layer, rows) in directions {
        model.check_layer("edited layer", layer)?;
        let v = columns(rows, model.config.d_model, layer, mode)?;
        check_angle(&v, layer, mode, &mut out)?;
        let edit = match mode {
            Mode::SwapClamped | Mode::SwapLive => {
                let p = pseudo_inverse(&v);
                let coordinates = coordinates(model, clean, layer, &p).await?;
                out.coordinates.push(at_last(&coordinates, on));
                swap(&v, &p, &coordinates, mode)
            }
            Mode::Project { strength } => projection(&v, strength),
            Mode::Steer { strength } => {
                let size = mean_norm(model, clean, layer).await?;
                steer(&v, strength * size, on.len())
            }
            Mode::Ablate => ablate(&v),
        };
        out.edits.push(edit.build(layer, on));
    }
    Ok(out)
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
    let d = model.config.d_model;
    let lengths = h.chunks_exact(d).map(|row| {
        let square: f64 = row.iter().map(|x| x.wide() * x.wide()).sum();
        square.sqrt()
    });
    Ok(lengths.sum::<f64>() / (h.len() / d) as f64)
}

/// An edit's numbers in f64: V `[D, k]`, P `[k, D]`, M `[k, k]`, c `[N, k]` (empty: zeros).
struct Parts {
    v: DMatrix<f64>,
    p: DMatrix<f64>,
    m: DMatrix<f64>,
    c: Vec<f64>,
}

impl Parts {
    fn build<S: Real>(mut self, layer: usize, on: &[bool]) -> Edit<S> {
        self.c.resize(on.len() * self.v.ncols(), 0.0);
        let row_major = |m: &DMatrix<f64>| m.transpose().iter().map(|&x| S::of(x)).collect();
        Edit {
            layer,
            v: self.v.iter().map(|&x| S::of(x)).collect(), // column-major [D, k] is row-major [k, D]
            p: row_major(&self.p),
            m: row_major(&self.m),
            c: self.c.iter().map(|&x| S::of(x)).collect(),
            on: on.to_vec(),
        }
    }
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

/// V+ `[k, D]`. V has full column rank here (checked by angle) or is an orthonormal basis, so `(V^T V)^-1 V^T` through QR.
fn pseudo_inverse(v: &DMatrix<f64>) -> DMatrix<f64> {
    let qr = v.clone().qr();
    let (q, r) = (qr.q(), qr.r());
    // r is square and triangular with a nonzero diagonal
    r.solve_upper_triangular(&q.transpose())
        .unwrap_or_else(|| DMatrix::zeros(v.ncols(), v.nrows()))
}

/// `V+ h` of the clean pass, `[N, k]`.
async fn coordinates<O: Ops>(
    model: &Model<O>,
    clean: &Trace<O::Buf>,
    layer: usize,
    p: &DMatrix<f64>,
) -> Result<Vec<f64>> {
    let numbers: Vec<O::S> = p.transpose().iter().map(|&x| O::S::of(x)).collect();
    let map = Linear {
        w: model.ops.upload(&numbers),
        bias: None,
        inp: model.config.d_model,
        out: p.nrows(),
    };
    let c = model.ops.linear(&clean.residuals[layer], &map);
    Ok(model.ops.read(&c).await?.iter().map(|x| x.wide()).collect())
}

fn at_last(coordinates: &[f64], on: &[bool]) -> [f64; 2] {
    let last = on.iter().rposition(|&on| on).unwrap_or(0);
    [coordinates[2 * last], coordinates[2 * last + 1]]
}

fn swap(v: &DMatrix<f64>, p: &DMatrix<f64>, clean: &[f64], mode: Mode) -> Parts {
    let (v, p) = (v.clone(), p.clone());
    if mode == Mode::SwapLive {
        let m = DMatrix::from_row_slice(2, 2, &[-1.0, 1.0, 1.0, -1.0]);
        return Parts {
            v,
            p,
            m,
            c: Vec::new(),
        };
    }
    let c = clean.chunks_exact(2).flat_map(|c| [c[1], c[0]]).collect();
    Parts {
        v,
        p,
        m: -DMatrix::identity(2, 2),
        c,
    }
}

fn projection(v: &DMatrix<f64>, strength: f64) -> Parts {
    let (s, t) = (v.column(0).normalize(), v.column(1).normalize());
    let p = DMatrix::from_columns(std::slice::from_ref(&s)).transpose();
    let v = DMatrix::from_columns(&[(t - s) * strength]);
    Parts {
        v,
        p,
        m: DMatrix::identity(1, 1),
        c: Vec::new(),
    }
}

fn steer(v: &DMatrix<f64>, amount: f64, n: usize) -> Parts {
    let t = v.column(v.ncols() - 1).normalize();
    let v = DMatrix::from_columns(&[t]);
    let (p, m) = (DMatrix::zeros(1, v.nrows()), DMatrix::zeros(1, 1));
    Parts {
        v,
        p,
        m,
        c: vec![amount; n],
    }
}

/// Directions that depend on the others (to 1e-6) add nothing to the span and are left out.
fn ablate(v: &DMatrix<f64>) -> Parts {
    let mut basis: Vec<nalgebra::DVector<f64>> = Vec::new();
    for column in v.column_iter() {
        let (mut rest, size) = (column.clone_owned(), column.norm());
        for _ in 0..2 {
            // twice is enough for orthogonality to rounding
            for b in &basis {
                let along = b.dot(&rest);
                rest.axpy(-along, b, 1.0);
            }
        }
        if rest.norm() > 1e-6 * size {
            basis.push(rest.normalize());
        }
    }
    let v = DMatrix::from_columns(&basis);
    let (p, m) = (v.transpose(), -DMatrix::identity(v.ncols(), v.ncols()));
    Parts {
        v,
        p,
        m,
        c: Vec::new(),
    }
}
