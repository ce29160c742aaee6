//! What a device cannot do at once is done in parts, and what it cannot do at all is an error that says so. The limits are lowered,
//! so that small shapes meet them.

use gpu::{Gpu, Limits, Options};
use pollster::block_on;
use rand::{Rng, SeedableRng};
use transformer::Ops;
use transformer::ops::{Linear, top};

fn numbers(seed: u64, n: usize) -> Vec<f32> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| rng.random_range(-1.0..1.0)).collect()
}

fn device(binding: u64, long: Option<u64>) -> Gpu {
    let limits = Some(Limits {
        binding,
        buffer: 1 << 20,
    });
    let options = Options {
        limits,
        long,
        ..Options::default()
    };
    block_on(Gpu::open_with(options)).unwrap()
}

/// Forward and backward product, gathered rows and best words of a head with `vocab` words.
fn head<O: Ops<S = f32>>(ops: &O, rows: usize, d: usize, vocab: usize) -> Vec<Vec<f32>> {
    let map = Linear {
        w: ops.upload(&numbers(1, vocab * d)),
        bias: Some(ops.upload(&numbers(2, vocab))),
        inp: d,
        out: vocab,
    };
    let logits = ops.linear(&ops.upload(&numbers(3, rows * d)), &map);
    let pulled = ops.linear_vjp(&logits, &map);
    let mut added = ops.upload(&numbers(4, rows * d));
    ops.linear_vjp_add(&logits, &map, &mut added);
    let tokens: Vec<u32> = (0..rows).map(|i| (i * 37 % vocab) as u32).collect();
    let gathered = ops.embed(&map.w, &tokens, d);
    let best = ops.top(&logits, vocab, 4, &[5]);
    block_on(ops.read_all(&[&logits, &pulled, &added, &gathered, &best])).unwrap()
}

fn compare(parts: &[Vec<f32>], whole: &[Vec<f32>]) {
    for (which, (a, b)) in parts.iter().zip(whole).enumerate() {
        assert_eq!(a.len(), b.len());
        let scale = b.iter().fold(1e-2f32, |s, x| s.max(x.abs()));
        for (a, b) in a.iter().zip(b) {
            assert!(
                (a - b).abs() <= 1e-5 * scale,
                "result {which}: {a} is not {b}"
            );
        }
    }
}

#[test]
fn matrices_larger_than_a_binding_are_taken_in_blocks() {
    // 4096 bytes hold the whole of a row of logits, but neither the weights nor the logits, in odd sizes
    for (rows, d, vocab) in [(37, 33, 301), (9, 64, 500), (3, 17, 777), (300, 20, 40)] {
        let gpu = device(4096, None);
        let before = gpu.counters();
        let parts = head(&gpu, rows, d, vocab);
        let dispatches = gpu.counters().dispatches - before.dispatches;
        assert!(dispatches > 10, "{dispatches} dispatches: nothing was cut");
        compare(&parts, &head(&transformer::Cpu::new(), rows, d, vocab));
    }
}

#[test]
fn long_products_are_cut_and_sent_off_in_several_submissions() {
    let (rows, d, vocab) = (700, 40, 50);
    let whole = device(128 << 20, None);
    let expected = head(&whole, rows, d, vocab);
    assert_eq!(whole.counters().submits, 1);
    // one product has 1.4 million multiply-adds
    let gpu = device(128 << 20, Some(300_000));
    compare(&head(&gpu, rows, d, vocab), &expected);
    let counters = gpu.counters();
    assert!(
        counters.submits > 10 && counters.readbacks == 1,
        "{counters:?}"
    );
}

#[test]
fn what_does_not_fit_is_an_error_with_both_sizes_and_the_device_goes_on() {
    let gpu = device(4096, None);
    let map = |out| Linear {
        w: gpu.upload(&numbers(1, 8 * out)),
        bias: None,
        inp: 8,
        out,
    };
    // one row of logits is more than a kernel sees
    let wide = gpu.linear(&gpu.upload(&numbers(2, 8)), &map(2000));
    let error = block_on(gpu.read(&wide)).unwrap_err().to_string();
    assert!(
        error.contains("4096 bytes") && error.contains("8000 bytes"),
        "{error}"
    );
    // an operation that is not cut
    let mut sum = gpu.zeros(2000);
    gpu.add(&mut sum, &gpu.zeros(2000));
    let error = block_on(gpu.read(&sum)).unwrap_err().to_string();
    assert!(error.starts_with("add: expected at most 4096"), "{error}");
    // a buffer that WebGPU does not have
    let huge = gpu.zeros(1 << 19);
    let copy = gpu.copy(&huge);
    let error = block_on(gpu.read(&copy)).unwrap_err().to_string();
    assert!(
        error.contains("1048576 bytes") && error.contains("2097152 bytes"),
        "{error}"
    );
    let error = block_on(gpu.read(&huge)).unwrap_err().to_string();
    assert!(error.contains("2097152 bytes"), "{error}");
    // none of this is the end of the device
    let small = gpu.linear(&gpu.upload(&[1.0; 8]), &map(3));
    assert_eq!(block_on(gpu.read(&small)).unwrap().len(), 3);
}

#[test]
fn no_best_word_is_a_readout_too() {
    let gpu = device(4096, None);
    let logits = gpu.upload(&[1.0, 3.0, 2.0, -1.0]);
    let packed = block_on(gpu.read(&gpu.top(&logits, 4, 0, &[2]))).unwrap();
    assert_eq!(packed.len(), top::width(0, 1));
    let lse = [1.0f32, 3.0, 2.0, -1.0]
        .iter()
        .map(|x| x.exp())
        .sum::<f32>()
        .ln();
    assert!((packed[0] - lse).abs() < 1e-5);
    assert_eq!(packed[1..], [1.0, 2.0]);
}

#[test]
fn buffers_and_bind_groups_do_not_pile_up() {
    let gpu = device(1 << 20, None);
    let pass = |n: usize| {
        let map = Linear {
            w: gpu.upload(&numbers(1, 64 * 64)),
            bias: None,
            inp: 64,
            out: 64,
        };
        let mut x = gpu.upload(&numbers(2, n * 64));
        for _ in 0..4 {
            x = gpu.linear(&x, &map);
        }
        block_on(gpu.read(&x)).unwrap();
    };
    // a pass of 59 rows holds the weights and two matrices of 59 x 64
    let most = (64 * 64 + 4 * 59 * 64) * 4;
    for i in 0..300 {
        pass(10 + i * 13 % 50);
        assert!(
            gpu.held_bytes() <= most,
            "{} after {i} passes",
            gpu.held_bytes()
        );
    }
}
