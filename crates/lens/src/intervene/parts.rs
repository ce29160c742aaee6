//! The four matrices of an edit, from directions: linear algebra in f64, no backend.

use super::Mode;
use nalgebra::DMatrix;
use transformer::Edit;
use transformer::ops::real::Real;

/// An edit's numbers in f64: V `[D, k]`, P `[k, D]`, M `[k, k]`, c `[N, k]` (empty: zeros).
pub(super) struct Parts {
    v: DMatrix<f64>,
    p: DMatrix<f64>,
    m: DMatrix<f64>,
    c: Vec<f64>,
}

impl Parts {
    pub fn build<S: Real>(mut self, layer: usize, on: &[bool]) -> Edit<S> {
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

/// V+ `[k, D]`. V has full column rank here (checked by angle) or is an orthonormal basis, so `(V^T V)^-1 V^T` through QR.
pub(super) fn pseudo_inverse(v: &DMatrix<f64>) -> DMatrix<f64> {
    let qr = v.clone().qr();
    let (q, r) = (qr.q(), qr.r());
    // r is square and triangular with a nonzero diagonal
    r.solve_upper_triangular(&q.transpose())
        .unwrap_or_else(|| DMatrix::zeros(v.ncols(), v.nrows()))
}

pub(super) fn swap(v: &DMatrix<f64>, p: &DMatrix<f64>, clean: &[f64], mode: Mode) -> Parts {
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

pub(super) fn projection(v: &DMatrix<f64>, strength: f64) -> Parts {
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

pub(super) fn steer(v: &DMatrix<f64>, amount: f64, n: usize) -> Parts {
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
pub(super) fn ablate(v: &DMatrix<f64>) -> Parts {
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
