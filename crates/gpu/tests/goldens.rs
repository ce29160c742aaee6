//! The whole lens on the device against PyTorch autograd (`tests/goldens/README.md`): forward passes and fits of every variant to
//! 1e-3 relative, readouts with the same best words, swaps, steering and ablation.

use gpu::Gpu;
use parity::{Golden, Part, compare};
use pollster::block_on;
use transformer::Model;

const TOLERANCE: f64 = 1e-3;

/// Compares a part on every family.
macro_rules! on_the_device {
    ($name:ident, $part:ident) => {
        #[test]
        fn $name() {
            for g in Golden::committed().unwrap() {
                let device = block_on(Gpu::open()).unwrap();
                let model = Model::new(device, &g.weights().unwrap()).unwrap();
                for found in block_on(compare(&g, &model, Part::$part)).unwrap() {
                    let (name, what, e) = (&g.name, &found.what, found.error);
                    assert!(
                        e < TOLERANCE,
                        "{name}, {what}: {e:e}, allowed {TOLERANCE:e}"
                    );
                    assert!(found.same_words, "{name}, {what}: other words");
                }
            }
        }
    };
}

on_the_device!(forward_passes, Forward);
on_the_device!(fits_of_every_variant, Fits);
on_the_device!(lens_vectors, Vectors);
on_the_device!(readouts_of_both_lenses, Readouts);
on_the_device!(swaps_steering_and_ablation, Interventions);
