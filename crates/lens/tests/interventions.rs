//! Interventions, by their properties.

mod common;

use common::*;
use lens::intervene::{generate, mean_norm, offset, prepare, replace};
use lens::vectors::Directions;
use lens::{Error, Mode, ReadOptions, readout};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use transformer::backend::Buf;
use transformer::model::{Keep, Trace};
use transformer::{Edit, Model, Ops, Reference};

type Buf64 = Buf<f64>;
type M = Model<Reference<f64>>;
const N: usize = 7;
const D: usize = 8;

fn setup() -> (M, Vec<u32>) {
    let config = windowed();
    (model(Reference::new(), &config, 21), prompt(&config, N, 3))
}

fn run(m: &M, tokens: &[u32], edits: &[Edit<f64>]) -> Trace<Buf64> {
    m.forward(tokens, tokens.len(), edits, Keep::Residuals)
        .unwrap()
}

fn states(m: &M, trace: &Trace<Buf64>, layer: usize) -> Vec<f64> {
    now(m.ops.read(&trace.residuals[layer])).unwrap()
}

/// k random directions at each layer.
fn directions(layers: std::ops::RangeInclusive<usize>, k: usize) -> Directions<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    layers
        .map(|l| (l, (0..k * D).map(|_| uniform(&mut rng)).collect()))
        .collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Least-squares coordinates of h in the pair v `[2, D]`, by the normal equations.
fn coordinates(v: &[f64], h: &[f64]) -> [f64; 2] {
    let (s, t) = v.split_at(D);
    let (ss, st, tt) = (dot(s, s), dot(s, t), dot(t, t));
    let (a, b) = (dot(s, h), dot(t, h));
    let det = ss * tt - st * st;
    [(tt * a - st * b) / det, (ss * b - st * a) / det]
}

const ON: [bool; N] = [true, false, true, true, true, false, true];

#[test]
fn a_live_swap_exchanges_coordinates_and_twice_is_the_identity() {
    let (m, tokens) = setup();
    let (clean, v) = (run(&m, &tokens, &[]), directions(1..=1, 2));
    let p = now(prepare(&m, &clean, &v, Mode::SwapLive, &ON)).unwrap();
    let once = run(&m, &tokens, &p.edits);
    let (before, after) = (states(&m, &clean, 1), states(&m, &once, 1));
    for (n, (h, g)) in before
        .chunks_exact(D)
        .zip(after.chunks_exact(D))
        .enumerate()
    {
        let ([a, b], [c, d]) = (coordinates(&v[&1], h), coordinates(&v[&1], g));
        let expected = if ON[n] { [b, a] } else { [a, b] };
        assert!((c - expected[0]).abs() < 1e-10 && (d - expected[1]).abs() < 1e-10);
        // what is orthogonal to the pair stays
        let rest = |h: &[f64], [a, b]: [f64; 2]| -> Vec<f64> {
            (0..D)
                .map(|i| h[i] - a * v[&1][i] - b * v[&1][D + i])
                .collect()
        };
        assert!(far(&rest(g, [c, d]), &rest(h, [a, b])) < 1e-10);
    }
    assert!(
        far(&states(&m, &once, 3), &states(&m, &clean, 3)) > 1e-3,
        "the swap must do something"
    );
    let twice = [p.edits.clone(), p.edits].concat();
    assert!(
        far(
            &states(&m, &run(&m, &tokens, &twice), 3),
            &states(&m, &clean, 3)
        ) < 1e-10
    );
}

