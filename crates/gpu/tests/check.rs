//! The self-check, and the two ways in which a device betrays: wrong numbers, and going away.

use gpu::{Check, Fault, Gpu, Options, self_check};
use pollster::block_on;
use std::time::Instant;
use transformer::Ops;

fn check(gpu: Gpu) -> (Gpu, Check) {
    let start = Instant::now();
    block_on(self_check(gpu, || start.elapsed().as_secs_f64())).unwrap()
}

#[test]
fn a_good_device_passes_and_says_what_it_is() {
    let start = Instant::now();
    let gpu = block_on(Gpu::open()).unwrap();
    let opened = start.elapsed();
    let (gpu, check) = check(gpu);
    println!(
        "opened in {opened:?}, checked in {:?}",
        start.elapsed() - opened
    );
    assert!(check.correct(), "{check:?}");
    assert_eq!(check.adapter, gpu.adapter);
    assert!(!check.adapter.name.is_empty() && check.precision == "f32");
    // a processor that poses as a GPU is not worth timing
    assert_eq!(check.timing.is_none(), check.adapter.software);
    assert!(!check.adapter.software || !check.worthwhile());
}

#[test]
fn wrong_numbers_without_an_error_are_noticed() {
    let options = Options {
        fault: Some(Fault::WrongNumbers),
        ..Options::default()
    };
    let (_, check) = check(block_on(Gpu::open_with(options)).unwrap());
    assert!(!check.correct() && !check.worthwhile(), "{check:?}");
    assert!(
        check.error < 0.1,
        "the fault is meant to be subtle: {check:?}"
    );
}

#[test]
fn a_lost_device_is_an_error() {
    let (gpu, _) = check(block_on(Gpu::open()).unwrap());
    let buf = gpu.upload(&[1.0, 2.0]);
    assert_eq!(block_on(gpu.read(&buf)).unwrap(), [1.0, 2.0]);
    gpu.destroy();
    let error = block_on(gpu.read(&buf)).unwrap_err().to_string();
    assert!(error.contains("the computing device failed"), "{error}");
}
