//! Checks of a backend against the PyTorch goldens, shared by the tests of every backend (`tests/goldens/README.md`).

#[path = "../../../../tests/goldens/golden.rs"]
pub mod golden;

use golden::{Golden, error};
use lens::intervene::{Mode, mean_norm, prepare};
use lens::readout::{ReadOptions, read};
use lens::vectors::Directions;
use lens::{Accumulator, Basis, FitOptions, Head, Lens, Origin, PromptFit, Targets};
use pollster::block_on;
use std::collections::BTreeMap;
use transformer::model::{Keep, Trace};
use transformer::{Model, Ops};

#[track_caller]
fn close(g: &Golden, what: &str, e: f64, tolerance: f64) {
    assert!(
        e < tolerance,
        "{}, {what}: relative error {e:e}, allowed {tolerance:e}",
        g.name
    );
}

/// A lens with the golden Jacobians.
fn golden_lens(g: &Golden) -> Lens {
    let estimator = FitOptions::default().resolve(&g.config).unwrap();
    let layers: BTreeMap<usize, Vec<f32>> = estimator
        .sources
        .iter()
        .map(|&l| (l, g.numbers(&format!("J.all.mean.{l}"))))
        .collect();
    let prompt = lens::fit::PromptJacobian { tokens: 12, layers };
    let mut sum = Accumulator::mean(estimator);
    sum.add(&prompt).unwrap();
    sum.finish(&Origin::default()).unwrap()
}

pub fn check_fits<O: Ops>(g: &Golden, model: &Model<O>, tolerance: f64) {
    let options = FitOptions {
        skip_first: g.integer("skip_first"),
        ..FitOptions::default()
    };
    let penultimate = Some(g.config.n_layers - 1);
    let variants = [
        ("all", options.clone()),
        (
            "same",
            FitOptions {
                targets: Targets::Same,
                ..options.clone()
            },
        ),
        (
            "future",
            FitOptions {
                targets: Targets::Future,
                ..options.clone()
            },
        ),
        (
            "frozen",
            FitOptions {
                frozen: true,
                ..options.clone()
            },
        ),
        (
            "penultimate",
            FitOptions {
                target: penultimate,
                ..options
            },
        ),
    ];
    for (name, options) in variants {
        let estimator = options.resolve(&g.config).unwrap();
        let mut mean = Accumulator::mean(estimator.clone());
        let mut median = Accumulator::median(estimator.clone(), 1 << 20);
        for p in 0..3 {
            let fit = PromptFit::new(model, &estimator, 5, &g.prompt(p)).unwrap();
            let fitted = block_on(fit.unwrap().finish()).unwrap();
            for (l, j) in &fitted.layers {
                let e = error(j, &g.numbers(&format!("J.{name}.prompt{p}.{l}")));
                close(g, &format!("J.{name}, prompt {p}, state {l}"), e, tolerance);
            }
            mean.add(&fitted).unwrap();
            median.add(&fitted).unwrap();
        }
        for (reduction, sum) in [("mean", mean), ("median", median)] {
            let lens = sum.finish(&Origin::default()).unwrap();
            let states = 0..estimator.target;
            assert!(
                lens.layers.keys().copied().eq(states),
                "every state below the target"
            );
            for (l, j) in &lens.layers {
                let e = error(j, &g.numbers(&format!("J.{name}.{reduction}.{l}")));
                close(
                    g,
                    &format!("J.{name}, {reduction}, state {l}"),
                    e,
                    tolerance,
                );
            }
        }
    }
}

pub fn check_vectors<O: Ops>(g: &Golden, model: &Model<O>, tolerance: f64) {
    let lens = golden_lens(g);
    let head = block_on(Head::new(model)).unwrap();
    let words: Vec<u32> = (0..g.config.vocab as u32).collect();
    for (kind, centred) in [("raw", false), ("centred", true)] {
        for &l in lens.layers.keys() {
            let v = block_on(head.lens_vectors(model, &lens, l, &words, centred)).unwrap();
            let e = error(&v, &g.numbers(&format!("lens_vectors.{kind}.{l}")));
            close(g, &format!("{kind} lens vectors, state {l}"), e, tolerance);
        }
    }
}

fn clean_pass<O: Ops>(g: &Golden, model: &Model<O>) -> Trace<O::Buf> {
    let tokens = g.prompt(0);
    model
        .forward(&tokens, tokens.len(), &[], Keep::Residuals)
        .unwrap()
}

