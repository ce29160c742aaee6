//! What a request costs: one submission and one wait per readout; a fit of many prompts waits only when somebody wants to see it.

#[path = "../../lens/tests/common/mod.rs"]
mod common;

use common::{far, llama, now, prompt, wide, windowed};
use gpu::{Counters, Gpu};
use lens::fit::{Device, Plan, Running, plan_device};
use lens::intervene::{Mode, prepare};
use lens::readout::read;
use lens::{
    Accumulator, Basis, Error, FitOptions, Head, Lens, Origin, PromptFit, ReadOptions, Targets,
};
use transformer::{Config, Cpu, Keep, Model};

fn device(config: &Config) -> Model<Gpu> {
    common::model(now(Gpu::open()).unwrap(), config, 1)
}

/// What was sent and awaited by `work`: submissions and readbacks.
fn costs<T>(m: &Model<Gpu>, work: impl FnOnce() -> T) -> (T, [u64; 2]) {
    let Counters {
        submits, readbacks, ..
    } = m.ops.counters();
    let result = work();
    let after = m.ops.counters();
    (
        result,
        [after.submits - submits, after.readbacks - readbacks],
    )
}

fn fit_on_cpu(config: &Config, options: &FitOptions, prompts: &[Vec<u32>]) -> Accumulator {
    let m = common::model(Cpu::new(), config, 1);
    let e = options.resolve(config).unwrap();
    let mut sums = Accumulator::mean(e.clone());
    for p in prompts {
        match PromptFit::new(&m, &e, 3, p).unwrap() {
            Some(fit) => sums.add(&now(fit.finish()).unwrap()).unwrap(),
            None => sums.skip(),
        }
    }
    sums
}

fn same(a: &Lens, b: &Lens) {
    assert_eq!(a.provenance, b.provenance);
    for (layer, j) in &a.layers {
        let e = far(&wide(j), &wide(&b.layers[layer]));
        assert!(e < 1e-5, "layer {layer}: {e:e}");
    }
}

fn prompts(config: &Config) -> Vec<Vec<u32>> {
    // one too short to count, and different lengths
    [9, 4, 2, 12, 7]
        .iter()
        .zip(0..)
        .map(|(&n, seed)| prompt(config, n, seed))
        .collect()
}

#[test]
fn a_fit_of_many_prompts_stays_on_the_device() {
    for (config, targets) in [(windowed(), Targets::All), (llama(), Targets::Future)] {
        let options = FitOptions {
            targets,
            ..FitOptions::default()
        };
        let (m, prompts) = (device(&config), prompts(&config));
        let e = options.resolve(&config).unwrap();
        let (sums, cost) = costs(&m, || {
            let mut sums = Running::new(&m, &e);
            for p in &prompts {
                match PromptFit::new(&m, &e, 3, p).unwrap() {
                    Some(fit) => sums.add(fit).unwrap(),
                    None => sums.skip(),
                }
            }
            assert_eq!(sums.used(), 4);
            sums
        });
        assert_eq!(cost[1], 0, "nothing is read while prompts are added");
        let (read, cost) = costs(&m, || now(sums.read()).unwrap());
        assert_eq!(cost, [1, 1]);
        let origin = Origin::default();
        let expected = fit_on_cpu(&config, &options, &prompts)
            .finish(&origin)
            .unwrap();
        same(&read.finish(&origin).unwrap(), &expected);
    }
}

#[test]
fn a_prompt_of_another_estimator_is_refused() {
    let (config, options) = (windowed(), FitOptions::default());
    let m = common::model(Cpu::new(), &config, 1);
    let e = options.resolve(&config).unwrap();
    let frozen = FitOptions {
        frozen: true,
        ..options
    };
    let other = frozen.resolve(&config).unwrap();
    let fit = PromptFit::new(&m, &other, 3, &prompt(&config, 9, 1))
        .unwrap()
        .unwrap();
    let error = Running::new(&m, &e).add(fit).unwrap_err();
    assert!(matches!(error, Error::Combine { .. }), "{error}");
}

