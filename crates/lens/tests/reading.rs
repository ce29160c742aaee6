//! Readouts and lens vectors.

mod common;

use common::*;
use lens::{
    Accumulator, Basis, FitOptions, Head, Lens, Origin, PromptFit, ReadOptions, Reading, readout,
};
use transformer::model::{Keep, Trace};
use transformer::ops::real::Real;
use transformer::{Config, Cpu, Model, Ops, Reference};

fn lens_of<O: Ops>(m: &Model<O>, target: Option<usize>) -> Lens {
    let e = FitOptions {
        target,
        ..FitOptions::default()
    }
    .resolve(&m.config)
    .unwrap();
    let mut sums = Accumulator::mean(e.clone());
    for seed in 0..2 {
        let fit = PromptFit::new(m, &e, 8, &prompt(&m.config, 9, seed))
            .unwrap()
            .unwrap();
        sums.add(&now(fit.finish()).unwrap()).unwrap();
    }
    sums.finish(&Origin::default()).unwrap()
}

fn trace<O: Ops>(m: &Model<O>) -> Trace<O::Buf> {
    m.forward(&prompt(&m.config, 6, 20), 6, &[], Keep::Residuals)
        .unwrap()
}

/// Softmax probabilities of `W_U norm(J h)` for every row, from the definition.
fn by_definition(m: &Model<Reference<f64>>, h: &[f64], j: Option<&[f32]>) -> Vec<Vec<f64>> {
    let d = m.config.d_model;
    let y: Vec<f64> = match j {
        None => h.to_vec(),
        Some(j) => h
            .chunks_exact(d)
            .flat_map(|h| {
                let row = |j: &[f32]| h.iter().zip(j).map(|(h, &j)| h * f64::from(j)).sum::<f64>();
                j.chunks_exact(d).map(row).collect::<Vec<_>>()
            })
            .collect(),
    };
    let logits = now(m.ops.read(&m.logits(&m.ops.upload(&y)))).unwrap();
    let softmax = |x: &[f64]| {
        let e: Vec<f64> = x.iter().map(|x| x.exp()).collect();
        let sum: f64 = e.iter().sum();
        e.iter().map(|e| e / sum).collect()
    };
    logits.chunks_exact(m.config.vocab).map(softmax).collect()
}

fn check(reading: &Reading, probs: &[f64], top: usize, tracked: &[u32]) {
    let rank = |w: u32| probs.iter().filter(|&&p| p > probs[w as usize]).count() as u32;
    assert_eq!(reading.best.len(), top);
    for (i, r) in reading.best.iter().enumerate() {
        assert_eq!((r.rank, rank(r.word)), (i as u32, i as u32));
        assert!((f64::from(r.prob) - probs[r.word as usize]).abs() < 1e-6);
    }
    assert_eq!(reading.tracked.len(), tracked.len());
    for (r, &w) in reading.tracked.iter().zip(tracked) {
        assert_eq!((r.word, r.rank), (w, rank(w)));
        assert!((f64::from(r.prob) - probs[w as usize]).abs() < 1e-6);
    }
}

#[test]
fn readouts_equal_their_definition() {
    for config in [windowed(), llama(), gpt2()] {
        let m = model(Reference::<f64>::new(), &config, 1);
        let (lens, trace) = (lens_of(&m, None), trace(&m));
        let tracked = [3, 17];
        let options = ReadOptions {
            top: 5,
            tracked: &tracked,
            ..ReadOptions::default()
        };
        let layers = [0, 1, 2, 3];
        for lens in [None, Some(&lens)] {
            let all = now(readout::read(&m, &trace, lens, &layers, options)).unwrap();
            for (layer, readings) in all.iter().enumerate() {
                let h = now(m.ops.read(&trace.residuals[layer])).unwrap();
                let j = lens.and_then(|l| l.jacobian(layer).unwrap());
                for (reading, probs) in readings.iter().zip(by_definition(&m, &h, j)) {
                    check(reading, &probs, 5, &tracked);
                }
                assert_eq!(readings.len(), 6);
            }
        }
    }
}

