//! The fast kernels: matrix products through nalgebra's strided views, which call matrixmultiply's packed SIMD kernels without
//! copying a transpose (nalgebra's `tr_mul` and `gemm_tr` reach only a third of that speed).
//!
//! nalgebra 0.34 hands a product to matrixmultiply only when every dimension exceeds five; below, it multiplies column by column
//! and reads strided columns out of bounds (found by this crate's property tests). The plain kernels take those.

use super::host::Kernels;
use crate::config::NormKind;
use crate::ops::attention::{Paths, Shape};
use crate::ops::real::axpy;
use crate::ops::{activation, attention, linear, norm, rope};
use nalgebra::{DMatrixView, DMatrixViewMut, Dyn};

/// f32 kernels.
#[derive(Debug)]
pub struct Fast;

/// nalgebra's own threshold.
const SMALL: usize = 5;

fn small(n: usize, i: usize, o: usize) -> bool {
    n <= SMALL || i <= SMALL || o <= SMALL
}

/// `[rows, cols]` row-major numbers as a view.
fn view(x: &[f32], rows: usize, cols: usize) -> DMatrixView<'_, f32, Dyn, Dyn> {
    DMatrixView::from_slice_with_strides(x, rows, cols, cols, 1)
}

/// The transpose of `[rows, cols]` row-major numbers as a view `[cols, rows]`.
fn transposed(x: &[f32], rows: usize, cols: usize) -> DMatrixView<'_, f32, Dyn, Dyn> {
    DMatrixView::from_slice_with_strides(x, cols, rows, 1, cols)
}

fn view_mut(x: &mut [f32], rows: usize, cols: usize) -> DMatrixViewMut<'_, f32, Dyn, Dyn> {
    DMatrixViewMut::from_slice_with_strides_mut(x, rows, cols, cols, 1)
}

/// Compiles the loops of `f` for the vector instructions that this processor has.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn vectorised<R>(f: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(f)
}

/// In WebAssembly the whole module is built with simd128.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn vectorised<R>(f: impl FnOnce() -> R) -> R {
    f()
}

impl Kernels for Fast {
    type S = f32;

    fn norm_vjp(kind: NormKind, gain: &[f32], xhat: &[f32], r: &[f32], g: &mut [f32]) {
        vectorised(
            #[inline(always)]
            || norm::vjp(kind, gain, xhat, r, g),
        );
    }

    fn attention_vjp(s: Shape, paths: Paths, qkv: &[f32], p: &[f32], g: &[f32], gqkv: &mut [f32]) {
        vectorised(
            #[inline(always)]
            || attention::vjp(s, paths, qkv, p, g, gqkv),
        );
    }

    fn rope(x: &mut [f32], s: Shape, table: &[f32], rotary: usize, backwards: bool) {
        vectorised(
            #[inline(always)]
            || rope::rotate(x, s, table, rotary, backwards),
        );
    }

    fn activation_vjp(slope: &[f32], g: &mut [f32]) {
        vectorised(
            #[inline(always)]
            || activation::vjp(slope, g),
        );
    }

    fn linear(x: &[f32], w: &[f32], bias: Option<&[f32]>, i: usize, o: usize, y: &mut [f32]) {
        let n = x.len() / i;
        if small(n, i, o) {
            return linear::forward(x, w, bias, i, o, y);
        }
        let beta = match bias {
            Some(b) => {
                y.chunks_exact_mut(o).for_each(|y| y.copy_from_slice(b));
                1.0
            }
            None => 0.0,
        };
        view_mut(y, n, o).gemm(1.0, &view(x, n, i), &transposed(w, o, i), beta);
    }

    fn linear_vjp(g: &[f32], w: &[f32], i: usize, o: usize, beta: f32, gx: &mut [f32]) {
        let n = g.len() / o;
        if small(n, i, o) {
            return linear::vjp(g, w, i, o, beta, gx);
        }
        view_mut(gx, n, i).gemm(1.0, &view(g, n, o), &view(w, o, i), beta);
    }

    fn linear_grad(
        x: &[f32],
        g: &[f32],
        i: usize,
        o: usize,
        gw: &mut [f32],
        gb: Option<&mut [f32]>,
    ) {
        let n = x.len() / i;
        if small(n, i, o) {
            return linear::grad(x, g, i, o, gw, gb);
        }
        view_mut(gw, o, i).gemm(1.0, &transposed(g, n, o), &view(x, n, i), 1.0);
        if let Some(gb) = gb {
            g.chunks_exact(o).for_each(|g| axpy(1.0, g, gb));
        }
    }
}