#[test]
fn one_prompts_jacobians_and_a_few_of_their_rows_are_one_readback_each() {
    let config = windowed();
    let m = device(&config);
    let e = FitOptions::default().resolve(&config).unwrap();
    let mut fit = PromptFit::new(&m, &e, 3, &prompt(&config, 9, 1))
        .unwrap()
        .unwrap();
    let rows = fit.step().unwrap().unwrap();
    let before = m.ops.counters().bytes_read;
    let (rows, cost) = costs(&m, || now(fit.rows(1, rows)).unwrap());
    assert_eq!((rows.len(), cost), (3 * config.d_model, [1, 1]));
    assert_eq!(m.ops.counters().bytes_read - before, 4 * rows.len() as u64);
    let (_, cost) = costs(&m, || now(fit.finish()).unwrap());
    assert_eq!(cost, [1, 1]);
}

#[test]
fn readouts_and_swaps_wait_as_seldom_as_they_can() {
    let config = windowed();
    let m = device(&config);
    let prompts = prompts(&config);
    let sums = fit_on_cpu(&config, &FitOptions::default(), &prompts);
    let lens = sums.finish(&Origin::default()).unwrap();
    let tokens = &prompts[3];
    let (n, layers) = (tokens.len(), [0, 1, 2, 3]);
    let trace = || m.forward(tokens, n, &[], Keep::Residuals).unwrap();
    let (_, cost) = costs(&m, || {
        let options = ReadOptions {
            tracked: &[3, 4],
            budget: 500, // a few rows at a time: several chunks per layer
            ..ReadOptions::default()
        };
        now(read(&m, &trace(), Some(&lens), &layers, options)).unwrap()
    });
    assert_eq!(cost, [1, 1], "forward pass and readout of every cell");
    let head = now(Head::new(&m)).unwrap();
    let (directions, cost) = costs(&m, || {
        let basis = Basis::Jacobian(&lens);
        now(head.directions(&m, basis, 0..=3, &[3, 4], true)).unwrap()
    });
    assert_eq!(
        cost,
        [2, 2],
        "rows of two words, then their lens vectors at every layer"
    );
    for mode in [Mode::SwapClamped, Mode::Steer { strength: 1.0 }] {
        let on = vec![true; n];
        let (_, cost) = costs(&m, || {
            now(prepare(&m, &trace(), &directions, mode, &on)).unwrap()
        });
        assert_eq!(
            cost,
            [1, 1],
            "forward pass and what every layer's edit needs"
        );
    }
    let (_, cost) = costs(&m, || {
        now(prepare(
            &m,
            &trace(),
            &directions,
            Mode::Ablate,
            &[true; 12],
        ))
        .unwrap()
    });
    assert_eq!(cost, [0, 0], "ablation needs nothing of the clean pass");
}

#[test]
fn a_budget_shrinks_the_row_chunks_and_is_kept() {
    let config = Config {
        d_model: 48,
        head_dim: 24,
        d_ff: 128,
        max_context: 40,
        ..windowed()
    };
    let (options, t) = (FitOptions::default(), 40);
    let plan = |budget| {
        let device = Device {
            budget,
            binding: 128 << 20,
        };
        plan_device(&config, t, &options, device)
    };
    let roomy = plan(1 << 30).unwrap();
    assert_eq!(roomy.row_chunk, config.d_model);
    let one = Plan {
        working: roomy.working / roomy.row_chunk,
        ..roomy
    };
    let tight = plan(one.total() + 2 * one.working).unwrap();
    assert!((1..=3).contains(&tight.row_chunk), "{tight:?}");
    let error = plan(one.total() - 1).unwrap_err().to_string();
    assert!(error.contains(&one.total().to_string()), "{error}");
    // a matrix that the device does not see
    let device = Device {
        budget: 1 << 30,
        binding: 100,
    };
    let error = plan_device(&config, t, &options, device)
        .unwrap_err()
        .to_string();
    assert!(error.contains("100 are allowed"), "{error}");

    // the device holds no more than was planned, but for small change: masks, tokens, rounded sizes
    for plan in [tight, roomy] {
        let m = device_that_fits(&config, plan, t);
        let slack = 16 << 10;
        let held = m.ops.held_bytes() as usize;
        assert!(held <= plan.total() + slack, "{held} of {plan:?}");
    }
}

fn device_that_fits(config: &Config, plan: Plan, t: usize) -> Model<Gpu> {
    let m = device(config);
    let e = FitOptions::default().resolve(config).unwrap();
    let mut sums = Running::new(&m, &e);
    for seed in 0..3 {
        let fit = PromptFit::new(&m, &e, plan.row_chunk, &prompt(config, t, seed));
        sums.add(fit.unwrap().unwrap()).unwrap();
    }
    now(sums.read()).unwrap();
    drop(sums);
    m
}
