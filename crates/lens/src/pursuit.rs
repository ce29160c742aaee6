//! A state as a sparse nonnegative sum of lens vectors.
//!
//! Nonnegative gradient pursuit (after Blumensath & Davies 2008): with unit atoms `a_i`, coefficients c on a chosen set S and
//! the residual `r = x - A c`, each round adds to S the atom with the largest `<a_i, r>` (until none is positive), steps along
//! the gradient restricted to S with the exact line search, and clips at 0. Where clipping bent the step, a second exact line
//! search along the bent step keeps the error from growing: the feasible set is convex, so every point of it is allowed.
//!
//! With [`Refit::Exact`] the coefficients are instead refitted after each round by nonnegative least squares on the chosen set
//! (Lawson & Hanson 1974), which also decides the next residual.

use crate::error::{Result, shape};
use nalgebra::{DMatrix, DVector};

/// How coefficients follow from the chosen atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refit {
    /// One gradient step per round.
    Gradient,
    /// Nonnegative least squares on the chosen set, every round.
    Exact,
}

/// Unit-length atoms.
#[derive(Clone, Debug)]
pub struct Dictionary {
    d: usize,
    /// Columns are atoms, `[D, n]`.
    atoms: DMatrix<f32>,
}

/// A state's decomposition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decomposition {
    /// Chosen atoms, in the order chosen.
    pub atoms: Vec<usize>,
    /// Their coefficients (for unit atoms), all >= 0.
    pub coefficients: Vec<f64>,
    /// `1 - |x - A c|^2 / |x|^2` after each round; for an exact refit this equals `|A c|^2 / |x|^2`.
    pub explained: Vec<f64>,
    /// The same with coefficients by nonnegative least squares on the set as chosen; equals `explained` for [`Refit::Exact`].
    pub explained_exact: Vec<f64>,
    /// Coefficients by nonnegative least squares on the final set.
    pub exact: Vec<f64>,
    /// Coefficients after each round, in the order of the atoms chosen so far.
    pub path: Vec<Vec<f64>>,
}

impl Dictionary {
    /// From vectors `[n, D]`; vectors of length zero stay zero and are never chosen.
    ///
    /// # Errors
    /// [`crate::Error::Shape`] for a length that D does not divide.
    pub fn new(vectors: &[f32], d: usize) -> Result<Self> {
        if d == 0 || !vectors.len().is_multiple_of(d) || vectors.is_empty() {
            return Err(shape(
                "dictionary",
                format!("[n, {d}], n >= 1"),
                vectors.len(),
            ));
        }
        let mut atoms = DMatrix::from_column_slice(d, vectors.len() / d, vectors);
        for mut atom in atoms.column_iter_mut() {
            let norm = atom.norm();
            if norm.is_normal() {
                atom /= norm;
            } else {
                atom.fill(0.0);
            }
        }
        Ok(Self { d, atoms })
    }

    /// An atom, `[D]`.
    pub fn atom(&self, i: usize) -> Option<&[f32]> {
        self.atoms.as_slice().chunks_exact(self.d).nth(i)
    }

    /// At most `k` atoms for the state `x` `[D]`.
    ///
    /// # Errors
    /// [`crate::Error::Shape`] for a state of another width.
    pub fn pursue(&self, x: &[f32], k: usize, refit: Refit) -> Result<Decomposition> {
        if x.len() != self.d {
            return Err(shape("state", self.d, x.len()));
        }
        let x = DVector::from_iterator(self.d, x.iter().map(|&x| f64::from(x)));
        let mut out = Decomposition::default();
        let total = x.norm_squared();
        if !(total.is_finite() && total > 0.0) {
            return Ok(out);
        }
        let mut residual = x.clone();
        while out.atoms.len() < k.min(self.atoms.ncols()) {
            let Some(best) = self.best(&residual, &out.atoms) else {
                break;
            };
            out.atoms.push(best);
            out.coefficients.push(0.0);
            let chosen = self.columns(&out.atoms);
            let exact = nnls(&chosen, &x);
            let c = match refit {
                Refit::Exact => exact.clone(),
                Refit::Gradient => step(&chosen, &residual, &out.coefficients),
            };
            let unexplained = |c: &DVector<f64>| 1.0 - (&x - &chosen * c).norm_squared() / total;
            out.explained.push(unexplained(&c));
            out.explained_exact.push(unexplained(&exact));
            residual = &x - &chosen * &c;
            out.coefficients = c.iter().copied().collect();
            out.exact = exact.iter().copied().collect();
            out.path.push(out.coefficients.clone());
        }
        Ok(out)
    }