pub fn check_readouts<O: Ops>(g: &Golden, model: &Model<O>, tolerance: f64) {
    let lens = golden_lens(g);
    let trace = clean_pass(g, model);
    let layers: Vec<usize> = (0..=g.config.n_layers).collect();
    // a small budget, so that the rows of logits come in several chunks
    let options = ReadOptions {
        budget: 3 * 8 * g.config.vocab,
        ..ReadOptions::default()
    };
    for (kind, lens) in [("jacobian", Some(&lens)), ("logit", None)] {
        let cells = block_on(read(model, &trace, lens, &layers, options)).unwrap();
        let ids = g.ids(&format!("readout.{kind}.ids"));
        let log_probs = g.numbers(&format!("readout.{kind}.log_probs"));
        let golden = ids.chunks_exact(10).zip(log_probs.chunks_exact(10));
        assert_eq!(golden.len(), cells.iter().flatten().count());
        for (cell, (reading, (ids, log_probs))) in cells.iter().flatten().zip(golden).enumerate() {
            let what = format!("{kind} lens, cell {cell}");
            let words: Vec<u32> = reading.best.iter().map(|r| r.word).collect();
            assert_eq!(words, ids, "{}, {what}", g.name);
            assert!(reading.best.iter().map(|r| r.rank).eq(0..10));
            for (r, golden) in reading.best.iter().zip(log_probs) {
                let e = (f64::from(r.prob).ln() - f64::from(*golden)).abs();
                close(g, &what, e, tolerance);
            }
        }
    }
}

fn directions<O: Ops>(
    g: &Golden,
    model: &Model<O>,
    words: &[u32],
    centred: bool,
) -> Directions<O::S> {
    let band = g.entry["interventions"]["band"].as_array().unwrap();
    let band = band
        .iter()
        .map(|l| usize::try_from(l.as_u64().unwrap()).unwrap());
    let lens = golden_lens(g);
    let head = block_on(Head::new(model)).unwrap();
    block_on(head.directions(model, Basis::Jacobian(&lens), band, words, centred)).unwrap()
}

pub fn check_interventions<O: Ops>(g: &Golden, model: &Model<O>, tolerance: f64) {
    let parameters = &g.entry["interventions"];
    let word = |field: &str| u32::try_from(parameters[field].as_u64().unwrap()).unwrap();
    let (s, t) = (word("source"), word("target"));
    let strength = |field: &str| parameters[field].as_f64().unwrap();
    let clean = clean_pass(g, model);
    let everywhere = vec![true; clean.tokens.len()];
    let mut some = vec![false; clean.tokens.len()];
    for p in parameters["some_positions"].as_array().unwrap() {
        some[usize::try_from(p.as_u64().unwrap()).unwrap()] = true;
    }
    let project = Mode::Project {
        strength: strength("projection_amount"),
    };
    let steer = Mode::Steer {
        strength: strength("steer_alpha"),
    };
    let cases = [
        (
            "swap.clamped.centred",
            Mode::SwapClamped,
            vec![s, t],
            true,
            &everywhere,
        ),
        (
            "swap.clamped.raw",
            Mode::SwapClamped,
            vec![s, t],
            false,
            &everywhere,
        ),
        (
            "swap.clamped.centred.some_positions",
            Mode::SwapClamped,
            vec![s, t],
            true,
            &some,
        ),
        (
            "swap.live.centred",
            Mode::SwapLive,
            vec![s, t],
            true,
            &everywhere,
        ),
        (
            "swap.projection.centred",
            project,
            vec![s, t],
            true,
            &everywhere,
        ),
        ("steer.centred", steer, vec![s], true, &everywhere),
        (
            "ablate.one.centred",
            Mode::Ablate,
            vec![s],
            true,
            &everywhere,
        ),
        (
            "ablate.two.centred",
            Mode::Ablate,
            vec![s, t],
            true,
            &everywhere,
        ),
    ];
    let golden = parameters["cases"].as_array().unwrap().len();
    assert_eq!(cases.len(), golden, "every golden case is checked");
    for (name, mode, words, centred, on) in cases {
        let along = directions(g, model, &words, centred);
        let edits = block_on(prepare(model, &clean, &along, mode, on))
            .unwrap()
            .edits;
        let trace = model
            .forward(&clean.tokens, clean.seq, &edits, Keep::Residuals)
            .unwrap();
        let golden = g.numbers(&format!("{name}.residuals"));
        let states = golden.chunks_exact(clean.tokens.len() * g.config.d_model);
        for (l, golden) in states.enumerate() {
            let got = block_on(model.ops.read(&trace.residuals[l])).unwrap();
            close(
                g,
                &format!("{name}, state {l}"),
                error(&got, golden),
                tolerance,
            );
        }
        let logits = model.logits(&trace.residuals[g.config.n_layers]);
        let got = block_on(model.ops.read(&logits)).unwrap();
        let e = error(&got, &g.numbers(&format!("{name}.logits")));
        close(g, &format!("{name}, logits"), e, tolerance);
    }
    let norms = parameters["mean_residual_norms"].as_array().unwrap();
    for (l, golden) in norms.iter().map(|n| n.as_f64().unwrap()).enumerate() {
        let got = block_on(mean_norm(model, &clean, l)).unwrap();
        close(
            g,
            &format!("mean norm of state {l}"),
            (got - golden).abs() / golden,
            tolerance,
        );
    }
}
