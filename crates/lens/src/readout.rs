//! Reading: `lens(h) = softmax(W_U norm(J h))`; the logit lens is J = I. No centring, no bias.
//!
//! Only the best words and the tracked words leave the backend, and only as many rows of logits exist at a time as a budget
//! allows. At the target layer J is the identity, so for the default target both lenses equal the model's own output there.

use crate::error::{Error, Result, shape};
use crate::jacobians::Lens;
use formats::tuned_file::Affine;
use transformer::model::Trace;
use transformer::ops::real::Real;
use transformer::ops::{Linear, top};
use transformer::{Model, Ops};

/// One word of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Word id.
    pub word: u32,
    /// 0-based rank in the whole vocabulary; ties count for the lower id.
    pub rank: u32,
    /// Softmax probability over the whole vocabulary.
    pub prob: f32,
}

/// What a lens says at one position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Best words first.
    pub best: Vec<Ranked>,
    /// Tracked words in the order asked.
    pub tracked: Vec<Ranked>,
}

/// What to read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions<'a> {
    /// Words per list (at most the vocabulary).
    pub top: usize,
    /// Words whose rank is wanted everywhere.
    pub tracked: &'a [u32],
    /// Positions (rows of the trace) to read; `None` is all.
    pub positions: Option<&'a [usize]>,
    /// Most bytes of logits at a time; one row is always allowed.
    pub budget: usize,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        Self {
            top: 10,
            tracked: &[],
            positions: None,
            budget: 32 << 20,
        }
    }
}

/// Reads `layers` of a trace through a lens (`None`: the logit lens): `[layers][positions]`.
///
/// # Errors
/// A layer that the lens or the model does not have, a position or tracked word that does not exist, a lens of another width;
/// those of the backend.
pub async fn read<O: Ops>(
    model: &Model<O>,
    trace: &Trace<O::Buf>,
    lens: Option<&Lens>,
    layers: &[usize],
    options: ReadOptions<'_>,
) -> Result<Vec<Vec<Reading>>> {
    let mut packed = Vec::with_capacity(layers.len());
    for &layer in layers {
        model.check_layer("layer", layer)?;
        let jacobian = match lens {
            Some(lens) => {
                check_width(lens, model.config.d_model)?;
                lens.jacobian(layer)?
            }
            None => None,
        };
        let map = jacobian.map(|j| square(&model.ops, j, model.config.d_model));
        packed.push(record(model, trace, map.as_ref(), layer, &options)?);
    }
    collect(model, packed, options).await
}

/// Reads layers of a trace, each through an affine map of its own: what a tuned lens does.
///
/// # Errors
/// As [`read`].
pub async fn read_affine<O: Ops>(
    model: &Model<O>,
    trace: &Trace<O::Buf>,
    maps: &[(usize, &Affine)],
    options: ReadOptions<'_>,
) -> Result<Vec<Vec<Reading>>> {
    let d = model.config.d_model;
    let mut packed = Vec::with_capacity(maps.len());
    for &(layer, map) in maps {
        if map.matrix.len() != d * d || map.bias.len() != d {
            let got = format!("{} and {} numbers", map.matrix.len(), map.bias.len());
            return Err(shape("tuned lens", format!("[{d}, {d}] and [{d}]"), got));
        }
        let map = affine(model, map);
        packed.push(record(model, trace, Some(&map), layer, &options)?);
    }
    collect(model, packed, options).await
}

fn affine<O: Ops>(model: &Model<O>, map: &Affine) -> Linear<O::Buf> {
    let (ops, d) = (&model.ops, model.config.d_model);
    let bias: Vec<O::S> = map.bias.iter().map(|&x| O::S::of(f64::from(x))).collect();
    Linear {
        bias: Some(ops.upload(&bias)),
        ..square(ops, &map.matrix, d)
    }
}

/// Reads back what was recorded, layer by layer.
async fn collect<O: Ops>(
    model: &Model<O>,
    packed: Vec<Vec<O::Buf>>,
    options: ReadOptions<'_>,
) -> Result<Vec<Vec<Reading>>> {
    // everything is recorded before anything is waited for, once
    let all: Vec<&O::Buf> = packed.iter().flatten().collect();
    let mut numbers = model.ops.read_all(&all).await?.into_iter();
    let mut layer = |chunks: Vec<O::Buf>| {
        let mut readings = Vec::new();
        for chunk in numbers.by_ref().take(chunks.len()) {
            unpack(&chunk, model.config.vocab, &options, &mut readings);
        }
        readings
    };
    Ok(packed.into_iter().map(&mut layer).collect())
}

