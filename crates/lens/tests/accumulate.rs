//! Many prompts: merging, pausing, threads, medians, memory.

mod common;

use common::*;
use lens::fit::threads::{Drive, fit_prompts};
use lens::fit::{Running, flops::fit_flops, plan_memory};
use lens::{
    Accumulator, Error, Estimator, FitOptions, Lens, Origin, PromptFit, Reduction, Targets,
};
use std::sync::atomic::{AtomicBool, Ordering};
use transformer::{Cpu, Model};

fn prompts(n: usize) -> Vec<Vec<u32>> {
    // lengths differ, and some prompts are too short to count
    (0..n)
        .map(|i| prompt(&windowed(), [9, 2, 12, 5, 7][i % 5], i as u64))
        .collect()
}

fn setup() -> (Model<Cpu>, Estimator) {
    let config = windowed();
    let e = FitOptions {
        skip_first: 2,
        ..FitOptions::default()
    }
    .resolve(&config)
    .unwrap();
    (model(Cpu::new(), &config, 11), e)
}

fn fit(m: &Model<Cpu>, prompts: &[Vec<u32>], sums: &mut Accumulator, threads: usize) -> bool {
    let cancel = AtomicBool::new(false);
    let drive = Drive {
        threads,
        row_chunk: 3,
        cancel: &cancel,
        progress: &mut |_| {},
    };
    fit_prompts(m, prompts, sums, drive).unwrap()
}

fn lens_of(sums: &Accumulator) -> Lens {
    sums.finish(&Origin::default()).unwrap()
}

#[test]
fn sums_kept_on_the_backend_are_the_same_lens() {
    let (m, e) = setup();
    let mut sums = Running::new(&m, &e);
    for p in prompts(17) {
        match PromptFit::new(&m, &e, 3, &p).unwrap() {
            Some(fit) => sums.add(fit).unwrap(),
            None => sums.skip(),
        }
    }
    let mut expected = Accumulator::mean(e.clone());
    assert!(fit(&m, &prompts(17), &mut expected, 1));
    let kept = now(sums.read()).unwrap();
    assert_eq!((kept.used(), kept.skipped()), (13, 4));
    for (layer, j) in lens_of(&kept).layers {
        let error = far(&wide(&j), &wide(&lens_of(&expected).layers[&layer]));
        assert!(error < 1e-7, "layer {layer}: {error:e}");
    }
    // and go on as any other share of a fit
    assert!(fit(&m, &prompts(20), &mut { kept }, 1));
}

#[test]
fn any_number_of_threads_gives_the_same_sums() {
    let (m, e) = setup();
    let mut one = Accumulator::mean(e.clone());
    assert!(fit(&m, &prompts(17), &mut one, 1));
    assert_eq!((one.used(), one.skipped()), (13, 4));
    for threads in [2, 3, 8] {
        let mut many = Accumulator::mean(e.clone());
        assert!(fit(&m, &prompts(17), &mut many, threads));
        assert_eq!(one, many, "{threads} threads");
    }
}

#[test]
fn threads_equal_a_plain_loop() {
    let (m, e) = setup();
    let mut by_hand = Accumulator::mean(e.clone());
    for p in prompts(6) {
        match PromptFit::new(&m, &e, 3, &p).unwrap() {
            Some(fit) => by_hand.add(&now(fit.finish()).unwrap()).unwrap(),
            None => by_hand.skip(),
        }
    }
    let mut sums = Accumulator::mean(e);
    assert!(fit(&m, &prompts(6), &mut sums, 2));
    assert_eq!(by_hand, sums);
}

#[test]
fn merged_shares_equal_one_run() {
    let (m, e) = setup();
    let all = prompts(12);
    for new in [Accumulator::mean as fn(_) -> _, |e| {
        Accumulator::median(e, 1 << 20)
    }] {
        let mut one = new(e.clone());
        fit(&m, &all, &mut one, 2);
        let mut merged = new(e.clone());
        for share in [&all[..5], &all[5..6], &all[6..]] {
            let mut part = new(e.clone());
            fit(&m, share, &mut part, 2);
            merged.merge(part).unwrap();
        }
        let (one, merged) = (lens_of(&one), lens_of(&merged));
        assert_eq!(one.provenance, merged.provenance);
        for (l, j) in &one.layers {
            assert!(far(&wide(&merged.layers[l]), &wide(j)) < 1e-6);
        }
    }
}

