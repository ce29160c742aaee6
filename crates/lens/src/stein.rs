//! Both sides of Stein's lemma for a layer: averaged gradients (a lens) and regression on the states themselves.
//!
//! For Gaussian x with covariance S and mean m, `E[grad g(x)] = S^-1 E[g(x) (x - m)]` (Stein 1981). With `g_w = <u_w, y>`, y the
//! final state (or the sum of the final states of later positions), the left side is a lens vector `J^T u_w`. The right side is
//! `B^T u_w` with the regression matrix `B = C S^-1`, C the covariance of y with x: [`Moments`] gathers what B needs. Real
//! states are not Gaussian, so the two sides need not agree; how far they do is what is measured.

use crate::Targets;
use crate::error::{Error, Result, shape};
use nalgebra::{DMatrix, DVector};
use transformer::model::Trace;
use transformer::ops::real::Real;
use transformer::{Model, Ops};

/// Sums over pairs of a state x `[D]` and a later state y `[D]`.
#[derive(Clone, Debug)]
pub struct Moments {
    n: usize,
    x: DVector<f64>,
    y: DVector<f64>,
    xx: DMatrix<f64>,
    yx: DMatrix<f64>,
}

impl Moments {
    /// Of states of width `d`.
    pub fn new(d: usize) -> Self {
        Self {
            n: 0,
            x: DVector::zeros(d),
            y: DVector::zeros(d),
            xx: DMatrix::zeros(d, d),
            yx: DMatrix::zeros(d, d),
        }
    }

    /// Pairs seen.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Adds a pair.
    ///
    /// # Errors
    /// [`Error::Shape`] for vectors of another width.
    pub fn add(&mut self, x: &[f64], y: &[f64]) -> Result<()> {
        let d = self.x.len();
        if x.len() != d || y.len() != d {
            return Err(shape("states", d, format!("{} and {}", x.len(), y.len())));
        }
        let (x, y) = (DVector::from_column_slice(x), DVector::from_column_slice(y));
        self.n += 1;
        self.x += &x;
        self.y += &y;
        self.xx.ger(1.0, &x, &x, 1.0);
        self.yx.ger(1.0, &y, &x, 1.0);
        Ok(())
    }

    /// The regression matrix B `[D, D]`, row-major, rows = coordinates of y. `ridge` times the mean variance is added to S's
    /// diagonal, for directions in which states do not vary.
    ///
    /// # Errors
    /// [`Error::Option`] with fewer pairs than coordinates, or a covariance that cannot be inverted.
    pub fn regression(&self, ridge: f64) -> Result<Vec<f32>> {
        let whitened = self.solver(ridge)?;
        let n = self.n as f64;
        let c = &self.yx / n - (&self.y / n) * (&self.x / n).transpose();
        // B = C S^-1, so B^T = S^-1 C^T; its columns are B's rows
        let b = whitened.solve(&c.transpose());
        Ok(b.iter().map(|&x| x as f32).collect())
    }

    /// `S^-1 (v - m)`: a whitened class mean, for the mean state v of a class.
    ///
    /// # Errors
    /// As [`Moments::regression`]; [`Error::Shape`].
    pub fn whiten(&self, v: &[f64], ridge: f64) -> Result<Vec<f32>> {
        if v.len() != self.x.len() {
            return Err(shape("mean state", self.x.len(), v.len()));
        }
        let v = DVector::from_column_slice(v) - &self.x / self.n.max(1) as f64;
        let w = self.solver(ridge)?.solve(&v);
        Ok(w.iter().map(|&x| x as f32).collect())
    }

    fn solver(&self, ridge: f64) -> Result<nalgebra::Cholesky<f64, nalgebra::Dyn>> {
        let (n, d) = (self.n, self.x.len());
        let refuse = |why: String| Error::Option {
            option: "sentences",
            why,
        };
        if n <= d {
            let why = format!("have {n} states; a covariance in {d} dimensions needs more");
            return Err(refuse(why));
        }
        let m = &self.x / n as f64;
        let mut s = &self.xx / n as f64 - &m * m.transpose();
        let level = ridge * s.trace() / d as f64;
        (0..d).for_each(|i| s[(i, i)] += level);
        s.cholesky()
            .ok_or_else(|| refuse("have states whose covariance cannot be inverted".to_owned()))
    }
}

