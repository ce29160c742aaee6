//! What the fit estimates, against independent computations in f64.

mod common;

use common::*;
use lens::{Accumulator, Estimator, FitOptions, Origin, PromptFit, Targets};
use nalgebra::DMatrix;
use transformer::layout::layout;
use transformer::model::Keep;
use transformer::{Config, Edit, Model, Ops, Reference, Weights};

fn jacobians<O: Ops>(
    model: &Model<O>,
    options: &FitOptions,
    tokens: &[u32],
) -> (Estimator, std::collections::BTreeMap<usize, Vec<O::S>>) {
    let e = options.resolve(&model.config).unwrap();
    let fit = PromptFit::new(model, &e, options.row_chunk.unwrap_or(3), tokens)
        .unwrap()
        .unwrap();
    let j = now(fit.finish()).unwrap().layers;
    (e, j)
}

/// Sum over valid t' of h_target(t'), `[D]`, after adding `x` to coordinate j of layer l at position t: forward passes only.
fn moved(
    m: &Model<Reference<f64>>,
    tokens: &[u32],
    e: &Estimator,
    at: (usize, usize, usize),
    x: f64,
) -> Vec<f64> {
    let (layer, t, j) = at;
    let (d, n) = (e.d, tokens.len());
    let mut edit = Edit {
        layer,
        v: vec![0.0; d],
        p: vec![0.0; d],
        m: vec![0.0],
        c: vec![x; n],
        on: vec![false; n],
    };
    edit.v[j] = 1.0;
    edit.on[t] = true;
    let trace = m.forward(tokens, n, &[edit], Keep::Residuals).unwrap();
    let h = now(m.ops.read(&trace.residuals[e.target])).unwrap();
    let mut sum = vec![0.0; d];
    for (row, _) in h.chunks_exact(d).zip(e.valid(n)).filter(|(_, v)| *v) {
        sum.iter_mut().zip(row).for_each(|(s, x)| *s += x);
    }
    sum
}

/// J by central differences of the forward pass: mean over valid t of the change of the sum over valid t'.
fn by_differences(
    m: &Model<Reference<f64>>,
    tokens: &[u32],
    e: &Estimator,
    layer: usize,
) -> Vec<f64> {
    let (d, eps) = (e.d, 1e-5);
    let valid: Vec<usize> = (0..tokens.len())
        .filter(|&t| e.valid(tokens.len())[t])
        .collect();
    let mut out = vec![0.0; d * d];
    for &t in &valid {
        for j in 0..d {
            let up = moved(m, tokens, e, (layer, t, j), eps);
            let down = moved(m, tokens, e, (layer, t, j), -eps);
            for i in 0..d {
                out[i * d + j] += (up[i] - down[i]) / (2.0 * eps) / valid.len() as f64;
            }
        }
    }
    out
}

#[test]
fn jacobians_equal_central_differences() {
    for config in [windowed(), llama(), gpt2()] {
        let m = model(Reference::<f64>::new(), &config, 1);
        let tokens = prompt(&config, 7, 1);
        for target in [3, 2] {
            let options = FitOptions {
                target: Some(target),
                ..FitOptions::default()
            };
            let (e, j) = jacobians(&m, &options, &tokens);
            assert_eq!(e.sources, (0..target).collect::<Vec<_>>());
            for (&layer, j) in &j {
                let expected = by_differences(&m, &tokens, &e, layer);
                assert!(
                    far(j, &expected) < 1e-6,
                    "layer {layer} of {config:?}: {}",
                    far(j, &expected)
                );
            }
        }
    }
}

/// A network whose every part is linear: norms with a huge eps undone by their gain, rectifiers that are always on, attention
/// without queries and keys (the uniform pattern).
fn linear_network(config: &Config) -> Weights {
    let mut w = weights(config, 5);
    // what the bias that keeps the rectifiers on adds to the state is taken off again, or states would outgrow it
    let pushed = |w: &Weights, block: &str| -> Vec<f32> {
        let down = matrix(w, &format!("{block}.mlp.down"));
        down.row_iter()
            .map(|row| -(row.sum() * ALWAYS_ON) as f32)
            .collect()
    };
    let mut at = 0;
    for entry in layout(config) {
        let here = at..at + entry.len();
        at = here.end;
        match entry.name.as_str() {
            n if n.ends_with(".gain") => w.flat[here].fill(1e6),
            n if n.contains("attn.q") || n.contains("attn.k") => w.flat[here].fill(0.0),
            n if n.ends_with("mlp.up_bias") => w.flat[here].fill(ALWAYS_ON as f32),
            n if n.ends_with("mlp.down_bias") => {
                let off = pushed(&w, n.trim_end_matches(".mlp.down_bias"));
                w.flat[here].copy_from_slice(&off);
            }
            _ => {}
        }
    }
    w
}

const ALWAYS_ON: f64 = 500.0;