#[test]
fn at_the_last_layer_both_lenses_are_the_models_output_exactly() {
    let m = model(Cpu::new(), &windowed(), 2);
    let (lens, trace) = (lens_of(&m, None), trace(&m));
    let options = ReadOptions {
        top: 23,
        ..ReadOptions::default()
    };
    let output = now(readout::output(&m, &trace, options)).unwrap();
    let logits = now(m.ops.read(&m.logits(&trace.residuals[3]))).unwrap();
    for (reading, logits) in output.iter().zip(logits.chunks_exact(23)) {
        let best: Vec<f32> = reading
            .best
            .iter()
            .map(|r| logits[r.word as usize])
            .collect();
        assert!(best.is_sorted_by(|a, b| a >= b));
    }
    for lens in [None, Some(&lens)] {
        assert_eq!(
            now(readout::read(&m, &trace, lens, &[3], options)).unwrap()[0],
            output
        );
    }
}

#[test]
fn row_chunks_and_chosen_positions_do_not_change_a_reading() {
    let m = model(Cpu::new(), &llama(), 3);
    let (lens, trace) = (lens_of(&m, None), trace(&m));
    let all = ReadOptions {
        top: 4,
        tracked: &[1],
        ..ReadOptions::default()
    };
    let whole = now(readout::read(&m, &trace, Some(&lens), &[0, 2], all)).unwrap();
    for budget in [0, 2 * 23 * 4] {
        let small = ReadOptions { budget, ..all };
        let same = now(readout::read(&m, &trace, Some(&lens), &[0, 2], small)).unwrap();
        for (a, b) in whole.iter().flatten().zip(same.iter().flatten()) {
            let words = |r: &Reading| r.best.iter().map(|r| r.word).collect::<Vec<_>>();
            assert_eq!(words(a), words(b));
            assert!(
                a.best
                    .iter()
                    .zip(&b.best)
                    .all(|(a, b)| (a.prob - b.prob).abs() < 1e-6)
            );
        }
    }
    let some = ReadOptions {
        positions: Some(&[5, 1]),
        ..all
    };
    let some = now(readout::read(&m, &trace, Some(&lens), &[2], some)).unwrap();
    let words = |r: &Reading| r.best[0].word;
    assert_eq!(
        [words(&some[0][0]), words(&some[0][1])],
        [words(&whole[1][5]), words(&whole[1][1])]
    );
}

