//! The lens against an independent implementation: PyTorch autograd, see `tests/goldens/README.md`.
//!
//! The plain backend in f64 must agree to 1e-6, the fast one in f32 to 1e-4, relative to the largest magnitude of each tensor
//! (goldens are f64 results stored as f32). The WebGPU backend runs the same comparison in a crate of its own, and so does the
//! page on the visitor's machine.

use parity::{Golden, Part, compare};
use pollster::block_on;
use transformer::{Cpu, Model, Ops, Reference};

fn check<O: Ops>(g: &Golden, ops: O, part: Part, tolerance: f64) {
    let model = Model::new(ops, &g.weights().unwrap()).unwrap();
    let findings = block_on(compare(g, &model, part)).unwrap();
    assert!(!findings.is_empty());
    for found in findings {
        let (name, what) = (&g.name, &found.what);
        let e = found.error;
        assert!(
            e < tolerance,
            "{name}, {what}: {e:e}, allowed {tolerance:e}"
        );
        assert!(found.same_words, "{name}, {what}: other words");
    }
}

/// Compares a part on every family with both backends.
macro_rules! on_both_backends {
    ($name:ident, $part:ident) => {
        #[test]
        fn $name() {
            for g in Golden::committed().unwrap() {
                check(&g, Reference::<f64>::new(), Part::$part, 1e-6);
                check(&g, Cpu::new(), Part::$part, 1e-4);
            }
        }
    };
}

on_both_backends!(forward_passes, Forward);
on_both_backends!(fits_of_every_variant, Fits);
on_both_backends!(lens_vectors, Vectors);
on_both_backends!(readouts_of_both_lenses, Readouts);
on_both_backends!(swaps_steering_and_ablation, Interventions);
