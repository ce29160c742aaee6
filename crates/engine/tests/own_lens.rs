//! A reader's lens as a file: written, opened, and refused where it does not fit.

mod support;

use engine::Cpu;
use engine::protocol::*;
use engine::session::sentence;
use formats::LensFile;
use support::Desk;

/// Width of the test model.
const D: usize = 16;
/// Its blocks.
const L: usize = 3;

fn own(layers: usize) -> OwnLens {
    let number = |layer: usize| move |k: usize| (layer * 1000 + k) as f32 / 7.0;
    OwnLens {
        jacobians: (0..layers)
            .map(|l| (0..D * D).map(number(l)).collect())
            .collect(),
        targets: Targets::Future,
        frozen: true,
        median: true,
        prompts: 5,
        skipped: 1,
        seed: 7,
        corpus: String::new(),
        date: "2026-11-30".into(),
        warnings: vec![],
    }
}

fn written(desk: &mut Desk, lens: OwnLens) -> Vec<u8> {
    match desk.ask(Command::WriteLens(lens)).unwrap() {
        Reply::LensFile(bytes) => bytes,
        other => panic!("{other:?}"),
    }
}

fn opened(desk: &mut Desk, bytes: Vec<u8>) -> OwnLens {
    match desk.ask(Command::OpenLens(bytes)).unwrap() {
        Reply::OwnLens(lens) => lens,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_saved_lens_is_opened_bit_for_bit() {
    for layers in [L, L - 1] {
        let mut desk = Desk::loaded(Cpu::new(), &support::files(1));
        let bytes = written(&mut desk, own(layers));
        let back = opened(&mut desk, bytes);
        let expected = OwnLens {
            seed: 0,
            corpus: back.corpus.clone(),
            ..own(layers)
        };
        assert_eq!(back, expected);
        assert!(
            back.corpus.contains("first 6 sentences of seed 7"),
            "{}",
            back.corpus
        );
    }
}

#[test]
fn the_file_says_where_the_lens_comes_from() {
    let files = support::files(1);
    let shipped = LensFile::read(&files.lenses[0].1).unwrap().provenance;
    let mut desk = Desk::loaded(Cpu::new(), &files);
    let file = LensFile::read(&written(&mut desk, own(L)))
        .unwrap()
        .provenance;
    assert_eq!(file.weights_hash, shipped.weights_hash);
    assert_eq!(
        (file.prompts_used, file.prompts_skipped, file.target_layer),
        (5, 1, L)
    );
    let words = smallworld::Vocabulary::standard();
    let longest = (0..6).map(|k| sentence(&words, 7, k).len()).max().unwrap();
    assert_eq!(file.tokens_per_prompt, longest.min(24));
}

#[test]
fn what_does_not_fit_is_refused_with_a_reason() {
    let mut desk = Desk::loaded(Cpu::new(), &support::files(1));
    let mut refusal = |command| desk.ask(command).unwrap_err().to_string();
    let garbage = refusal(Command::OpenLens(vec![1; 40]));
    assert!(garbage.contains("lens"), "{garbage}");
    let empty = refusal(Command::WriteLens(OwnLens {
        jacobians: vec![],
        ..own(L)
    }));
    assert!(empty.contains("lens"), "{empty}");
    let narrow = OwnLens {
        jacobians: vec![vec![0.0; 9]; L],
        ..own(L)
    };
    assert!(refusal(Command::WriteLens(narrow)).contains("J."));
}

#[test]
fn a_lens_of_another_model_comes_with_a_warning() {
    let mut desk = Desk::loaded(Cpu::new(), &support::files(1));
    let bytes = written(&mut desk, own(L));
    let mut other = Desk::loaded(Cpu::new(), &support::files(2));
    assert!(!opened(&mut other, bytes).warnings.is_empty());
}
