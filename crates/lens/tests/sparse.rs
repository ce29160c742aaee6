//! Pursuit, by its properties.

mod common;

use common::uniform;
use lens::pursuit::{Dictionary, Refit, nnls};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

const D: usize = 12;

fn numbers(n: usize, seed: u64) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| uniform(&mut rng) as f32).collect()
}

fn norm(x: &[f32]) -> f64 {
    x.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt()
}

proptest! {
    #[test]
    fn coefficients_are_nonnegative_and_more_atoms_explain_more(seed in 0u64..2000, n in 1usize..60, k in 1usize..20) {
        let dictionary = Dictionary::new(&numbers(n * D, seed), D).unwrap();
        let x = numbers(D, seed + 5000);
        for refit in [Refit::Gradient, Refit::Exact] {
            let out = dictionary.pursue(&x, k, refit).unwrap();
            prop_assert!(out.atoms.len() <= k.min(n));
            prop_assert!(out.coefficients.iter().chain(&out.exact).all(|&c| c >= 0.0));
            for list in [&out.explained, &out.explained_exact] {
                prop_assert!(list.windows(2).all(|w| w[1] >= w[0] - 1e-9), "{list:?}");
                prop_assert!(list.iter().all(|e| (-1e-9..=1.0 + 1e-9).contains(e)));
            }
            // the best coefficients on a set are at least as good as any others on it
            let better = out.explained.iter().zip(&out.explained_exact).all(|(g, e)| *e >= g - 1e-9);
            prop_assert!(better);
            let mut once = out.atoms.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), out.atoms.len());
            // what is reported is what the coefficients give
            if let Some(&explained) = out.explained.last() {
                let y = dictionary.reconstruct(&out.atoms, &out.coefficients);
                let rest: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
                prop_assert!((1.0 - (norm(&rest) / norm(&x)).powi(2) - explained).abs() < 1e-5);
            }
            // for the exact refit, residual and reconstruction are orthogonal
            if let (Refit::Exact, Some(&explained)) = (refit, out.explained.last()) {
                let y = dictionary.reconstruct(&out.atoms, &out.exact);
                prop_assert!(((norm(&y) / norm(&x)).powi(2) - explained).abs() < 1e-5);
            }
        }
    }

    /// Karush-Kuhn-Tucker: c >= 0, gradient <= 0, and zero where c > 0.
    #[test]
    fn nnls_is_optimal(seed in 0u64..2000, n in 1usize..10) {
        let a = DMatrix::from_iterator(D, n, numbers(D * n, seed).into_iter().map(f64::from));
        let x = DVector::from_iterator(D, numbers(D, seed + 7).into_iter().map(f64::from));
        let c = nnls(&a, &x);
        let gradient = a.tr_mul(&(&x - &a * &c));
        for (c, g) in c.iter().zip(gradient.iter()) {
            prop_assert!(*c >= 0.0 && *g < 1e-8 && (*c == 0.0 || g.abs() < 1e-8), "{c} {g}");
        }
    }
}

/// nnls also where columns repeat or point opposite.
#[test]
fn nnls_survives_dependent_columns() {
    let one = DVector::from_column_slice(&[1.0, 2.0, 2.0]);
    let a = DMatrix::from_columns(&[one.clone(), one.clone(), -&one, DVector::zeros(3)]);
    let c = nnls(&a, &one);
    assert!((&a * &c - &one).norm() < 1e-12 && c.iter().all(|&c| c >= 0.0));
    assert_eq!(nnls(&DMatrix::from_columns(&[-&one]), &one)[0], 0.0);
}

#[test]
fn a_sum_of_orthogonal_atoms_is_found_exactly_and_largest_first() {
    let dictionary = Dictionary::new(
        &DMatrix::<f32>::identity(D, D)
            .as_slice()
            .iter()
            .map(|x| x * 3.0)
            .collect::<Vec<_>>(),
        D,
    )
    .unwrap();
    let mut x = [0.0f32; D];
    (x[7], x[2], x[4], x[5]) = (1.0, 3.0, 2.0, -9.0);
    for refit in [Refit::Gradient, Refit::Exact] {
        let out = dictionary.pursue(&x, 8, refit).unwrap();
        assert_eq!(
            out.atoms,
            [2, 4, 7],
            "{refit:?}: nothing negative, and stop when nothing is left"
        );
        let total = 95.0;
        for (e, part) in out.explained.iter().zip([9.0, 13.0, 14.0]) {
            assert!((e - part / total).abs() < 1e-6, "{:?}", out.explained);
        }
        for (c, expected) in out.coefficients.iter().zip([3.0, 2.0, 1.0]) {
            assert!(
                (c - expected).abs() < 1e-6,
                "coefficients are for unit atoms"
            );
        }
    }
}

#[test]
fn edge_cases() {
    let dictionary = Dictionary::new(&[0.0, 0.0, -1.0, 0.0], 2).unwrap();
    assert!(
        dictionary
            .pursue(&[1.0, 0.0], 2, Refit::Exact)
            .unwrap()
            .atoms
            .is_empty()
    );
    assert!(
        dictionary
            .pursue(&[0.0, 0.0], 2, Refit::Exact)
            .unwrap()
            .atoms
            .is_empty()
    );
    assert!(
        dictionary
            .pursue(&[f32::NAN, 0.0], 2, Refit::Exact)
            .unwrap()
            .atoms
            .is_empty()
    );
    assert!(dictionary.pursue(&[1.0], 2, Refit::Exact).is_err());
    assert!(Dictionary::new(&[1.0, 2.0, 3.0], 2).is_err() && Dictionary::new(&[], 2).is_err());
    assert_eq!(dictionary.atom(1), Some(&[-1.0, 0.0][..]));
}
