//! The lens against an independent implementation: PyTorch autograd, see `tests/goldens/README.md`.
//!
//! The plain backend in f64 must agree to 1e-6, the fast one in f32 to 1e-4, relative to the largest magnitude of each tensor
//! (goldens are f64 results stored as f32). The WebGPU backend runs the same checks in a crate of its own.

mod checks;

use checks::golden::Golden;
use checks::{check_fits, check_interventions, check_readouts, check_vectors};
use transformer::{Cpu, Model, Reference};

/// Runs a check on every family with both backends.
macro_rules! on_both_backends {
    ($name:ident, $check:ident) => {
        #[test]
        fn $name() {
            for g in Golden::all() {
                let weights = g.weights();
                $check(
                    &g,
                    &Model::new(Reference::<f64>::new(), &weights).unwrap(),
                    1e-6,
                );
                $check(&g, &Model::new(Cpu::new(), &weights).unwrap(), 1e-4);
            }
        }
    };
}

on_both_backends!(fits_of_every_variant, check_fits);
on_both_backends!(lens_vectors, check_vectors);
on_both_backends!(readouts_of_both_lenses, check_readouts);
on_both_backends!(swaps_steering_and_ablation, check_interventions);
