//! Writing whole states: a band held at given values.
//!
//! `h <- x` is the edit `h += I (-I h + x)`: V = P = I, M = -I, c = x, of rank D. Its cost per position, `6 D^2` operations,
//! is below that of one block, so it needs no operation of its own.

use crate::error::{Result, shape};
use transformer::Edit;
use transformer::model::Trace;
use transformer::ops::real::Real;
use transformer::{Model, Ops};

/// Writes `states` `[N, D]` at the positions that are `on`.
///
/// # Errors
/// [`crate::Error::Shape`] if the sizes do not fit together.
pub fn replace<S: Real>(layer: usize, d: usize, states: Vec<S>, on: &[bool]) -> Result<Edit<S>> {
    if states.len() != d * on.len() {
        return Err(shape(
            "states",
            format!("[{}, {d}]", on.len()),
            states.len(),
        ));
    }
    let diagonal = |x: f64| {
        let mut m = vec![S::default(); d * d];
        (0..d).for_each(|i| m[i * d + i] = S::of(x));
        m
    };
    Ok(Edit {
        layer,
        v: diagonal(1.0),
        p: diagonal(1.0),
        m: diagonal(-1.0),
        c: states,
        on: on.to_vec(),
    })
}

/// Writes the clean pass's states plus `offsets` `[N, D]`: a band of such edits holds every layer at clean + offset.
///
/// # Errors
/// As [`replace`]; those of the backend.
pub async fn offset<O: Ops>(
    model: &Model<O>,
    clean: &Trace<O::Buf>,
    layer: usize,
    offsets: &[O::S],
    on: &[bool],
) -> Result<Edit<O::S>> {
    model.check_layer("edited layer", layer)?;
    let mut states = model.ops.read(&clean.residuals[layer]).await?;
    if states.len() != offsets.len() {
        return Err(shape("offsets", states.len(), offsets.len()));
    }
    states.iter_mut().zip(offsets).for_each(|(s, &o)| *s += o);
    replace(layer, model.config.d_model, states, on)
}
