//! Concept vectors, the part of each that a few lens vectors express, and writing one part or the other into a model.
//!
//! A concept vector is the mean state of a class of prompts minus the mean over classes, per layer and per position counted from
//! where the concept is complete. Its J-space part is the best nonnegative sum of k lens vectors ([`Dictionary::pursue`]); the
//! rest is what is left. To exchange two concepts, the difference of their vectors (or of their parts, or of their rests) is
//! added to the clean pass's states at every layer of a band, which is held there.

use crate::error::Result;
use crate::intervene::{directions_like, replace};
use crate::pursuit::{Dictionary, Refit};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use transformer::model::Trace;
use transformer::ops::real::Real;
use transformer::{Edit, Model, Ops};

/// Where a concept vector belongs: layer, position from where the concept is complete, class.
pub type Place = (usize, usize, usize);

/// Sums of states per place.
#[derive(Clone, Debug)]
pub struct Means {
    d: usize,
    sums: BTreeMap<Place, (Vec<f64>, usize)>,
}

/// A concept vector `[D]` and its J-space part.
#[derive(Clone, Debug, PartialEq)]
pub struct Concept {
    /// All of it.
    pub whole: Vec<f32>,
    /// The best sum of k lens vectors.
    pub part: Vec<f32>,
}

/// Concepts by place.
pub type Concepts = BTreeMap<Place, Concept>;

/// What is added in place of the difference of two concepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// All of the difference.
    Whole,
    /// Its J-space part.
    Part,
    /// The rest, as it is.
    Rest,
    /// The rest at the length of the part.
    RestMatched,
    /// A random direction at the length of the part.
    Random,
}

/// Where concepts are exchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// Layers that are held.
    pub band: RangeInclusive<usize>,
    /// Positions from where the concept is complete on.
    pub positions: usize,
}

/// One exchange: classes and, for [`Piece::Random`], a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Position in the prompt where the concept is complete.
    pub source: usize,
    /// Class that the prompt calls for.
    pub from: usize,
    /// Class put in its place.
    pub to: usize,
    /// What is exchanged.
    pub piece: Piece,
    /// Seed of the random directions.
    pub seed: u64,
}

impl Means {
    /// Of states of width `d`.
    pub fn new(d: usize) -> Self {
        let sums = BTreeMap::new();
        Self { d, sums }
    }

    /// Adds the states of one prompt of a class, from the position `source` on.
    ///
    /// # Errors
    /// A layer that the model does not have; those of the backend.
    pub async fn add<O: Ops>(
        &mut self,
        model: &Model<O>,
        trace: &Trace<O::Buf>,
        reach: &Reach,
        (source, class): (usize, usize),
    ) -> Result<()> {
        for layer in reach.band.clone() {
            model.check_layer("layer", layer)?;
            let states = model.ops.read(&trace.residuals[layer]).await?;
            let states = states.chunks_exact(self.d).skip(source);
            for (offset, state) in states.take(reach.positions).enumerate() {
                let new = || (vec![0.0; self.d], 0);
                let (sum, count) = self.sums.entry((layer, offset, class)).or_insert_with(new);
                sum.iter_mut().zip(state).for_each(|(s, x)| *s += x.wide());
                *count += 1;
            }
        }
        Ok(())
    }

    /// Every class's mean minus the mean over classes at the same layer and position.
    pub fn centred(&self) -> BTreeMap<Place, Vec<f32>> {
        let mean = |(sum, count): &(Vec<f64>, usize)| -> Vec<f64> {
            sum.iter().map(|s| s / *count as f64).collect()
        };
        let means: BTreeMap<Place, Vec<f64>> =
            self.sums.iter().map(|(&p, sum)| (p, mean(sum))).collect();
        let mut grand: BTreeMap<(usize, usize), (Vec<f64>, usize)> = BTreeMap::new();
        for (&(layer, offset, _), mean) in &means {
            let new = || (vec![0.0; self.d], 0);
            let (sum, count) = grand.entry((layer, offset)).or_insert_with(new);
            sum.iter_mut().zip(mean).for_each(|(s, x)| *s += x);
            *count += 1;
        }
        let minus = |(&place, mean): (&Place, &Vec<f64>)| {
            let (sum, count) = &grand[&(place.0, place.1)];
            let centred = mean.iter().zip(sum);
            let centred = centred.map(|(x, s)| (x - s / *count as f64) as f32);
            (place, centred.collect())
        };
        means.iter().map(minus).collect()
    }
}

/// The concepts of one layer with their parts of at most `k` atoms of that layer's dictionary.
///
/// # Errors
/// [`crate::Error::Shape`] for vectors of another width.
pub fn split(
    wholes: &BTreeMap<Place, Vec<f32>>,
    layer: usize,
    dictionary: &Dictionary,
    k: usize,
) -> Result<Concepts> {
    let here = wholes.range((layer, 0, 0)..(layer + 1, 0, 0));
    here.map(|(&place, whole)| {
        let found = dictionary.pursue(whole, k, Refit::Exact)?;
        let part = dictionary.reconstruct(&found.atoms, &found.exact);
        let whole = whole.clone();
        Ok((place, Concept { whole, part }))
    })
    .collect()
}