fn matrix(w: &Weights, name: &str) -> DMatrix<f64> {
    let entry = layout(&w.config)
        .into_iter()
        .find(|e| e.name == name)
        .unwrap();
    let numbers = wide(w.get(name).unwrap());
    DMatrix::from_row_slice(entry.shape[0], entry.shape[1], &numbers)
}

/// The uniform causal window as a matrix `[T, T]`.
fn averaging(t: usize, window: usize) -> DMatrix<f64> {
    DMatrix::from_fn(t, t, |to, from| {
        let seen = window.min(to + 1);
        if from <= to && to - from < seen {
            1.0 / seen as f64
        } else {
            0.0
        }
    })
}

#[test]
fn jacobian_of_a_linear_network_is_the_product_of_its_matrices() {
    let config = Config {
        norm_eps: 1e12,
        bias: true,
        positions: transformer::Positions::None,
        ..windowed()
    };
    let w = linear_network(&config);
    let m = Model::new(Reference::<f64>::new(), &w).unwrap();
    let (n, d) = (6, config.d_model);
    let (e, j) = jacobians(&m, &FitOptions::default(), &prompt(&config, n, 3));
    let valid: Vec<usize> = (0..n).filter(|&t| e.valid(n)[t]).collect();

    // the map of all positions together, [T D, T D], from the target down
    let whole = |m: &DMatrix<f64>| DMatrix::identity(n, n).kronecker(m);
    let mut product = DMatrix::identity(n * d, n * d);
    for l in (0..config.n_layers).rev() {
        let name = |part: &str| format!("blocks.{l}.{part}");
        let ov = matrix(&w, &name("attn.o")) * matrix(&w, &name("attn.v"));
        let mlp = matrix(&w, &name("mlp.down")) * matrix(&w, &name("mlp.up"));
        let one = DMatrix::identity(n * d, n * d);
        let attention = &one + averaging(n, 3).kronecker(&ov);
        product = product * (&one + whole(&mlp)) * attention;
        let mut expected = DMatrix::zeros(d, d);
        for &t in &valid {
            for &to in &valid {
                expected += product.view((to * d, t * d), (d, d)) / valid.len() as f64;
            }
        }
        let expected: Vec<f64> = expected.transpose().iter().copied().collect();
        assert!(
            far(&j[&l], &expected) < 1e-7,
            "layer {l}: {}",
            far(&j[&l], &expected)
        );
    }
}

#[test]
fn cotangents_never_reach_later_positions() {
    for config in [windowed(), llama()] {
        let m = model(Reference::<f64>::new(), &config, 2);
        let (n, d, at) = (9, config.d_model, 5);
        let trace = m
            .forward(&prompt(&config, n, 2), n, &[], Keep::ForVjp)
            .unwrap();
        let only: Vec<bool> = (0..n).map(|t| t == at).collect();
        let seed = m.ops.seed(0, d, d, &only);
        let mut before = 0.0f64;
        let visit = &mut |layer: usize, g: &_| {
            for row in now(m.ops.read(g)).unwrap().chunks_exact(n * d) {
                let later = &row[(at + 1) * d..];
                assert!(later.iter().all(|&x| x == 0.0), "layer {layer}");
                before = before.max(row[..at * d].iter().fold(0.0, |m, x| m.max(x.abs())));
            }
        };
        m.vjp(
            &trace,
            config.n_layers,
            0,
            seed,
            transformer::Paths::ALL,
            visit,
        )
        .unwrap();
        assert!(before > 1e-3, "the toy model must attend across positions");
    }
}

#[test]
fn same_and_future_add_up_to_all() {
    for config in [windowed(), llama(), gpt2()] {
        let m = model(Reference::<f64>::new(), &config, 3);
        let tokens = prompt(&config, 8, 4);
        let of = |targets| {
            jacobians(
                &m,
                &FitOptions {
                    targets,
                    ..FitOptions::default()
                },
                &tokens,
            )
            .1
        };
        let (all, same, future) = (of(Targets::All), of(Targets::Same), of(Targets::Future));
        for (l, all) in &all {
            let sum: Vec<f64> = same[l].iter().zip(&future[l]).map(|(s, f)| s + f).collect();
            assert!(far(&sum, all) < 1e-12);
            assert!(
                far(&same[l], all) > 1e-3,
                "future paths must matter in a toy model"
            );
        }
    }
}

/// With one valid position there is no later target: everything is the same position.
#[test]
fn one_valid_position_has_no_future() {
    let config = windowed();
    let m = model(Reference::<f64>::new(), &config, 3);
    let tokens = prompt(&config, 6, 5);
    let of = |targets| {
        jacobians(
            &m,
            &FitOptions {
                targets,
                skip_first: 4,
                ..FitOptions::default()
            },
            &tokens,
        )
        .1
    };
    for (l, j) in of(Targets::Future) {
        assert!(far(&of(Targets::Same)[&l], &of(Targets::All)[&l]) < 1e-12);
        assert!(j.iter().all(|x| x.abs() < 1e-12));
    }
}