/// Which pairs of a sentence count: the lens's own sources and targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairs {
    targets: Targets,
    skip: usize,
}

impl Pairs {
    /// y is the final state at x's own position, or the sum of final states at all positions from it on, or after it; the first
    /// `skip` positions and the last one are left out, as in a fit.
    pub fn new(targets: Targets, skip: usize) -> Self {
        Self { targets, skip }
    }

    /// Adds a sentence's pairs at a layer.
    ///
    /// # Errors
    /// A layer that the model does not have; those of the backend.
    pub async fn collect<O: Ops>(
        self,
        model: &Model<O>,
        trace: &Trace<O::Buf>,
        layer: usize,
        moments: &mut Moments,
    ) -> Result<()> {
        model.check_layer("layer", layer)?;
        let d = model.config.d_model;
        let wide = |x: &[O::S]| x.iter().map(|x| x.wide()).collect::<Vec<f64>>();
        let (x, last) = (
            model.ops.read(&trace.residuals[layer]).await?,
            model
                .ops
                .read(&trace.residuals[model.config.n_layers])
                .await?,
        );
        let mut later = vec![0.0; d];
        for t in (self.skip..trace.tokens.len().saturating_sub(1)).rev() {
            let here = wide(&last[t * d..][..d]);
            let sum: Vec<f64> = later.iter().zip(&here).map(|(a, b)| a + b).collect();
            let y = match self.targets {
                Targets::Same => &here,
                Targets::All => &sum,
                Targets::Future => &later,
            };
            moments.add(&wide(&x[t * d..][..d]), y)?;
            later = sum;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervene::directions_like;

    /// For a linear map the averaged gradient is the map itself, and regression must find it, whatever the states.
    #[test]
    fn regression_finds_a_linear_map() {
        let d = 3;
        let map = [1.0, 2.0, 0.0, -1.0, 0.5, 3.0, 0.0, 0.0, 1.5];
        let mut moments = Moments::new(d);
        assert!(moments.regression(0.0).is_err());
        let states: Vec<f64> = directions_like(200, d, 7, 0);
        for x in states.chunks_exact(d) {
            let x: Vec<f64> = x.iter().map(|x| x * x * x + 1.0).collect(); // far from Gaussian
            let y: Vec<f64> = map
                .chunks_exact(d)
                .map(|row| 4.0 + row.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>())
                .collect();
            moments.add(&x, &y).unwrap();
        }
        let b = moments.regression(0.0).unwrap();
        for (got, want) in b.iter().zip(map) {
            assert!((f64::from(*got) - want).abs() < 1e-4, "{b:?}");
        }
        assert!(moments.add(&[1.0], &[1.0]).is_err());
    }

    /// For a bent function of Gaussian states the lemma itself: E[grad sin(a.x)] = S^-1 E[sin(a.x) (x - m)].
    #[test]
    fn both_sides_agree_for_gaussian_states() {
        let (d, n) = (2, 40_000);
        let a = [0.8, -0.3];
        let mut moments = Moments::new(d);
        let mut left = [0.0; 2];
        let states: Vec<f64> = directions_like(n, d, 3, 0);
        for x in states.chunks_exact(d) {
            // unit variance, then stretched and moved
            let x = [
                2f64.sqrt() * x[0] * 1.5 + 0.2,
                2f64.sqrt() * (x[1] + 0.5 * x[0]),
            ];
            let along = a[0] * x[0] + a[1] * x[1];
            (0..d).for_each(|i| left[i] += along.cos() * a[i] / n as f64);
            moments.add(&x, &[along.sin(), 0.0]).unwrap();
        }
        let right = moments.regression(0.0).unwrap();
        for i in 0..d {
            assert!(
                (f64::from(right[i]) - left[i]).abs() < 0.01,
                "{right:?} {left:?}"
            );
        }
    }
}
