//! A plane through the residual stream, pushed to the last layer: `F(x, y) = O h_L(watch)` where the state at the moved layer
//! and position is `clean + m (x u1 + y u2)`, m the layer's mean norm, and O's two rows are the output directions over the
//! last layer's mean norm.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{Slice, SliceRequest, Targets};
use lens::Basis;
use lens::intervene::mean_norm;
use transformer::model::Trace;
use transformer::ops::attention::Paths;
use transformer::ops::real::Real;
use transformer::{Edit, Keep, Ops};

/// Most tokens in one batch: bounds the memory of a fine grid.
const BATCH_TOKENS: usize = 4096;
/// Most points per side.
const MAX_GRID: usize = 201;
/// Most further points.
const MAX_POINTS: usize = 4096;

/// The plane of one request.
struct Plane<'r, S> {
    request: &'r SliceRequest,
    /// Tokens up to the watched position: later ones cannot change it.
    tokens: &'r [u32],
    /// Input directions `[2, D]`, orthonormal.
    input: Vec<S>,
    /// Mean norm at the moved layer.
    scale: f64,
    /// Output directions `[2, D]`, orthonormal, over the last layer's mean norm.
    output: Vec<S>,
}

impl<O: Ops> Session<O> {
    /// Answers a slice request.
    ///
    /// # Errors
    /// Positions, layers, words or sizes that do not exist or are too large; directions that cannot be told apart.
    pub async fn slice(&self, request: &SliceRequest) -> Result<Slice> {
        let plane = self.plane(request).await?;
        let mut slice = Slice {
            grid: self.images(&plane, &grid(request)).await?,
            outline: self.images(&plane, &request.outline).await?,
            values: Vec::new(),
            jacobians: Vec::new(),
        };
        for points in request.points.chunks(plane.per_batch()) {
            let trace = self.moved(&plane, points, Keep::ForVjp)?;
            slice.values.extend(self.watched(&plane, &trace).await?);
            slice
                .jacobians
                .extend(self.jacobians(&plane, &trace).await?);
        }
        Ok(slice)
    }

    async fn plane<'r>(&self, request: &'r SliceRequest) -> Result<Plane<'r, O::S>> {
        check(request, self.model.config.n_layers)?;
        let (model, tokens) = (&self.model, &request.tokens[..=request.watch]);
        let clean = model.forward(tokens, tokens.len(), &[], Keep::Residuals)?;
        let (d, last) = (model.config.d_model, model.config.n_layers);
        let basis = Basis::Jacobian(self.lens(Targets::All)?);
        let layers = [request.layer, last];
        let directions = self
            .head
            .directions(model, basis, layers, &request.words, true)
            .await?;
        let scale = mean_norm(model, &clean, request.layer).await?;
        let unit = 1.0 / mean_norm(model, &clean, last).await?;
        Ok(Plane {
            request,
            tokens,
            input: orthonormal(&directions[&request.layer], d, 1.0)?,
            scale,
            output: orthonormal(&directions[&last], d, unit)?,
        })
    }

    /// Images of points, forward passes only.
    async fn images(&self, plane: &Plane<'_, O::S>, points: &[[f32; 2]]) -> Result<Vec<[f32; 2]>> {
        let mut images = Vec::with_capacity(points.len());
        for points in points.chunks(plane.per_batch()) {
            let trace = self.moved(plane, points, Keep::Residuals)?;
            images.extend(self.watched(plane, &trace).await?);
        }
        Ok(images)
    }

    /// One sequence per point, each moved to its point.
    fn moved(
        &self,
        plane: &Plane<'_, O::S>,
        points: &[[f32; 2]],
        keep: Keep,
    ) -> Result<Trace<O::Buf>> {
        let t = plane.tokens.len();
        let n = points.len() * t;
        let (mut c, mut on) = (vec![O::S::default(); 2 * n], vec![false; n]);
        for (i, point) in points.iter().enumerate() {
            let row = i * t + plane.request.position;
            on[row] = true;
            for (c, &x) in c[2 * row..].iter_mut().zip(point) {
                *c = O::S::of(f64::from(x) * plane.scale);
            }
        }
        let zeros = vec![O::S::default(); plane.input.len()];
        let edit = Edit {
            layer: plane.request.layer,
            v: plane.input.clone(),
            p: zeros,
            m: vec![O::S::default(); 4],
            c,
            on,
        };
        let tokens = plane.tokens.repeat(points.len());
        Ok(self.model.forward(&tokens, t, &[edit], keep)?)
    }

    /// Coordinates of the watched position's last state, per sequence.
    async fn watched(
        &self,
        plane: &Plane<'_, O::S>,
        trace: &Trace<O::Buf>,
    ) -> Result<Vec<[f32; 2]>> {
        let (d, t) = (self.model.config.d_model, plane.tokens.len());
        let rows: Vec<u32> = (0..trace.tokens.len() / t)
            .map(|i| (i * t + t - 1) as u32)
            .collect();
        let last = &trace.residuals[self.model.config.n_layers];
        let states = self
            .model
            .ops
            .read(&self.model.ops.embed(last, &rows, d))
            .await?;
        Ok(states
            .chunks_exact(d)
            .map(|h| coordinates(h, &plane.output, 1.0))
            .collect())
    }

    /// Jacobians at the sequences' points: one backward pass with two cotangents, `u^T J` for the two output directions.
    async fn jacobians(
        &self,
        plane: &Plane<'_, O::S>,
        trace: &Trace<O::Buf>,
    ) -> Result<Vec<[[f32; 2]; 2]>> {
        let (d, t, n) = (
            self.model.config.d_model,
            plane.tokens.len(),
            trace.tokens.len(),
        );
        let mut cotangents = vec![O::S::default(); 2 * n * d];
        for (r, direction) in plane.output.chunks_exact(d).enumerate() {
            for watched in (t - 1..n).step_by(t) {
                let at = (r * n + watched) * d;
                cotangents[at..at + d].copy_from_slice(direction);
            }
        }
        let (model, layer) = (&self.model, plane.request.layer);
        let seed = model.ops.upload(&cotangents);
        let from = model.config.n_layers;
        let g = model.vjp(trace, from, layer, seed, Paths::ALL, &mut |_, _| {})?;
        let rows: Vec<u32> = (0..2 * n)
            .skip(plane.request.position)
            .step_by(t)
            .map(|row| row as u32)
            .collect();
        let pulled = model.ops.read(&model.ops.embed(&g, &rows, d)).await?;
        let along: Vec<[f32; 2]> = pulled
            .chunks_exact(d)
            .map(|g| coordinates(g, &plane.input, plane.scale))
            .collect();
        let (first, second) = along.split_at(n / t);
        Ok(first.iter().zip(second).map(|(&a, &b)| [a, b]).collect())
    }
}

