//! The whole lens on the device against PyTorch autograd (`tests/goldens/README.md`): fits of every variant to 1e-3 relative,
//! readouts with the same best words, swaps, steering and ablation.

#[path = "../../lens/tests/checks/mod.rs"]
mod checks;

use checks::golden::Golden;
use checks::{check_fits, check_interventions, check_readouts, check_vectors};
use gpu::Gpu;
use pollster::block_on;
use transformer::Model;

/// Runs a check on every family.
macro_rules! on_the_device {
    ($name:ident, $check:ident) => {
        #[test]
        fn $name() {
            for g in Golden::all() {
                let device = block_on(Gpu::open()).unwrap();
                $check(&g, &Model::new(device, &g.weights()).unwrap(), 1e-3);
            }
        }
    };
}

on_the_device!(fits_of_every_variant, check_fits);
on_the_device!(lens_vectors, check_vectors);
on_the_device!(readouts_of_both_lenses, check_readouts);
on_the_device!(swaps_steering_and_ablation, check_interventions);
