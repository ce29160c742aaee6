//! Running one case on every backend.

use gpu::Gpu;
use pollster::block_on;
use rand::{Rng, SeedableRng};
use std::mem::ManuallyDrop;
use transformer::ops::real::Real;
use transformer::{Cpu, Ops, Reference};

/// Calls of one operation.
pub trait Case {
    /// True if the case contains matrix products, of which the device has two kernels.
    const PRODUCTS: bool = false;

    /// Makes the calls and names what must agree.
    fn run<O: Ops>(&self, ops: &O) -> Vec<(&'static str, O::Buf)>;
}

/// Numbers in -1..1, the same for the same seed.
pub fn numbers<S: Real>(seed: u64, n: usize) -> Vec<S> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| S::of(rng.random_range(-1.0..1.0))).collect()
}

/// The same, on a backend.
pub fn random<O: Ops>(ops: &O, seed: u64, n: usize) -> O::Buf {
    ops.upload(&numbers(seed, n))
}

/// True where the seed's numbers are positive.
pub fn mask(seed: u64, n: usize) -> Vec<bool> {
    numbers::<f64>(seed, n).iter().map(|&x| x > 0.0).collect()
}

thread_local! {
    // tests of one thread share a device: opening one compiles every kernel. It is never dropped: wgpu has thread locals of its own,
    // which may be gone by then.
    static DEVICE: ManuallyDrop<Gpu> = ManuallyDrop::new(block_on(Gpu::open()).unwrap());
}

/// Checks that all backends agree with the definition within `tolerance` of the largest number of each result.
pub fn agrees<C: Case>(case: &C, tolerance: f64) {
    let exact = values(&Reference::<f64>::new(), case);
    compare("cpu", &values(&Cpu::new(), case), &exact, tolerance);
    DEVICE.with(|device| {
        let mut device = Gpu::clone(device);
        compare("gpu", &values(&device, case), &exact, tolerance);
        if C::PRODUCTS {
            device.naive_matmul = true;
            compare("gpu, naive", &values(&device, case), &exact, tolerance);
        }
    });
}

type Values = Vec<(&'static str, Vec<f64>)>;

fn values<O: Ops>(ops: &O, case: &impl Case) -> Values {
    let (names, bufs): (Vec<_>, Vec<_>) = case.run(ops).into_iter().unzip();
    let numbers = block_on(ops.read_all(&bufs.iter().collect::<Vec<_>>())).unwrap();
    let wide = numbers
        .into_iter()
        .map(|x| x.into_iter().map(Real::wide).collect());
    names.into_iter().zip(wide).collect()
}

fn compare(backend: &str, got: &Values, exact: &Values, tolerance: f64) {
    for ((name, x), (_, y)) in got.iter().zip(exact) {
        assert_eq!(x.len(), y.len(), "{backend}, {name}");
        let scale = y.iter().fold(1e-2f64, |s, y| s.max(y.abs()));
        for (i, (x, y)) in x.iter().zip(y).enumerate() {
            let e = (x - y).abs() / scale;
            assert!(
                e <= tolerance,
                "{backend}, {name}[{i}]: {x} is not {y}, {e:e} of {scale}"
            );
        }
    }
}
