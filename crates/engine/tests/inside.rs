//! The answers that look inside the model: rows, local Jacobians, nudges, pursuit, steering.

mod support;

use engine::Cpu;
use engine::protocol::*;
use formats::{LensFile, ModelFile};
use lens::fit::{FitOptions, PromptFit};
use pollster::block_on;
use support::Desk;
use transformer::{Edit, Keep, Model, Reference};

const TOKENS: [u32; 7] = [0, 12, 400, 33, 700, 5, 61];
const D: usize = 16;
const LAST: usize = 3;

fn desk(files: &ModelFiles) -> Desk {
    Desk::loaded(Cpu::new(), files)
}

fn exact(files: &ModelFiles) -> Model<Reference<f64>> {
    let file = ModelFile::read(&files.weights).unwrap();
    Model::new(Reference::new(), &file.weights).unwrap()
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!(
        (a - b).abs() <= tolerance * (1.0 + b.abs()),
        "{a} is not {b}"
    );
}

fn rows(desk: &mut Desk, target: usize, covector: Covector) -> Rows {
    let request = RowsRequest {
        tokens: TOKENS.to_vec(),
        target,
        covector,
    };
    match desk.ask(Command::Rows(request)) {
        Ok(Reply::Rows(rows)) => rows,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_row_is_what_nudges_do_and_nothing_reaches_back_in_time() {
    let files = support::files(3);
    let (mut desk, model) = (desk(&files).with_clock(), exact(&files));
    let (target, coordinate, t) = (4, 5, TOKENS.len());
    let got = rows(&mut desk, target, Covector::Coordinate(coordinate));
    assert_eq!(got.gradients.len(), (LAST + 1) * t * D);
    assert!(got.forward_ms > 0.0 && got.backward_ms > 0.0);
    close(
        f64::from(got.output[5]),
        model
            .forward(&TOKENS, t, &[], Keep::Residuals)
            .unwrap()
            .residuals[LAST][target * D + 5],
        1e-4,
    );
    let at = |layer: usize, n: usize| &got.gradients[(layer * t + n) * D..][..D];
    for layer in 0..=LAST {
        for n in target + 1..t {
            assert_eq!(at(layer, n), [0.0; D], "layer {layer}, later position {n}");
        }
    }
    // the seed
    let seed: Vec<f32> = (0..D).map(|i| f32::from(i == 5)).collect();
    assert_eq!(at(LAST, target), seed);
    assert_eq!(at(LAST, 0), [0.0; D]);
    // central differences
    let output = |layer, n: usize, i: usize, e: f64| {
        let mut v = vec![0.0; D];
        v[i] = 1.0;
        let edit = Edit {
            layer,
            v,
            p: vec![0.0; D],
            m: vec![0.0],
            c: vec![e; t],
            on: (0..t).map(|k| k == n).collect(),
        };
        let trace = model.forward(&TOKENS, t, &[edit], Keep::Residuals).unwrap();
        trace.residuals[LAST][target * D + coordinate as usize]
    };
    for (layer, n, i) in [(0, 0, 2), (0, 3, 7), (1, 4, 0), (2, 2, 15), (2, 4, 5)] {
        let e = 1e-6;
        let slope = (output(layer, n, i, e) - output(layer, n, i, -e)) / (2.0 * e);
        close(f64::from(at(layer, n)[i]), slope, 1e-4);
    }
}

#[test]
fn a_words_covector_has_length_one_and_bad_wishes_are_refused() {
    let files = support::files(3);
    let mut desk = desk(&files);
    let got = rows(&mut desk, 6, Covector::Word(40));
    let seed = &got.gradients[(LAST * TOKENS.len() + 6) * D..][..D];
    let square: f32 = seed.iter().map(|x| x * x).sum();
    close(f64::from(square), 1.0, 1e-5);
    let mut refused = |target, covector, says: &str| {
        let tokens = TOKENS.to_vec();
        let request = RowsRequest {
            tokens,
            target,
            covector,
        };
        let message = desk.ask(Command::Rows(request)).unwrap_err();
        assert!(message.contains(says), "{message}");
    };
    refused(7, Covector::Coordinate(0), "target position is 7");
    refused(0, Covector::Coordinate(16), "output coordinate is 16");
    refused(0, Covector::Word(9999), "9999");
}

fn local(desk: &mut Desk, position: usize, targets: Targets) -> Local {
    let request = LocalRequest {
        tokens: TOKENS.to_vec(),
        layer: 1,
        position,
        targets,
        top: 5,
        tracked: vec![7],
    };
    match desk.ask(Command::Local(request)) {
        Ok(Reply::Local(local)) => local,
        other => panic!("{other:?}"),
    }
}

/// Summed over the target positions, the rows that [`Command::Rows`] gives are the local Jacobian.
#[test]
fn a_local_jacobian_is_made_of_rows() {
    let files = support::files(4);
    let mut desk = desk(&files);
    let (position, t) = (2, TOKENS.len());
    let lens = LensFile::read(&files.lenses[0].1).unwrap();
    let mut j = vec![0.0f32; D * D];
    for i in 0..D {
        for target in position..t {
            let got = rows(&mut desk, target, Covector::Coordinate(i as u32));
            let row = &got.gradients[(t + position) * D..][..D];
            j[i * D..][..D]
                .iter_mut()
                .zip(row)
                .for_each(|(j, g)| *j += g);
        }
    }
    let all = local(&mut desk, position, Targets::All);
    assert_eq!(all.targets, 5);
    let norm = |j: &[f32]| j.iter().map(|x| x * x).sum::<f32>().sqrt();
    close(f64::from(all.norms[0]), f64::from(norm(&j)), 1e-4);
    close(
        f64::from(all.cosine),
        lens::statistics::cosine(&j, &lens.jacobians[&1]),
        1e-4,
    );
    assert_eq!(all.local.best.len(), 5);
    assert_ne!(all.local.best, all.average.best);
    // all = same + future at one position too, so the squares cannot exceed the triangle's
    let (same, future) = (
        local(&mut desk, position, Targets::Same),
        local(&mut desk, position, Targets::Future),
    );
    assert_eq!((same.targets, future.targets), (1, 4));
    assert!(all.norms[0] <= same.norms[0] + future.norms[0] + 1e-4);
    // nothing comes after the last token
    let none = local(&mut desk, t - 1, Targets::Future);
    assert_eq!((none.targets, none.cosine), (0, 0.0));
    assert!(none.local.best.is_empty() && !none.average.best.is_empty());
    let request = LocalRequest {
        tokens: TOKENS.to_vec(),
        layer: LAST,
        position: 0,
        targets: Targets::All,
        top: 1,
        tracked: vec![],
    };
    let message = desk.ask(Command::Local(request)).unwrap_err();
    assert!(message.contains("layer is 3"), "{message}");
}

fn nudge(desk: &mut Desk, direction: Direction) -> Nudges {
    let request = NudgeRequest {
        seed: 5,
        count: 4,
        layer: 1,
        direction,
    };
    match desk.ask(Command::Nudge(request)) {
        Ok(Reply::Nudges(nudges)) => nudges,
        other => panic!("{other:?}"),
    }
}

/// An effect is `J(sentence) v`, with the sentence's Jacobian from backward passes as a fit computes it.
#[test]
fn effects_are_those_of_the_fit() {
    let files = support::files(5);
    let (mut desk, model) = (desk(&files), exact(&files));
    let got = nudge(&mut desk, Direction::Random(9));
    let v: Vec<f64> = lens::intervene::directions_like(1, D, 9, 1);
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let options = FitOptions {
        sources: Some(vec![1]),
        ..FitOptions::default()
    };
    let estimator = options.resolve(&model.config).unwrap();
    let effect = |tokens: &[u32]| -> Vec<f64> {
        let fit = PromptFit::new(&model, &estimator, D, tokens).unwrap();
        let j = &block_on(fit.unwrap().finish()).unwrap().layers[&1];
        let row = |row: &[f64]| row.iter().zip(&v).map(|(j, v)| j * v / norm).sum::<f64>();
        j.chunks_exact(D).map(row).collect()
    };
    let effects: Vec<Vec<f64>> = got.sentences.iter().map(|s| effect(s)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for (i, a) in effects.iter().enumerate() {
        for (j, b) in effects.iter().enumerate() {
            // a crease of the rectifier may lie within the step
            close(f64::from(got.gram[4 * i + j]), dot(a, b), 0.03);
        }
        let [x, y] = got.plane[i].map(f64::from);
        assert!(x * x + y * y <= dot(a, a) * 1.03 + 1e-6);
    }
    assert!(got.lens_square > 0.0);
    assert_eq!(
        got,
        nudge(&mut desk, Direction::Random(9)),
        "the same again"
    );
    assert_ne!(got, nudge(&mut desk, Direction::Word(40)));
}

#[test]
fn pursuit_explains_more_with_every_word_and_never_less_than_the_plain_list() {
    let files = support::files(6);
    let mut desk = desk(&files);
    for centred in [true, false] {
        let request = PursuitRequest {
            tokens: TOKENS.to_vec(),
            layer: 1,
            position: 3,
            targets: Targets::All,
            centred,
            most: 8,
            seed: 1,
        };
        let Ok(Reply::Pursuit(got)) = desk.ask(Command::Pursue(request)) else {
            panic!()
        };
        for picks in [&got.pursuit, &got.plain] {
            let rising = picks
                .explained
                .windows(2)
                .all(|two| two[1] >= two[0] - 1e-5);
            assert!(rising, "{:?}", picks.explained);
            assert!(picks.coefficients.iter().flatten().all(|&c| c >= 0.0));
            let lengths = picks.coefficients.iter().map(Vec::len);
            assert!(lengths.eq(1..=picks.words.len()));
        }
        assert_eq!(
            got.pursuit.words[0], got.plain.words[0],
            "the first is the same"
        );
        close(
            f64::from(got.pursuit.explained[0]),
            f64::from(got.plain.explained[0]),
            1e-5,
        );
        assert!(got.pursuit.explained[7] >= got.plain.explained[7] - 1e-4);
        assert!(got.random.len() <= 8 && got.norm > 0.0 && got.size > 700);
        let mut distinct = got.pursuit.words.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), got.pursuit.words.len());
    }
}

fn steer(desk: &mut Desk, how: Steering, strengths: Vec<f32>) -> Steered {
    let request = SteerRequest {
        tokens: TOKENS.to_vec(),
        band: [1, 2],
        word: 40,
        targets: Targets::All,
        centred: true,
        how,
        strengths,
        top: 5,
        tracked: vec![40, 7],
        seed: 3,
    };
    match desk.ask(Command::Steer(request)) {
        Ok(Reply::Steered(steered)) => steered,
        other => panic!("{other:?}"),
    }
}

#[test]
fn steering_moves_the_word_with_the_strength_and_agrees_with_the_swap_command() {
    let files = support::files(2);
    let mut desk = desk(&files);
    let got = steer(&mut desk, Steering::Add, vec![-0.5, 0.0, 0.5, 1.0]);
    assert_eq!(
        got.lens[1].best, got.clean.best,
        "strength 0 changes nothing"
    );
    assert_eq!(got.random[1].best, got.clean.best);
    let ranks: Vec<u32> = got.lens.iter().map(|s| s.tracked[0].rank).collect();
    assert!(ranks[0] >= ranks[1] && ranks[1] >= ranks[3], "{ranks:?}");
    assert_ne!(got.lens[3].best, got.random[3].best);
    let swap = SwapRequest {
        tokens: TOKENS.to_vec(),
        source: 50,
        target: 40,
        band: [1, 2],
        vectors: Vectors::Jacobian(Targets::All),
        centred: true,
        mode: EditMode::Steer { strength: 0.5 },
        top: 5,
        generate: 0,
    };
    let Ok(Reply::Swap(swap)) = desk.ask(Command::Swap(swap)) else {
        panic!()
    };
    let words = |list: &[Ranked]| list.iter().map(|r| r.word).collect::<Vec<_>>();
    assert_eq!(words(&swap.edited), words(&got.lens[2].best));
}

#[test]
fn ablation_takes_out_what_it_says() {
    let files = support::files(2);
    let mut desk = desk(&files);
    let one = steer(&mut desk, Steering::Ablate, vec![1.0]);
    assert_eq!((one.lens.len(), one.taken.len()), (1, 0));
    assert_ne!(one.lens[0].best, one.clean.best);
    let top = steer(&mut desk, Steering::AblateTop(3), vec![1.0]);
    assert_eq!(top.taken.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
    // the words taken are those that the lens ranks first at the last position
    let read = ReadRequest {
        tokens: TOKENS.to_vec(),
        targets: Targets::All,
        top: 3,
        tracked: vec![],
    };
    let Ok(Reply::Read { cells, .. }) = desk.ask(Command::Read(read)) else {
        panic!()
    };
    let first: Vec<u32> = cells[TOKENS.len() + 6]
        .jacobian
        .iter()
        .map(|r| r.word)
        .collect();
    assert_eq!(top.taken[0], first);
    let request = SteerRequest {
        tokens: TOKENS.to_vec(),
        band: [2, 1],
        word: 40,
        targets: Targets::All,
        centred: true,
        how: Steering::Ablate,
        strengths: vec![1.0],
        top: 1,
        tracked: vec![],
        seed: 0,
    };
    let message = desk.ask(Command::Steer(request)).unwrap_err();
    assert!(message.contains("band"), "{message}");
}

#[test]
fn a_tuned_lens_of_identities_reads_what_the_logit_lens_reads() {
    let files = support::files(7);
    let mut desk = desk(&files);
    let hash = LensFile::read(&files.lenses[0].1).unwrap().provenance;
    let identity = |bias: f32| formats::tuned_file::Affine {
        matrix: (0..D * D).map(|i| f32::from(i % (D + 1) == 0)).collect(),
        bias: vec![bias; D],
    };
    let mut lens = formats::TunedFile {
        provenance: formats::tuned_file::TunedProvenance {
            weights_hash: hash.weights_hash,
            vocabulary_hash: hash.vocabulary_hash,
            divergence: vec![2.0, 1.0, 0.5],
            ..Default::default()
        },
        d_model: D,
        maps: (0..LAST).map(|l| (l, identity(0.0))).collect(),
    };
    let mut ask = |lens: &formats::TunedFile| {
        desk.ask(Command::ReadTuned(TunedRequest {
            lens: lens.write(formats::Precision::F32).unwrap(),
            tokens: TOKENS.to_vec(),
            top: 5,
            tracked: vec![7, 300],
        }))
    };
    let Ok(Reply::Tuned(got)) = ask(&lens) else {
        panic!()
    };
    assert_eq!((got.layers.clone(), got.warnings.len()), (vec![0, 1, 2], 0));
    lens.maps.insert(1, identity(0.7));
    let Ok(Reply::Tuned(moved)) = ask(&lens) else {
        panic!()
    };
    lens.provenance.weights_hash = "another".into();
    let Ok(Reply::Tuned(warned)) = ask(&lens) else {
        panic!()
    };
    assert_eq!(warned.warnings.len(), 1);
    lens.maps.insert(LAST, identity(0.0));
    assert!(ask(&lens).unwrap_err().contains("layer"));
    let read = ReadRequest {
        tokens: TOKENS.to_vec(),
        targets: Targets::All,
        top: 5,
        tracked: vec![7, 300],
    };
    let Ok(Reply::Read { cells, .. }) = desk.ask(Command::Read(read)) else {
        panic!()
    };
    assert_eq!(got.cells.len(), LAST * TOKENS.len());
    for (cell, tuned) in cells.iter().zip(&got.cells) {
        assert_eq!(
            (&cell.logit, &cell.logit_tracked),
            (&tuned.best, &tuned.tracked)
        );
    }
    let t = TOKENS.len();
    assert_eq!(got.cells[..t], moved.cells[..t]);
    assert_ne!(
        got.cells[t..2 * t],
        moved.cells[t..2 * t],
        "the bias counts"
    );
}