#[test]
fn what_does_not_exist_is_named() {
    let m = model(Cpu::new(), &windowed(), 3);
    let (lens, trace) = (lens_of(&m, Some(2)), trace(&m));
    let error = |lens, layer, o| {
        now(readout::read(&m, &trace, lens, &[layer], o))
            .unwrap_err()
            .to_string()
    };
    let o = ReadOptions::default();
    assert!(error(Some(&lens), 3, o).contains("leads to layer 2"));
    assert!(error(None, 4, o).contains("4 does not exist"));
    assert!(
        error(
            None,
            1,
            ReadOptions {
                tracked: &[23],
                ..o
            }
        )
        .contains("word 23")
    );
    assert!(
        error(
            None,
            1,
            ReadOptions {
                positions: Some(&[6]),
                ..o
            }
        )
        .contains("positions 0 to 5")
    );
    let wide = Lens {
        d: 9,
        ..lens.clone()
    };
    assert!(error(Some(&wide), 1, o).contains("width 9"));
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `<v_w, h>` is the lens's logit up to the norm's scale: exactly, for RMSNorm and for LayerNorm with its bias taken off.
#[test]
fn lens_vectors_score_words_as_the_readout_does() {
    for config in [windowed(), llama(), gpt2()] {
        let mut w = weights(&config, 4);
        // a bias of the last norm adds a constant per word that is no part of a direction
        let at: usize = transformer::layout::layout(&config)
            .iter()
            .take_while(|e| e.name != "final_norm.bias")
            .map(|e| e.len())
            .sum();
        if config.norm == transformer::NormKind::Layer {
            w.flat[at..at + 8].fill(0.0);
        }
        let m = Model::new(Reference::<f64>::new(), &w).unwrap();
        let (lens, trace, head) = (lens_of(&m, None), trace(&m), now(Head::new(&m)).unwrap());
        let words: Vec<u32> = (0..23).collect();
        for layer in 0..=3 {
            let v = now(head.lens_vectors(&m, &lens, layer, &words, false)).unwrap();
            let h = now(m.ops.read(&trace.residuals[layer])).unwrap();
            let y = match lens.jacobian(layer).unwrap() {
                Some(j) => {
                    let j: Vec<f64> = wide(j);
                    h.chunks_exact(8)
                        .flat_map(|h| j.chunks_exact(8).map(|j| dot(j, h)).collect::<Vec<_>>())
                        .collect()
                }
                None => h.clone(),
            };
            let logits = now(m.ops.read(&m.logits(&m.ops.upload(&y)))).unwrap();
            for (h, logits) in h.chunks_exact(8).zip(logits.chunks_exact(23)) {
                let scores: Vec<f64> = v.chunks_exact(8).map(|v| dot(v, h)).collect();
                let scale = dot(&scores, logits) / dot(&scores, &scores);
                let scaled: Vec<f64> = scores.iter().map(|s| s * scale).collect();
                assert!(far(&scaled, logits) < 1e-9, "layer {layer} of {config:?}");
            }
        }
    }
}

#[test]
fn centred_vectors_have_mean_zero_and_differ_by_one_vector() {
    for config in [windowed(), gpt2()] {
        let m = model(Reference::<f64>::new(), &config, 5);
        let (lens, head) = (lens_of(&m, None), now(Head::new(&m)).unwrap());
        let words: Vec<u32> = (0..23).collect();
        for basis in [Basis::Jacobian(&lens), Basis::Logit] {
            let of = |centred| {
                now(head.directions(&m, basis, 1..=1, &words, centred))
                    .unwrap()
                    .remove(&1)
                    .unwrap()
            };
            let (raw, centred) = (of(false), of(true));
            for i in 0..8 {
                let mean: f64 = centred.chunks_exact(8).map(|v| v[i]).sum::<f64>() / 23.0;
                assert!(mean.abs() < 1e-12);
                let shift = raw[i] - centred[i];
                assert!(
                    (0..23).all(|w| (raw[8 * w + i] - centred[8 * w + i] - shift).abs() < 1e-12)
                );
            }
        }
    }
}

#[test]
fn a_few_vectors_equal_those_of_the_whole_vocabulary() {
    let m = model(Cpu::new(), &llama(), 6);
    let (lens, head) = (lens_of(&m, None), now(Head::new(&m)).unwrap());
    let all: Vec<u32> = (0..23).collect();
    let all = now(head.lens_vectors(&m, &lens, 1, &all, true)).unwrap();
    let some = now(head.lens_vectors(&m, &lens, 1, &[7, 2], true)).unwrap();
    assert!(far(&wide(&some[..8]), &wide(&all[7 * 8..8 * 8])) < 1e-5);
    assert!(far(&wide(&some[8..]), &wide(&all[2 * 8..3 * 8])) < 1e-5);
    assert!(
        now(head.unembedding(&m, &[23], false))
            .unwrap_err()
            .to_string()
            .contains("word 23")
    );
}

fn gram<S: Real>(rows: &[S]) -> Vec<f64> {
    let rows: Vec<Vec<f64>> = rows
        .chunks_exact(8)
        .map(|r| r.iter().map(|x| x.wide()).collect())
        .collect();
    rows.iter()
        .flat_map(|a| rows.iter().map(|b| dot(a, b)).collect::<Vec<_>>())
        .collect()
}

#[test]
fn random_controls_have_the_lengths_and_angles_of_the_real_directions() {
    let m = model(
        Reference::<f64>::new(),
        &Config {
            vocab: 23,
            ..windowed()
        },
        7,
    );
    let (lens, head) = (lens_of(&m, None), now(Head::new(&m)).unwrap());
    for words in [&[4, 9][..], &[4], &[1, 2, 3]] {
        let of = |basis| now(head.directions(&m, basis, 0..=3, words, true)).unwrap();
        let (real, random) = (
            of(Basis::Jacobian(&lens)),
            of(Basis::Random {
                lens: &lens,
                seed: 1,
            }),
        );
        assert_eq!(
            random,
            of(Basis::Random {
                lens: &lens,
                seed: 1
            }),
            "a seed is reproducible"
        );
        let other = of(Basis::Random {
            lens: &lens,
            seed: 2,
        });
        for l in 0..=3 {
            assert!(far(&gram(&random[&l]), &gram(&real[&l])) < 1e-10);
            assert!(far(&random[&l], &real[&l]) > 0.1 && far(&random[&l], &other[&l]) > 0.1);
        }
        assert!(
            far(&random[&0], &random[&1]) > 0.1,
            "layers have directions of their own"
        );
    }
}