    /// For comparison: the `k` atoms with the largest inner products with `x` itself, as a ranked readout would take them, with
    /// coefficients by nonnegative least squares after each.
    ///
    /// # Errors
    /// As [`Dictionary::pursue`].
    pub fn plain(&self, x: &[f32], k: usize) -> Result<Decomposition> {
        if x.len() != self.d {
            return Err(shape("state", self.d, x.len()));
        }
        let x = DVector::from_iterator(self.d, x.iter().map(|&x| f64::from(x)));
        let products = self.atoms.tr_mul(&x.map(|x| x as f32));
        let mut order: Vec<usize> = (0..products.len()).filter(|&i| products[i] > 0.0).collect();
        order.sort_by(|&i, &j| products[j].total_cmp(&products[i]).then(i.cmp(&j)));
        order.truncate(k);
        let mut out = Decomposition::default();
        let total = x.norm_squared();
        for n in 1..=order.len() {
            let chosen = self.columns(&order[..n]);
            let c = nnls(&chosen, &x);
            let left = (&x - &chosen * &c).norm_squared();
            out.explained.push(1.0 - left / total);
            out.coefficients = c.iter().copied().collect();
            out.path.push(out.coefficients.clone());
        }
        out.atoms = order;
        out.explained_exact.clone_from(&out.explained);
        out.exact.clone_from(&out.coefficients);
        Ok(out)
    }

    /// Cosine of two atoms.
    pub fn cosine(&self, i: usize, j: usize) -> f64 {
        f64::from(self.atoms.column(i).dot(&self.atoms.column(j)))
    }

    /// `A c` for a decomposition's coefficients, `[D]`.
    pub fn reconstruct(&self, atoms: &[usize], coefficients: &[f64]) -> Vec<f32> {
        let sum = self.columns(atoms) * DVector::from_column_slice(coefficients);
        sum.iter().map(|&x| x as f32).collect()
    }

    /// The atom not yet chosen with the largest positive inner product.
    fn best(&self, residual: &DVector<f64>, chosen: &[usize]) -> Option<usize> {
        let products = self.atoms.tr_mul(&residual.map(|x| x as f32));
        let free = products
            .iter()
            .enumerate()
            .filter(|(i, _)| !chosen.contains(i));
        let best = free.max_by(|(i, a), (j, b)| a.total_cmp(b).then(j.cmp(i)))?;
        // below rounding there is nothing left to explain
        (f64::from(*best.1) > 1e-6 * residual.norm()).then_some(best.0)
    }

    fn columns(&self, atoms: &[usize]) -> DMatrix<f64> {
        DMatrix::from_fn(self.d, atoms.len(), |i, n| {
            f64::from(self.atoms[(i, atoms[n])])
        })
    }
}

/// One clipped gradient step from coefficients `c`.
fn step(a: &DMatrix<f64>, residual: &DVector<f64>, c: &[f64]) -> DVector<f64> {
    let c = DVector::from_column_slice(c);
    let gradient = a.tr_mul(residual);
    let along = a * &gradient;
    let size = gradient.norm_squared() / along.norm_squared().max(f64::MIN_POSITIVE);
    let clipped = (&c + gradient * size).map(|x| x.max(0.0));
    let direction = clipped - &c;
    let moved = a * &direction;
    let damping = residual.dot(&moved) / moved.norm_squared().max(f64::MIN_POSITIVE);
    c + direction * damping.clamp(0.0, 1.0)
}

/// `argmin |x - A c|` over c >= 0, by active sets; A has few columns.
pub fn nnls(a: &DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> {
    let n = a.ncols();
    let mut c = DVector::zeros(n);
    let mut active = vec![false; n];
    let tolerance = 1e-10 * x.norm();
    for _ in 0..10 * n + 10 {
        let gradient = a.tr_mul(&(x - a * &c));
        let enter = (0..n)
            .filter(|&i| !active[i] && gradient[i] > tolerance)
            .max_by(|&i, &j| gradient[i].total_cmp(&gradient[j]));
        let Some(enter) = enter else { break };
        active[enter] = true;
        settle(a, x, &mut c, &mut active);
    }
    c
}

/// Moves c to the least-squares solution on the active set, dropping atoms that would become negative.
fn settle(a: &DMatrix<f64>, x: &DVector<f64>, c: &mut DVector<f64>, active: &mut [bool]) {
    loop {
        let set: Vec<usize> = (0..active.len()).filter(|&i| active[i]).collect();
        let columns = a.select_columns(&set);
        let Ok(z) = columns.svd(true, true).solve(x, 1e-12) else {
            return;
        };
        let blocked = set.iter().zip(z.iter()).filter(|(_, z)| **z <= 0.0);
        let reach = blocked.map(|(&i, z)| c[i] / (c[i] - z)).fold(1.0, f64::min);
        for (&i, z) in set.iter().zip(z.iter()) {
            c[i] += reach * (z - c[i]);
        }
        if reach >= 1.0 && z.iter().all(|&z| z > 0.0) {
            return;
        }
        for &i in &set {
            if c[i] <= 1e-14 {
                c[i] = 0.0;
                active[i] = false;
            }
        }
        if !active.contains(&true) {
            return;
        }
    }
}