#[test]
fn a_cancelled_and_saved_fit_resumes_to_the_same_result() {
    let (m, e) = setup();
    let all = prompts(14);
    let mut one = Accumulator::mean(e.clone());
    fit(&m, &all, &mut one, 2);

    let mut sums = Accumulator::mean(e);
    let cancel = AtomicBool::new(false);
    let progress = &mut |a: &Accumulator| cancel.store(a.seen() >= 6, Ordering::Relaxed);
    let drive = Drive {
        threads: 2,
        row_chunk: 3,
        cancel: &cancel,
        progress,
    };
    assert!(!fit_prompts(&m, &all, &mut sums, drive).unwrap());
    assert!(sums.seen() >= 6 && sums.seen() < 14, "{}", sums.seen());
    let saved = postcard::to_allocvec(&sums).unwrap();
    let mut resumed: Accumulator = postcard::from_bytes(&saved).unwrap();
    assert!(fit(&m, &all, &mut resumed, 2));
    assert_eq!(one, resumed);
    // nothing is left to do
    assert!(fit(&m, &all, &mut resumed, 2));
    assert_eq!(one, resumed);
}

#[test]
fn an_error_in_a_prompt_stops_the_fit_and_is_told() {
    let (m, e) = setup();
    let mut all = prompts(9);
    all[4] = vec![0, 99, 1, 2];
    for threads in [1, 3] {
        let mut sums = Accumulator::mean(e.clone());
        let cancel = AtomicBool::new(false);
        let drive = Drive {
            threads,
            row_chunk: 3,
            cancel: &cancel,
            progress: &mut |_| {},
        };
        let error = fit_prompts(&m, &all, &mut sums, drive)
            .unwrap_err()
            .to_string();
        assert!(error.contains("token 99"), "{error}");
        assert_eq!(sums.seen(), 4);
    }
}

#[test]
fn median_is_the_middle_of_every_element() {
    let (m, e) = setup();
    let all: Vec<_> = prompts(20).into_iter().filter(|p| p.len() > 3).collect();
    let each: Vec<Lens> = all
        .iter()
        .map(|p| {
            let mut one = Accumulator::mean(e.clone());
            fit(&m, std::slice::from_ref(p), &mut one, 1);
            lens_of(&one)
        })
        .collect();
    for n in [5, 6] {
        let mut kept = Accumulator::median(e.clone(), 1 << 20);
        fit(&m, &all[..n], &mut kept, 2);
        let median = lens_of(&kept);
        assert_eq!(median.provenance.reduction, Reduction::Median);
        for (i, &x) in median.layers[&1].iter().enumerate() {
            let mut values: Vec<f32> = each[..n].iter().map(|l| l.layers[&1][i]).collect();
            values.sort_by(f32::total_cmp);
            let expected = f32::midpoint(values[(n - 1) / 2], values[n / 2]);
            assert!((x - expected).abs() <= 1e-6 * expected.abs().max(1e-3));
        }
    }
}

#[test]
fn a_median_says_when_it_would_need_too_much() {
    let (m, e) = setup();
    let one = 8 * 8 * 3 * 4;
    let mut kept = Accumulator::median(e.clone(), 2 * one);
    let cancel = AtomicBool::new(false);
    let drive = Drive {
        threads: 2,
        row_chunk: 8,
        cancel: &cancel,
        progress: &mut |_| {},
    };
    let error = fit_prompts(&m, &prompts(9), &mut kept, drive).unwrap_err();
    assert!(
        matches!(error, Error::Memory { needed, budget, .. } if needed == 3 * one && budget == 2 * one)
    );
    assert_eq!(kept.used(), 2);
    let other = Accumulator::mean(e);
    assert!(
        kept.merge(other)
            .unwrap_err()
            .to_string()
            .contains("median")
    );
}

#[test]
fn different_estimators_do_not_merge() {
    let (_, e) = setup();
    let frozen = Estimator {
        frozen: true,
        ..e.clone()
    };
    let error = Accumulator::mean(e)
        .merge(Accumulator::mean(frozen))
        .unwrap_err();
    assert!(error.to_string().contains("estimator"), "{error}");
}