/// How many positions further a state can have an effect after so many blocks.
pub fn carried(window: Option<usize>, layer: usize) -> usize {
    window.map_or(usize::MAX, |window| layer * (window - 1))
}

/// Mean share of the square of a concept that its part holds, and over how many concepts. Places beyond what attention's window
/// can have carried hold nothing but rounding, and are left out.
pub fn variance(concepts: &Concepts, window: Option<usize>) -> (f64, usize) {
    let there = concepts
        .iter()
        .filter(|((layer, offset, _), _)| *offset <= carried(window, *layer));
    let shares: Vec<f64> = there
        .map(|(_, x)| squares(&x.part) / squares(&x.whole))
        .collect();
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    (mean, shares.len())
}

/// Edits that hold the band at clean plus offset from the concept's completion on.
///
/// # Errors
/// Those of [`replace`] and of the backend.
pub async fn exchange<O: Ops>(
    model: &Model<O>,
    clean: &Trace<O::Buf>,
    concepts: &Concepts,
    reach: &Reach,
    exchange: Exchange,
) -> Result<Vec<Edit<O::S>>> {
    let (d, n) = (model.config.d_model, clean.tokens.len());
    let mut edits = Vec::new();
    for layer in reach.band.clone() {
        model.check_layer("edited layer", layer)?;
        let mut states = model.ops.read(&clean.residuals[layer]).await?;
        let mut on = vec![false; n];
        let noise: Vec<f32> = directions_like(reach.positions, d, exchange.seed, layer);
        for (offset, noise) in noise.chunks_exact(d).enumerate() {
            let concept = |class| concepts.get(&(layer, offset, class));
            let at = exchange.source + offset;
            let (Some(from), Some(to), true) =
                (concept(exchange.from), concept(exchange.to), at < n)
            else {
                continue;
            };
            on[at] = true;
            let state = states[at * d..].iter_mut();
            let added = difference(from, to, exchange.piece, noise);
            state
                .zip(added)
                .for_each(|(s, x)| *s += O::S::of(f64::from(x)));
        }
        edits.push(replace(layer, d, states, &on)?);
    }
    Ok(edits)
}

/// What takes `from` to `to`, or a piece of it.
pub fn difference(from: &Concept, to: &Concept, piece: Piece, noise: &[f32]) -> Vec<f32> {
    let minus = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f32>>();
    let whole = minus(&to.whole, &from.whole);
    let part = minus(&to.part, &from.part);
    let rest = minus(&whole, &part);
    let sized = |x: &[f32]| {
        let scale = (squares(&part) / squares(x).max(1e-12)).sqrt() as f32;
        x.iter().map(|x| x * scale).collect()
    };
    match piece {
        Piece::RestMatched => sized(&rest),
        Piece::Random => sized(noise),
        Piece::Whole => whole,
        Piece::Rest => rest,
        Piece::Part => part,
    }
}

fn squares(x: &[f32]) -> f64 {
    x.iter().map(|x| f64::from(*x).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concept(whole: [f32; 2], part: [f32; 2]) -> Concept {
        Concept {
            whole: whole.to_vec(),
            part: part.to_vec(),
        }
    }

    #[test]
    fn pieces_add_up_and_have_the_lengths_they_should() {
        let (from, to) = (
            concept([1.0, 2.0], [1.0, 0.0]),
            concept([3.0, -1.0], [3.0, 0.0]),
        );
        let noise = [0.0, 0.5];
        let piece = |piece| difference(&from, &to, piece, &noise);
        let (whole, part, rest) = (piece(Piece::Whole), piece(Piece::Part), piece(Piece::Rest));
        assert_eq!((whole[0], whole[1]), (part[0] + rest[0], part[1] + rest[1]));
        for matched in [piece(Piece::RestMatched), piece(Piece::Random)] {
            assert!((squares(&matched) - squares(&part)).abs() < 1e-6);
        }
        assert_eq!(piece(Piece::RestMatched), [0.0, -2.0]);
    }

    #[test]
    fn concepts_are_centred_and_split_by_layer() {
        let mut means = Means::new(2);
        for (class, x) in [(0, [1.0, 0.0]), (1, [3.0, 4.0]), (1, [5.0, 0.0])] {
            let (sum, n) = means.sums.entry((1, 0, class)).or_insert((vec![0.0; 2], 0));
            sum.iter_mut().zip(x).for_each(|(s, x)| *s += x);
            *n += 1;
        }
        let centred = means.centred();
        assert_eq!(centred[&(1, 0, 0)], [-1.5, -1.0]);
        assert_eq!(centred[&(1, 0, 1)], [1.5, 1.0]);
        let axes = Dictionary::new(&[1.0, 0.0, 0.0, 1.0], 2).unwrap();
        let concepts = split(&centred, 1, &axes, 1).unwrap();
        assert_eq!(concepts[&(1, 0, 1)].part, [1.5, 0.0]);
        let (share, n) = variance(&concepts, None);
        // the other class points away from both axes: nothing of it is a nonnegative sum
        assert!((share - 0.5 * 2.25 / 3.25).abs() < 1e-9 && n == 2);
        assert!(split(&centred, 2, &axes, 1).unwrap().is_empty());
    }

    #[test]
    fn nothing_is_carried_further_than_the_window() {
        assert_eq!((carried(Some(5), 2), carried(None, 0)), (8, usize::MAX));
    }
}
