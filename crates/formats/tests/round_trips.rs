//! What is written is read back, equal contents are equal bytes, and misuse is refused with the place named.

mod common;

use formats::Subject;
use formats::{Error, LensFile, ModelFile, Precision};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn one<T>(strategy: impl Strategy<Value = T>) -> T {
    strategy
        .new_tree(&mut TestRunner::deterministic())
        .unwrap()
        .current()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn model(model in common::model()) {
        let bytes = model.write(Precision::F32).unwrap();
        prop_assert_eq!(&bytes, &model.write(Precision::F32).unwrap());
        let back = ModelFile::read(&bytes).unwrap();
        prop_assert_eq!(&back, &model);
        prop_assert_eq!(back.weights_hash(), model.weights_hash());
    }

    #[test]
    fn model_in_half_precision(model in common::model()) {
        let back = ModelFile::read(&model.write(Precision::F16).unwrap()).unwrap();
        prop_assert_eq!(&back, &model.rounded(Precision::F16));
        for (a, b) in back.weights.flat.iter().zip(&model.weights.flat) {
            prop_assert!((a - b).abs() <= b.abs() / 2048.0 + 1e-7);
        }
        // a second trip changes nothing
        prop_assert_eq!(&ModelFile::read(&back.write(Precision::F16).unwrap()).unwrap(), &back);
    }

    #[test]
    fn lens(lens in common::lens()) {
        let bytes = lens.write(Precision::F32).unwrap();
        prop_assert_eq!(&bytes, &lens.write(Precision::F32).unwrap());
        prop_assert_eq!(&LensFile::read(&bytes).unwrap(), &lens);
        let half = LensFile::read(&lens.write(Precision::F16).unwrap()).unwrap();
        prop_assert_eq!(&half.provenance, &lens.provenance);
    }
}

#[test]
fn lens_tensors_are_named_as_in_the_reference() {
    let mut lens = one(common::lens());
    let size = lens.d_model * lens.d_model;
    lens.jacobians = [0, 1, 4].map(|l| (l, vec![l as f32; size])).into();
    lens.provenance.target_layer = 8;
    let bytes = lens.write(Precision::F32).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let mut names = file.names();
    names.sort_unstable();
    assert_eq!(names, ["J.0", "J.3", "J.embedding"]);
    assert!(String::from_utf8_lossy(&bytes).contains(r#"\"target_layer\":7"#));
}

#[test]
fn a_lens_for_another_model_is_refused_or_warned_about() {
    let mut lens = one(common::lens());
    (
        lens.provenance.weights_hash,
        lens.provenance.vocabulary_hash,
    ) = ("aa".into(), "bb".into());
    let subject = Subject {
        d_model: lens.d_model,
        n_layers: lens.provenance.target_layer,
        weights_hash: "aa",
        vocabulary_hash: "bb",
    };
    assert!(lens.check(&subject).unwrap().is_empty());
    let warnings = lens
        .check(&Subject {
            weights_hash: "cc",
            ..subject
        })
        .unwrap();
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].to_string().contains("another weights"),
        "{}",
        warnings[0]
    );
    assert_eq!(
        lens.check(&Subject {
            weights_hash: "c",
            vocabulary_hash: "c",
            ..subject
        })
        .unwrap()
        .len(),
        2
    );
    for wrong in [
        Subject {
            d_model: lens.d_model + 1,
            ..subject
        },
        Subject {
            n_layers: lens.provenance.target_layer - 1,
            ..subject
        },
    ] {
        assert!(matches!(
            lens.check(&wrong),
            Err(Error::LensMismatch { .. })
        ));
    }
}

#[test]
fn what_could_not_be_read_back_is_not_written() {
    let good = one(common::lens());
    let layer = *good.jacobians.keys().next().unwrap();
    let mut bad = good.clone();
    bad.jacobians.get_mut(&layer).unwrap()[0] = f32::NAN;
    assert!(
        bad.write(Precision::F32)
            .unwrap_err()
            .to_string()
            .contains("element 0 is NaN")
    );
    let mut bad = good.clone();
    bad.jacobians.get_mut(&layer).unwrap()[0] = 1e6;
    assert!(
        bad.write(Precision::F16)
            .unwrap_err()
            .to_string()
            .contains("F16 cannot hold")
    );
    assert!(bad.write(Precision::F32).is_ok());
    let mut bad = good.clone();
    bad.provenance.target_layer = 0;
    assert!(bad.write(Precision::F32).is_err());
    let mut bad = good.clone();
    bad.jacobians
        .insert(99, vec![0.0; good.d_model * good.d_model]);
    assert!(
        bad.write(Precision::F32)
            .unwrap_err()
            .to_string()
            .contains("below the target")
    );
    let mut bad = good;
    bad.jacobians.clear();
    assert!(bad.write(Precision::F32).is_err());
}

#[test]
fn kinds_of_files_are_told_apart() {
    let lens = one(common::lens()).write(Precision::F32).unwrap();
    let model = one(common::model()).write(Precision::F32).unwrap();
    assert!(matches!(
        ModelFile::read(&lens),
        Err(Error::WrongKind { .. })
    ));
    assert!(matches!(
        LensFile::read(&model),
        Err(Error::WrongKind { .. })
    ));
}