/// The model's own output at every position.
///
/// # Errors
/// As [`read`].
pub async fn output<O: Ops>(
    model: &Model<O>,
    trace: &Trace<O::Buf>,
    options: ReadOptions<'_>,
) -> Result<Vec<Reading>> {
    let last = [model.config.n_layers];
    let mut all = read(model, trace, None, &last, options).await?;
    Ok(all.pop().unwrap_or_default())
}

/// Records the readout of one layer, a chunk of rows at a time.
fn record<O: Ops>(
    model: &Model<O>,
    trace: &Trace<O::Buf>,
    map: Option<&Linear<O::Buf>>,
    layer: usize,
    options: &ReadOptions<'_>,
) -> Result<Vec<O::Buf>> {
    let (d, vocab) = (model.config.d_model, model.config.vocab);
    model.check_layer("layer", layer)?;
    check_words(options.tracked, vocab)?;
    let rows = positions(trace.tokens.len(), options.positions)?;
    let per_chunk = (options.budget / (vocab * size_of::<O::S>())).max(1);
    let mut packed = Vec::new();
    for rows in rows.chunks(per_chunk) {
        let mut h = model.ops.embed(&trace.residuals[layer], rows, d);
        if let Some(map) = map {
            h = model.ops.linear(&h, map);
        }
        let logits = model.logits(&h);
        packed.push(model.ops.top(&logits, vocab, options.top, options.tracked));
    }
    Ok(packed)
}

/// Rows to gather, checked.
fn positions(n: usize, chosen: Option<&[usize]>) -> Result<Vec<u32>> {
    let row = |&p: &usize| match u32::try_from(p) {
        Ok(row) if p < n => Ok(row),
        _ => Err(Error::Option {
            option: "position",
            why: format!(
                "{p} does not exist: the prompt has positions 0 to {}",
                n - 1
            ),
        }),
    };
    match chosen {
        Some(some) => some.iter().map(row).collect(),
        None => (0..n).map(|p| row(&p)).collect(),
    }
}

pub(crate) fn check_words(words: &[u32], vocab: usize) -> Result<()> {
    match words.iter().find(|&&w| w as usize >= vocab) {
        Some(&word) => Err(Error::Word { word, vocab }),
        None => Ok(()),
    }
}

pub(crate) fn check_width(lens: &Lens, d: usize) -> Result<()> {
    if lens.d != d {
        return Err(Error::Width {
            lens: lens.d,
            model: d,
        });
    }
    Ok(())
}

/// A Jacobian `[d, d]` on the backend, as the linear map that it is.
pub(crate) fn square<O: Ops>(ops: &O, j: &[f32], d: usize) -> Linear<O::Buf> {
    let scalars: Vec<O::S> = j.iter().map(|&x| O::S::of(f64::from(x))).collect();
    Linear {
        w: ops.upload(&scalars),
        bias: None,
        inp: d,
        out: d,
    }
}

/// Turns packed rows (see [`transformer::ops::top`]) into readings.
fn unpack<S: Real>(packed: &[S], vocab: usize, options: &ReadOptions<'_>, out: &mut Vec<Reading>) {
    let k = options.top.min(vocab);
    for row in packed.chunks_exact(top::width(k, options.tracked.len())) {
        let normaliser = row[2 * k].wide();
        let prob = |logit: S| (logit.wide() - normaliser).exp() as f32;
        let best = (0..k).map(|i| Ranked {
            word: row[i].wide() as u32,
            rank: i as u32,
            prob: prob(row[k + i]),
        });
        let tracked = row[2 * k + 1..].chunks_exact(2).zip(options.tracked);
        let tracked = tracked.map(|(pair, &word)| Ranked {
            word,
            rank: pair[0].wide() as u32,
            prob: prob(pair[1]),
        });
        out.push(Reading {
            best: best.collect(),
            tracked: tracked.collect(),
        });
    }
}