#[test]
fn future_is_a_difference_of_lenses() {
    let (m, e) = setup();
    let of = |targets| {
        let mut sums = Accumulator::mean(Estimator {
            targets,
            ..e.clone()
        });
        fit(&m, &prompts(7), &mut sums, 2);
        lens_of(&sums)
    };
    let (all, same, future) = (of(Targets::All), of(Targets::Same), of(Targets::Future));
    let difference = Lens::future(&all, &same).unwrap();
    assert_eq!(difference.provenance, future.provenance);
    for (l, j) in &future.layers {
        assert!(far(&wide(&difference.layers[l]), &wide(j)) < 1e-5);
    }
    assert!(Lens::future(&same, &all).is_err() && Lens::future(&all, &future).is_err());
}

#[test]
fn two_estimates_of_the_same_text_have_no_difference() {
    let (m, e) = setup();
    let of = |targets| {
        let mut sums = Accumulator::mean(Estimator {
            targets,
            ..e.clone()
        });
        fit(&m, &prompts(3), &mut sums, 1);
        lens_of(&sums)
    };
    let (all, same) = (of(Targets::All), of(Targets::Same));
    for field in ["skip_first", "prompts_used", "tokens_per_prompt"] {
        let mut other = same.clone();
        match field {
            "skip_first" => other.provenance.skip_first += 1,
            "prompts_used" => other.provenance.prompts_used += 1,
            _ => other.provenance.tokens_per_prompt += 1,
        }
        let error = Lens::future(&all, &other).unwrap_err();
        assert!(error.to_string().contains(field), "{error}");
    }
}

#[test]
fn a_lens_survives_its_file() {
    let (m, e) = setup();
    let mut sums = Accumulator::mean(e);
    fit(&m, &prompts(3), &mut sums, 1);
    let lens = lens_of(&sums);
    let bytes = formats::LensFile::from(lens.clone())
        .write(formats::Precision::F32)
        .unwrap();
    assert_eq!(Lens::from(formats::LensFile::read(&bytes).unwrap()), lens);
}

#[test]
fn memory_plan_grows_with_what_needs_memory_and_keeps_to_the_budget() {
    let (config, options) = (llama(), FitOptions::default());
    let plan = |t, o: &FitOptions, threads, budget| plan_memory(&config, t, o, threads, budget);
    let free = plan(16, &options, 1, usize::MAX / 2).unwrap();
    assert!(plan(8, &options, 1, usize::MAX / 2).unwrap().total() < free.total());
    assert!(plan(16, &options, 2, usize::MAX / 2).unwrap().total() > free.total());
    let tight = plan(16, &options, 1, free.total() - 1).unwrap();
    assert!(tight.row_chunk < free.row_chunk && tight.total() < free.total());
    let one = FitOptions {
        row_chunk: Some(1),
        ..options.clone()
    };
    let least = plan(16, &one, 1, usize::MAX / 2).unwrap();
    assert_eq!(plan(16, &options, 1, least.total()).unwrap(), least);
    for o in [&options, &one] {
        let error = plan(16, o, 1, least.total() - 1).unwrap_err();
        assert!(
            matches!(error, Error::Memory { needed, .. } if needed == least.total()),
            "{error}"
        );
    }
    let wish = FitOptions {
        row_chunk: Some(8),
        ..options
    };
    assert!(
        plan(16, &wish, 1, free.total() - 1).is_err(),
        "an explicit wish is not silently cut"
    );
}

/// 2 multiply-adds per weight and token, once forward and once per cotangent row.
#[test]
fn flops_are_counted_from_the_shapes() {
    let (config, (_, e)) = (windowed(), setup());
    let per_block = 8 * 24 + 8 * 8 + 2 * 8 * 12;
    let expected = 2 * 10 * 3 * per_block * (1 + 8);
    assert_eq!(fit_flops(&config, &e, 10), f64::from(expected));
    let top = Estimator {
        sources: vec![2],
        ..e
    };
    assert_eq!(
        fit_flops(&config, &top, 10),
        f64::from(2 * 10 * per_block * (3 + 8))
    );
}
