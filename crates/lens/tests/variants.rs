//! Variants and options of the fit: their relations to each other, streaming, and what bad ones say.

mod common;

use common::*;
use lens::{Accumulator, FitOptions, Origin, PromptFit, Targets};
use transformer::Reference;

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