#[test]
fn freezing_the_pattern_changes_the_jacobian_but_not_of_a_linear_network() {
    let config = windowed();
    let tokens = prompt(&config, 8, 6);
    let of = |m: &Model<Reference<f64>>, frozen| {
        jacobians(
            m,
            &FitOptions {
                frozen,
                ..FitOptions::default()
            },
            &tokens,
        )
        .1
    };
    let m = model(Reference::<f64>::new(), &config, 4);
    assert!(far(&of(&m, true)[&0], &of(&m, false)[&0]) > 1e-3);
    let config = Config {
        norm_eps: 1e12,
        bias: true,
        ..config
    };
    let m = Model::new(Reference::<f64>::new(), &linear_network(&config)).unwrap();
    assert!(far(&of(&m, true)[&0], &of(&m, false)[&0]) < 1e-9);
}

#[test]
fn fast_and_plain_backends_agree_and_chunks_do_not_matter() {
    for config in [windowed(), llama(), gpt2()] {
        let tokens = prompt(&config, 9, 7);
        let plain = model(Reference::<f64>::new(), &config, 6);
        let fast = model(transformer::Cpu::new(), &config, 6);
        let (_, expected) = jacobians(&plain, &FitOptions::default(), &tokens);
        for row_chunk in [1, 3, 5, 8] {
            let options = FitOptions {
                row_chunk: Some(row_chunk),
                ..FitOptions::default()
            };
            let (_, j) = jacobians(&fast, &options, &tokens);
            for (l, j) in j {
                assert!(far(&wide(&j), &expected[&l]) < 1e-4, "layer {l}");
            }
        }
    }
}

#[test]
fn chosen_sources_equal_those_of_the_full_fit() {
    let config = windowed();
    let m = model(Reference::<f64>::new(), &config, 8);
    let tokens = prompt(&config, 8, 8);
    let (_, all) = jacobians(&m, &FitOptions::default(), &tokens);
    let some = FitOptions {
        sources: Some(vec![2, 1]),
        ..FitOptions::default()
    };
    let (_, some) = jacobians(&m, &some, &tokens);
    assert_eq!(some.keys().copied().collect::<Vec<_>>(), [1, 2]);
    assert!(some.iter().all(|(l, j)| *j == all[l]));
}

#[test]
fn rows_stream_while_a_prompt_is_fitted() {
    let config = windowed();
    let m = model(transformer::Cpu::new(), &config, 9);
    let tokens = prompt(&config, 8, 9);
    for targets in [Targets::All, Targets::Future] {
        let options = FitOptions {
            targets,
            ..FitOptions::default()
        };
        let e = options.resolve(&config).unwrap();
        let mut fit = PromptFit::new(&m, &e, 3, &tokens).unwrap().unwrap();
        let mut streamed = Vec::new();
        while let Some(rows) = fit.step().unwrap() {
            assert_eq!(fit.progress(), (rows.end, 8));
            streamed.extend(now(fit.rows(1, rows)).unwrap());
        }
        assert!(now(fit.rows(7, 0..1)).is_err() && now(fit.rows(1, 0..9)).is_err());
        assert_eq!(streamed, now(fit.finish()).unwrap().layers[&1]);
    }
}

#[test]
fn bad_options_say_what_would_be_right() {
    let config = windowed();
    let message = |o: FitOptions| o.resolve(&config).unwrap_err().to_string();
    let target = message(FitOptions {
        target: Some(4),
        ..FitOptions::default()
    });
    assert!(target.contains("from 1 to 3"), "{target}");
    let sources = message(FitOptions {
        target: Some(2),
        sources: Some(vec![0, 2]),
        ..FitOptions::default()
    });
    assert!(sources.contains("include 2"), "{sources}");
    let none = message(FitOptions {
        sources: Some(vec![]),
        ..FitOptions::default()
    });
    assert!(none.contains("at least one"), "{none}");
}

#[test]
fn a_prompt_without_a_valid_position_is_counted_as_skipped() {
    let config = windowed();
    let m = model(transformer::Cpu::new(), &config, 1);
    let e = FitOptions {
        skip_first: 4,
        ..FitOptions::default()
    }
    .resolve(&config)
    .unwrap();
    let mut sums = Accumulator::mean(e.clone());
    for n in [5, 6] {
        match PromptFit::new(&m, &e, 8, &prompt(&config, n, 1)).unwrap() {
            Some(fit) => sums.add(&now(fit.finish()).unwrap()).unwrap(),
            None => sums.skip(),
        }
    }
    let lens = sums.finish(&Origin::default()).unwrap();
    let p = lens.provenance;
    assert_eq!(
        (
            p.prompts_used,
            p.prompts_skipped,
            p.tokens_per_prompt,
            p.skip_first
        ),
        (1, 1, 6, 4)
    );
    let nothing = Accumulator::mean(e)
        .finish(&Origin::default())
        .unwrap_err()
        .to_string();
    assert!(nothing.contains("no prompt"), "{nothing}");
}