/// P V = I for the edits' own P and V: `V+ V = I`.
#[test]
fn the_dual_basis_is_dual() {
    let (m, tokens) = setup();
    let clean = run(&m, &tokens, &[]);
    for (mode, k) in [
        (Mode::SwapLive, 2),
        (Mode::SwapClamped, 2),
        (Mode::Ablate, 3),
    ] {
        let p = now(prepare(&m, &clean, &directions(0..=3, k), mode, &ON)).unwrap();
        for e in p.edits {
            for (i, p) in e.p.chunks_exact(D).enumerate() {
                for (j, v) in e.v.chunks_exact(D).enumerate() {
                    assert!((dot(p, v) - f64::from(u8::from(i == j))).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn a_clamped_swap_holds_the_exchanged_clean_coordinates_over_the_whole_band() {
    let (m, tokens) = setup();
    let (clean, v) = (run(&m, &tokens, &[]), directions(1..=3, 2));
    let p = now(prepare(&m, &clean, &v, Mode::SwapClamped, &ON)).unwrap();
    let edited = run(&m, &tokens, &p.edits);
    for (i, l) in (1..=3).enumerate() {
        let (before, after) = (states(&m, &clean, l), states(&m, &edited, l));
        for (n, (h, g)) in before
            .chunks_exact(D)
            .zip(after.chunks_exact(D))
            .enumerate()
        {
            let ([a, b], [c, d]) = (coordinates(&v[&l], h), coordinates(&v[&l], g));
            if ON[n] {
                assert!((c - b).abs() < 1e-10 && (d - a).abs() < 1e-10);
            }
            if n == N - 1 {
                assert!(
                    (p.coordinates[i][0] - a).abs() < 1e-10
                        && (p.coordinates[i][1] - b).abs() < 1e-10
                );
            }
        }
    }
    // at a single layer nothing was edited before, so clamped and live are one
    let one = directions(2..=2, 2);
    let of = |mode| {
        let p = now(prepare(&m, &clean, &one, mode, &ON)).unwrap();
        states(&m, &run(&m, &tokens, &p.edits), 3)
    };
    assert!(far(&of(Mode::SwapClamped), &of(Mode::SwapLive)) < 1e-10);
}

#[test]
fn projection_steering_and_ablation_equal_their_formulas() {
    let (m, tokens) = setup();
    let clean = run(&m, &tokens, &[]);
    let v = directions(2..=2, 2);
    let (s, t) = v[&2].split_at(D);
    let norm = |x: &[f64]| dot(x, x).sqrt();
    let h = states(&m, &clean, 2);
    let size = now(mean_norm(&m, &clean, 2)).unwrap();
    let mean: f64 = h.chunks_exact(D).map(norm).sum::<f64>() / N as f64;
    assert!((size - mean).abs() < 1e-12);
    type Formula<'a> = &'a dyn Fn(&[f64], usize) -> f64;
    let along = |h: &[f64]| dot(h, s) / norm(s);
    let cases: [(Mode, Formula<'_>); 3] = [
        (Mode::Project { strength: 0.7 }, &|h, i| {
            h[i] + 0.7 * along(h) * (t[i] / norm(t) - s[i] / norm(s))
        }),
        (Mode::Steer { strength: 1.5 }, &|h, i| {
            h[i] + 1.5 * size * t[i] / norm(t)
        }),
        (Mode::Ablate, &|h, i| {
            let [a, b] = coordinates(&v[&2], h);
            h[i] - a * s[i] - b * t[i]
        }),
    ];
    for (mode, formula) in cases {
        let p = now(prepare(&m, &clean, &v, mode, &ON)).unwrap();
        let after = states(&m, &run(&m, &tokens, &p.edits), 2);
        for n in 0..N {
            let (h, g) = (&h[n * D..(n + 1) * D], &after[n * D..(n + 1) * D]);
            for i in 0..D {
                let expected = if ON[n] { formula(h, i) } else { h[i] };
                assert!((g[i] - expected).abs() < 1e-10, "{mode:?}");
            }
        }
    }
}

#[test]
fn ablation_ignores_directions_that_repeat() {
    let (m, tokens) = setup();
    let clean = run(&m, &tokens, &[]);
    let pair = directions(1..=1, 2);
    let mut three = pair.clone();
    let sum: Vec<f64> = (0..D)
        .map(|i| pair[&1][i] - 2.0 * pair[&1][D + i])
        .collect();
    three.get_mut(&1).unwrap().extend(sum);
    let of = |v| {
        let p = now(prepare(&m, &clean, v, Mode::Ablate, &ON)).unwrap();
        (
            p.edits[0].m.len(),
            states(&m, &run(&m, &tokens, &p.edits), 3),
        )
    };
    let ((k2, two), (k3, three)) = (of(&pair), of(&three));
    assert_eq!((k2, k3), (4, 4));
    assert!(far(&three, &two) < 1e-10);
}

#[test]
fn replacement_and_offsets_write_what_they_say() {
    let (m, tokens) = setup();
    let clean = run(&m, &tokens, &[]);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let offsets: Vec<f64> = (0..N * D).map(|_| uniform(&mut rng)).collect();
    let edits: Vec<_> = (1..=2)
        .map(|l| now(offset(&m, &clean, l, &offsets, &ON)).unwrap())
        .collect();
    let edited = run(&m, &tokens, &edits);
    for l in 1..=2 {
        let (before, after) = (states(&m, &clean, l), states(&m, &edited, l));
        for i in (0..N * D).filter(|i| ON[i / D]) {
            assert!((after[i] - before[i] - offsets[i]).abs() < 1e-12);
        }
    }
    let same = replace(2, D, states(&m, &clean, 2), &ON).unwrap();
    assert!(
        far(
            &states(&m, &run(&m, &tokens, &[same]), 3),
            &states(&m, &clean, 3)
        ) < 1e-12
    );
    assert!(replace(2, D, vec![0.0; 3], &ON).is_err());
}

#[test]
fn parallel_pairs_warn_and_then_refuse() {
    let (m, tokens) = setup();
    let clean = run(&m, &tokens, &[]);
    let pair = |cos: f64| {
        let mut v = vec![0.0; 2 * D];
        v[0] = 2.0;
        v[D] = cos;
        v[D + 1] = (1.0 - cos * cos).sqrt();
        Directions::from([(1, v)])
    };
    let of = |cos, mode| now(prepare(&m, &clean, &pair(cos), mode, &ON));
    for sign in [1.0, -1.0] {
        let fine = of(sign * 0.98, Mode::SwapClamped).unwrap();
        assert!(fine.warning.is_none() && (fine.cosines[0] - sign * 0.98).abs() < 1e-12);
        let close = of(sign * 0.995, Mode::SwapClamped).unwrap();
        assert!(close.warning.unwrap().contains("layer 1"));
        let error = of(sign * 0.9995, Mode::Project { strength: 1.0 }).unwrap_err();
        assert!(matches!(error, Error::Parallel { layer: 1, .. }), "{error}");
    }
    assert!(of(1.0, Mode::Steer { strength: 1.0 }).is_ok());
    let zero = Directions::from([(1, vec![0.0; 2 * D])]);
    let error = now(prepare(&m, &clean, &zero, Mode::SwapLive, &ON)).unwrap_err();
    assert!(matches!(error, Error::NoDirection { index: 0, .. }));
    let three = directions(1..=1, 3);
    assert!(now(prepare(&m, &clean, &three, Mode::SwapLive, &ON)).is_err());
    assert!(now(prepare(&m, &clean, &pair(0.5), Mode::SwapLive, &[true])).is_err());
}

#[test]
fn generation_follows_the_best_word_and_edits_only_the_prompt() {
    let (m, tokens) = setup();
    let best = |all: &[u32], edits: &[Edit<f64>]| {
        let o = ReadOptions {
            top: 1,
            ..ReadOptions::default()
        };
        now(readout::output(&m, &run(&m, all, edits), o))
            .unwrap()
            .last()
            .unwrap()
            .best[0]
            .word
    };
    let clean = run(&m, &tokens, &[]);
    let p = now(prepare(
        &m,
        &clean,
        &directions(1..=2, 2),
        Mode::SwapClamped,
        &ON,
    ))
    .unwrap();
    for edits in [vec![], p.edits] {
        let new = now(generate(&m, &tokens, &edits, 4, None)).unwrap();
        let mut all = tokens.clone();
        for &word in &new {
            // rebuilt from the longer text's own clean pass: the same edits, as attention looks back only
            let longer: Vec<Edit<f64>> = if edits.is_empty() {
                vec![]
            } else {
                let clean = run(&m, &all, &[]);
                let on: Vec<bool> = (0..all.len()).map(|n| n < N && ON[n]).collect();
                now(prepare(
                    &m,
                    &clean,
                    &directions(1..=2, 2),
                    Mode::SwapClamped,
                    &on,
                ))
                .unwrap()
                .edits
            };
            assert_eq!(word, best(&all, &longer));
            all.push(word);
        }
        assert_eq!(new.len(), 4);
        let stopped = now(generate(&m, &tokens, &edits, 4, Some(new[0]))).unwrap();
        assert_eq!(stopped, new[..1]);
        // the longest context: 16 tokens, and one word that follows them
        assert_eq!(
            now(generate(&m, &tokens, &edits, 50, None)).unwrap().len(),
            16 - N + 1
        );
    }
}
