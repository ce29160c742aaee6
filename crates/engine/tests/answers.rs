//! A session's answers against the lens crate's own, and against differences.

mod support;

use engine::Cpu;
use engine::protocol::*;
use formats::{LensFile, ModelFile};
use lens::intervene::{Mode, prepare};
use lens::readout::{self, ReadOptions};
use lens::{Basis, Head, Lens};
use pollster::block_on;
use support::Desk;
use transformer::{Keep, Model, Reference};

const TOKENS: [u32; 7] = [0, 12, 400, 33, 700, 5, 61];

fn direct(files: &ModelFiles) -> (Model<Cpu>, Lens) {
    let file = ModelFile::read(&files.weights).unwrap();
    let lens = LensFile::read(&files.lenses[0].1).unwrap();
    (Model::new(Cpu::new(), &file.weights).unwrap(), lens.into())
}

fn read_request(targets: Targets) -> ReadRequest {
    ReadRequest {
        tokens: TOKENS.to_vec(),
        targets,
        top: 5,
        tracked: vec![7, 300],
    }
}

#[test]
fn a_reading_is_the_lens_crates() {
    let files = support::files(1);
    let (model, lens) = direct(&files);
    let mut desk = Desk::loaded(Cpu::new(), &files);
    let reply = desk.ask(Command::Read(read_request(Targets::All))).unwrap();
    let Reply::Read { cells, output } = reply else {
        panic!("{reply:?}")
    };
    assert_eq!(cells.len(), 4 * TOKENS.len());

    let trace = model
        .forward(&TOKENS, TOKENS.len(), &[], Keep::Residuals)
        .unwrap();
    let options = ReadOptions {
        top: 5,
        tracked: &[7, 300],
        ..ReadOptions::default()
    };
    let expected = block_on(readout::read(&model, &trace, Some(&lens), &[2], options)).unwrap();
    for (position, want) in expected[0].iter().enumerate() {
        let cell = &cells[2 * TOKENS.len() + position];
        assert_eq!((cell.layer, cell.position), (2, position));
        let words = |list: &[Ranked]| list.iter().map(|r| (r.word, r.rank)).collect::<Vec<_>>();
        let want_words =
            |list: &[lens::Ranked]| list.iter().map(|r| (r.word, r.rank)).collect::<Vec<_>>();
        assert_eq!(words(&cell.jacobian), want_words(&want.best));
        assert_eq!(words(&cell.jacobian_tracked), want_words(&want.tracked));
        assert_ne!(
            words(&cell.jacobian),
            words(&cell.logit),
            "the lenses differ below the top"
        );
    }
    // at the last layer both lenses are the model's own output
    for (position, out) in output.iter().enumerate() {
        let cell = &cells[3 * TOKENS.len() + position];
        assert_eq!((&cell.jacobian, &cell.logit), (out, out));
    }
}

#[test]
fn future_is_the_difference_of_the_shipped_lenses() {
    let files = support::files(1);
    let mut desk = Desk::loaded(Cpu::new(), &files);
    let mut ask = |targets| {
        let reply = desk.ask(Command::Read(read_request(targets))).unwrap();
        let Reply::Read { cells, .. } = reply else {
            panic!()
        };
        cells
    };
    assert_ne!(ask(Targets::All), ask(Targets::Future));
    let (_, all) = direct(&files);
    let same = Lens::from(LensFile::read(&files.lenses[1].1).unwrap());
    let future = Lens::future(&all, &same).unwrap();
    let compare = CompareRequest {
        targets: Targets::Future,
        jacobians: future.layers.into_values().collect(),
        top: 5,
    };
    let Ok(Reply::Compare(c)) = desk.ask(Command::Compare(compare)) else {
        panic!()
    };
    assert_eq!(c.agreement, vec![1.0; 3]);
    assert!(c.cosines.iter().all(|c| (c - 1.0).abs() < 1e-6), "{c:?}");
    assert!(c.prompts > 0 && c.positions > 10 * c.prompts);
}

