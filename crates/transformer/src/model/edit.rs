//! Interventions, as data: what a forward pass does to the residual stream on its way.

use super::Model;
use crate::error::{Error, Result};
use crate::ops::{EditBufs, Ops};

/// `h_n += V (M P h_n + c_n)` at one layer, for the positions that are switched on; see [`crate::ops::edit`].
#[derive(Clone, Debug, PartialEq)]
pub struct Edit<S> {
    /// Residual state that is edited: 0 = embedding, l = after block l.
    pub layer: usize,
    /// Directions written, `[k, D]`.
    pub v: Vec<S>,
    /// Directions read, `[k, D]`.
    pub p: Vec<S>,
    /// Mixing `[k, k]`.
    pub m: Vec<S>,
    /// Constants `[N, k]`.
    pub c: Vec<S>,
    /// Which of the N positions are edited.
    pub on: Vec<bool>,
}

impl<O: Ops> Model<O> {
    pub(super) fn check_edits(&self, edits: &[Edit<O::S>], n: usize) -> Result<()> {
        let d = self.config.d_model;
        for e in edits {
            self.check_layer("edited layer", e.layer)?;
            let k = e.v.len() / d;
            let fits = e.v.len() == k * d
                && e.p.len() == k * d
                && e.m.len() == k * k
                && e.c.len() == n * k
                && e.on.len() == n;
            if !fits || k == 0 {
                return Err(Error::Shape {
                    op: "edit",
                    expected: format!("v, p [k, {d}], m [k, k], c [{n}, k], on [{n}], k >= 1"),
                    got: format!(
                        "{}, {}, {}, {}, {} numbers",
                        e.v.len(),
                        e.p.len(),
                        e.m.len(),
                        e.c.len(),
                        e.on.len()
                    ),
                });
            }
        }
        Ok(())
    }

    pub(super) fn apply_edits(&self, edits: &[Edit<O::S>], layer: usize, h: &mut O::Buf) {
        for e in edits.iter().filter(|e| e.layer == layer) {
            let bufs = EditBufs {
                v: self.ops.upload(&e.v),
                p: self.ops.upload(&e.p),
                m: self.ops.upload(&e.m),
                c: self.ops.upload(&e.c),
            };
            self.ops.edit(h, &bufs, &e.on, self.config.d_model);
        }
    }
}