impl<S> Plane<'_, S> {
    fn per_batch(&self) -> usize {
        (BATCH_TOKENS / self.tokens.len()).max(1)
    }
}

/// Refuses what cannot be computed, before anything is.
fn check(request: &SliceRequest, last: usize) -> Result<()> {
    let bad = |field, why: String| Err(Error::request(field, why));
    let t = request.tokens.len();
    if request.watch >= t {
        let why = format!("is {}; the prompt has {t} tokens", request.watch);
        return bad("watched position", why);
    }
    if request.position > request.watch {
        let (moved, watch) = (request.position, request.watch);
        let why = format!("is {moved}, after the watched one, {watch}, which it cannot reach");
        return bad("moved position", why);
    }
    if request.layer > last {
        return bad(
            "moved layer",
            format!("is {}; the last is {last}", request.layer),
        );
    }
    let points = request.points.len() + request.outline.len();
    if request.grid > MAX_GRID || points > MAX_POINTS {
        let why = format!(
            "has {} points per side and {points} further points; at most {MAX_GRID} and {MAX_POINTS}",
            request.grid
        );
        return bad("slice", why);
    }
    Ok(())
}

/// The grid's points, x fastest, from `-extent` to `extent`.
fn grid(request: &SliceRequest) -> Vec<[f32; 2]> {
    let n = request.grid;
    let at = |i: usize| match n {
        1 => 0.0,
        _ => request.extent * (2.0 * i as f32 / (n - 1) as f32 - 1.0),
    };
    (0..n * n).map(|i| [at(i % n), at(i / n)]).collect()
}

/// Inner products with two directions, times `scale`.
fn coordinates<S: Real>(h: &[S], directions: &[S], scale: f64) -> [f32; 2] {
    let (a, b) = directions.split_at(h.len());
    [a, b].map(|u| (scale * dot(h, u)) as f32)
}

fn dot<S: Real>(a: &[S], b: &[S]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.wide() * b.wide()).sum()
}

/// Gram-Schmidt on two directions `[2, D]`; both come out with length `length`.
fn orthonormal<S: Real>(rows: &[S], d: usize, length: f64) -> Result<Vec<S>> {
    let (a, b) = rows.split_at(d);
    let unit = |v: Vec<f64>, least: f64| {
        let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm.is_finite() && norm > least {
            return Ok(v.into_iter().map(|x| x / norm).collect::<Vec<f64>>());
        }
        let why = "have directions that are zero or too alike to span a plane; choose other words";
        Err(Error::request("the two words", why))
    };
    let wide = |v: &[S]| v.iter().map(|x| x.wide()).collect::<Vec<f64>>();
    let a = unit(wide(a), 0.0)?;
    let b = unit(wide(b), 0.0)?;
    let along: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    let b = unit(a.iter().zip(&b).map(|(a, b)| b - along * a).collect(), 1e-3)?;
    Ok(a.into_iter().chain(b).map(|x| S::of(length * x)).collect())
}