#[test]
fn a_wrong_lens_compares_badly() {
    let files = support::files(1);
    let (_, all) = direct(&files);
    let mut desk = Desk::loaded(Cpu::new(), &files);
    let mut jacobians: Vec<Vec<f32>> = all.layers.into_values().collect();
    jacobians[1].iter_mut().for_each(|x| *x = -*x);
    let compare = |jacobians| {
        Command::Compare(CompareRequest {
            targets: Targets::All,
            jacobians,
            top: 5,
        })
    };
    let Ok(Reply::Compare(c)) = desk.ask(compare(jacobians.clone())) else {
        panic!()
    };
    assert!(
        (c.cosines[1] + 1.0).abs() < 1e-6 && c.agreement[1] < 0.5,
        "{c:?}"
    );
    assert!(
        (c.cosines[0] - 1.0).abs() < 1e-6 && c.agreement[0] == 1.0,
        "{c:?}"
    );
    jacobians[0].pop();
    let message = desk.ask(compare(jacobians)).unwrap_err();
    assert!(
        message.contains("255 numbers at layer 0") && message.contains("256"),
        "{message}"
    );
}

#[test]
fn a_swap_is_the_lens_crates() {
    let files = support::files(2);
    let (model, lens) = direct(&files);
    let mut desk = Desk::loaded(Cpu::new(), &files);
    let request = SwapRequest {
        tokens: TOKENS.to_vec(),
        source: 40,
        target: 50,
        band: [1, 2],
        vectors: Vectors::Jacobian(Targets::All),
        centred: true,
        mode: EditMode::SwapClamped,
        top: 6,
        generate: 4,
    };
    let Ok(Reply::Swap(got)) = desk.ask(Command::Swap(request.clone())) else {
        panic!()
    };

    let n = TOKENS.len();
    let clean = model.forward(&TOKENS, n, &[], Keep::Residuals).unwrap();
    let head = block_on(Head::new(&model)).unwrap();
    let basis = Basis::Jacobian(&lens);
    let directions = block_on(head.directions(&model, basis, 1..=2, &[40, 50], true)).unwrap();
    let on = vec![true; n];
    let prepared = block_on(prepare(&model, &clean, &directions, Mode::SwapClamped, &on)).unwrap();
    let edited = model
        .forward(&TOKENS, n, &prepared.edits, Keep::Residuals)
        .unwrap();
    let last = |trace| {
        let options = ReadOptions {
            top: 6,
            positions: Some(&[6]),
            ..ReadOptions::default()
        };
        let list = block_on(readout::output(&model, trace, options)).unwrap();
        list[0]
            .best
            .iter()
            .map(|r| (r.word, r.prob))
            .collect::<Vec<_>>()
    };
    let words = |list: &[Ranked]| list.iter().map(|r| (r.word, r.prob)).collect::<Vec<_>>();
    assert_eq!(words(&got.clean), last(&clean));
    assert_eq!(words(&got.edited), last(&edited));
    assert_ne!(got.clean, got.edited);
    assert_eq!((got.cosines.len(), got.coordinates.len()), (2, 2));
    assert_eq!(got.clean_text[0], got.clean[0].word);
    assert_eq!(got.edited_text[0], got.edited[0].word);

    let upside_down = SwapRequest {
        band: [2, 1],
        ..request
    };
    let message = desk.ask(Command::Swap(upside_down)).unwrap_err();
    assert!(message.contains("band"), "{message}");
}

#[test]
fn ablation_leaves_the_targets_direction_alone() {
    let files = support::files(2);
    let mut desk = Desk::loaded(Cpu::new(), &files);
    let mut edited = |target| {
        let request = SwapRequest {
            tokens: TOKENS.to_vec(),
            source: 40,
            target,
            band: [1, 2],
            vectors: Vectors::Logit,
            centred: true,
            mode: EditMode::Ablate,
            top: 6,
            generate: 0,
        };
        let Ok(Reply::Swap(got)) = desk.ask(Command::Swap(request)) else {
            panic!()
        };
        assert_ne!(got.clean, got.edited);
        got.edited
    };
    assert_eq!(edited(50), edited(51));
}

/// Jacobians by backward passes against central differences of forward passes, in double precision, also off the clean state.
#[test]
fn slice_jacobians_are_slopes() {
    let files = support::files(3);
    let mut desk = Desk::loaded(Reference::<f64>::new(), &files);
    let points = [[0.0, 0.0], [0.4, -0.3], [-0.2, 0.5]];
    let step = 0.001; // small, as a ReLU may have its kink between two points
    let nudges = [[step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step]];
    let outline: Vec<[f32; 2]> = points
        .iter()
        .flat_map(|p| nudges.map(|n| [p[0] + n[0], p[1] + n[1]]))
        .collect();
    for layer in 0..=2 {
        let request = SliceRequest {
            tokens: TOKENS.to_vec(),
            layer,
            position: 3,
            watch: 5,
            words: [40, 50],
            extent: 0.4,
            grid: 3,
            points: points.to_vec(),
            outline: outline.clone(),
        };
        let Ok(Reply::Slice(slice)) = desk.ask(Command::Slice(request)) else {
            panic!()
        };
        assert_eq!(
            (slice.grid.len(), slice.values.len(), slice.jacobians.len()),
            (9, 3, 3)
        );
        assert_eq!(
            slice.grid[4], slice.values[0],
            "the middle of the grid is the clean state"
        );
        let mut largest: f32 = 0.0;
        for (jacobian, o) in slice.jacobians.iter().zip(slice.outline.chunks_exact(4)) {
            for out in 0..2 {
                for (inp, pair) in o.chunks_exact(2).enumerate() {
                    let slope = (pair[0][out] - pair[1][out]) / (2.0 * step);
                    let exact = jacobian[out][inp];
                    largest = largest.max(exact.abs());
                    assert!(
                        (slope - exact).abs() < 2e-3 + 0.01 * exact.abs(),
                        "{layer}: {slope} {exact}"
                    );
                }
            }
        }
        assert!(largest > 0.02, "a map worth drawing: {largest}");
    }
}

#[test]
fn what_does_not_exist_is_an_error_that_says_so() {
    let files = support::files(1);
    let mut desk = Desk::new(Cpu::new());
    let message = desk
        .ask(Command::Read(read_request(Targets::All)))
        .unwrap_err();
    assert!(message.contains("no model is loaded"), "{message}");
    let mut desk = Desk::loaded(Cpu::new(), &files);
    let mut fails = |command, says: &str| {
        let message = desk.ask(command).unwrap_err();
        assert!(message.contains(says), "{message}");
    };
    let read = read_request(Targets::All);
    fails(
        Command::Read(ReadRequest {
            tokens: vec![],
            ..read.clone()
        }),
        "between 1 and 24",
    );
    fails(
        Command::Read(ReadRequest {
            tokens: vec![0; 25],
            ..read.clone()
        }),
        "between 1 and 24",
    );
    fails(
        Command::Read(ReadRequest {
            tokens: vec![9999],
            ..read.clone()
        }),
        "9999",
    );
    fails(
        Command::Read(ReadRequest {
            tracked: vec![794],
            ..read
        }),
        "794",
    );
    let slice = |position, watch, layer| {
        Command::Slice(SliceRequest {
            tokens: TOKENS.to_vec(),
            layer,
            position,
            watch,
            words: [4, 5],
            extent: 1.0,
            grid: 2,
            points: vec![],
            outline: vec![],
        })
    };
    fails(slice(1, 7, 1), "watched position is 7");
    fails(slice(5, 4, 1), "cannot reach");
    fails(slice(1, 4, 4), "moved layer is 4");
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let good = support::files(1);
    let refused = |files: ModelFiles, says: &str| {
        let message = Desk::new(Cpu::new()).ask(Command::Load(files)).unwrap_err();
        assert!(message.contains(says), "{message}");
    };
    let mut swapped = good.clone();
    swapped.lenses[0].0 = Targets::Same;
    refused(swapped, "lens for Same");
    let mut cut = good.clone();
    cut.weights.truncate(1000);
    refused(cut, "model weights");
    let other = formats::Vocabulary::new(vec!["<s>".into()])
        .unwrap()
        .write()
        .unwrap();
    refused(
        ModelFiles {
            tokenizer: other,
            ..good.clone()
        },
        "word list",
    );
    // another model's lens can be used, with a warning
    let foreign = ModelFiles {
        lenses: support::files(9).lenses,
        ..good
    };
    let Ok(Reply::Loaded(info)) = Desk::new(Cpu::new()).ask(Command::Load(foreign)) else {
        panic!()
    };
    assert!(
        info.warnings[0].contains("another weights"),
        "{:?}",
        info.warnings
    );
}
