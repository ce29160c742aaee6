//! The experiments that the page can repeat give the numbers of `jlens eval`, on the files as shipped.

mod support;

use engine::Cpu;
use engine::protocol::*;
use serde_json::Value;
use std::fs;
use support::Desk;

fn asset(path: &str) -> Vec<u8> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/");
    fs::read(format!("{root}{path}")).unwrap()
}

fn shipped(name: &str) -> Desk {
    let files = ModelFiles {
        weights: asset(&format!("models/{name}.safetensors")),
        tokenizer: asset("models/words.json"),
        lenses: vec![
            (
                Targets::All,
                asset(&format!("lenses/{name}-all.safetensors")),
            ),
            (
                Targets::Same,
                asset(&format!("lenses/{name}-same.safetensors")),
            ),
        ],
    };
    Desk::loaded(Cpu::new(), &files)
}

/// The last answer to a long command, which reports its progress up to the end.
fn ask(desk: &mut Desk, command: Command) -> Reply {
    desk.push(1, command);
    desk.finish();
    let events = desk.take();
    let progress = events.iter().filter(|event| {
        let Event::Reply { reply, .. } = event else {
            panic!("{event:?}")
        };
        matches!(reply, Reply::Progress { .. })
    });
    assert!(progress.count() > 1);
    match events.into_iter().last() {
        Some(Event::Reply { reply, .. }) => reply,
        other => panic!("{other:?}"),
    }
}

struct Report(Value);

impl Report {
    fn read() -> Self {
        Self(serde_json::from_slice(&asset("measurements.json")).unwrap())
    }

    fn get(&self, id: &str, field: &str) -> f64 {
        let rows = self.0["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["id"] == id);
        row.and_then(|row| row[field].as_f64())
            .unwrap_or_else(|| panic!("the report lacks {id}'s {field}"))
    }

    fn holds(&self, id: &str, count: Count) {
        let hits = self.get(id, "value") * self.get(id, "n");
        assert!(
            (hits - f64::from(count.hits)).abs() < 1e-6,
            "{id}: {hits} against {count:?}"
        );
        assert_eq!(self.get(id, "n"), f64::from(count.n), "{id}");
        for (field, got) in [("low", count.low), ("high", count.high)] {
            assert!((self.get(id, field) - f64::from(got)).abs() < 1e-5, "{id}");
        }
    }
}

fn near(got: f32, want: f64, what: &str) {
    assert!((f64::from(got) - want).abs() < 1e-4, "{what}: {got} {want}");
}

#[test]
fn concepts_exchanged_by_pieces() {
    let (mut desk, report) = (shipped("world"), Report::read());
    let Reply::Causal(causal) = ask(&mut desk, Command::Causal(CausalRequest { k: 3 })) else {
        panic!("no counts")
    };
    report.holds("jspace.k3.part", causal.part);
    report.holds("jspace.k3.rest", causal.rest);
    report.holds("jspace.k3.rest.matched", causal.matched);
    report.holds("jspace.whole", causal.whole);
    let random = f64::from(causal.random.hits) / f64::from(causal.random.n);
    near(
        random as f32,
        report.get("jspace.k3.part", "baseline"),
        "random",
    );
    near(
        causal.variance,
        report.get("jspace.k3.variance", "value"),
        "variance",
    );
    near(
        causal.luck,
        report.get("jspace.k3.variance", "baseline"),
        "luck",
    );
    assert_eq!(
        f64::from(causal.concepts),
        report.get("jspace.k3.variance", "n")
    );
}

#[test]
fn no_lens_vectors_are_refused() {
    let mut desk = Desk::loaded(Cpu::new(), &support::files(1));
    for k in [0, 1000] {
        let error = desk.ask(Command::Causal(CausalRequest { k })).unwrap_err();
        assert!(error.contains("number of lens vectors"), "{error}");
    }
}

#[test]
fn the_band_layer_by_layer() {
    let (mut desk, report) = (shipped("world"), Report::read());
    for (targets, name) in [(Targets::All, "full"), (Targets::Future, "future")] {
        let Reply::Band(band) = ask(&mut desk, Command::Band(BandRequest { targets })) else {
            panic!("no band")
        };
        let share = |hits: u32, of: u32| (f64::from(hits) / f64::from(of)) as f32;
        for (layer, seen) in band.layers.iter().enumerate() {
            let same = |id: &str, field: &str, got: f32| near(got, report.get(id, field), id);
            let id = format!("agree.{name}.logit.layer{layer}");
            same(&id, "value", share(seen.agree, band.positions));
            assert_eq!(report.get(&id, "n"), f64::from(band.positions));
            let id = format!("agree.{name}.output.layer{layer}");
            same(&id, "value", share(seen.output[0], band.positions));
            same(&id, "baseline", share(seen.output[1], band.positions));
            let id = format!("entropy.{name}.layer{layer}");
            same(&id, "value", seen.entropy[0]);
            same(&id, "baseline", seen.entropy[1]);
            if layer + 1 == band.layers.len() {
                continue; // the output: both lenses are one there
            }
            for (wrong, k, hits) in [
                ("", 1, seen.first),
                ("", 5, seen.five),
                ("wrong.", 1, seen.wrong_first),
                ("wrong.", 5, seen.wrong_five),
            ] {
                let id = format!("read.animals.filler.{name}.{wrong}layer{layer}.hit{k}");
                same(&id, "value", share(hits[0], band.prompts));
                same(&id, "baseline", share(hits[1], band.prompts));
            }
        }
    }
}

#[test]
fn both_sides_of_steins_lemma() {
    let (mut desk, report) = (shipped("world"), Report::read());
    let words = smallworld::Vocabulary::standard();
    let request = SteinRequest {
        layer: 2,
        targets: Targets::Same,
        centred: true,
        windows: 100,
        phrase: words.encode("spins webs").unwrap(),
        top: 5,
    };
    let Reply::Stein(stein) = ask(&mut desk, Command::Stein(request.clone())) else {
        panic!("no cosines")
    };
    let mean = |all: &[f32]| all.iter().sum::<f32>() / all.len() as f32;
    let id = "stein.same.layer2.cosine";
    near(mean(&stein.cosines), report.get(id, "value"), id);
    near(mean(&stein.shifted), report.get(id, "baseline"), id);
    assert_eq!(stein.cosines.len(), words.words().len());
    assert!(stein.found >= 20, "{}", stein.found);
    assert!(stein.template.windows(2).all(|two| two[0].1 >= two[1].1));
    // what the text says of templates
    for (phrase, word) in [("the eiffel tower", "france"), ("builds dams", "beaver")] {
        let named = SteinRequest {
            layer: 1,
            phrase: words.encode(phrase).unwrap(),
            ..request.clone()
        };
        let Reply::Stein(stein) = ask(&mut desk, Command::Stein(named)) else {
            panic!("no template")
        };
        assert_eq!(words.word(stein.template[0].0), word, "{phrase}");
    }
    let none = SteinRequest {
        windows: 0,
        ..request
    };
    assert!(desk.ask(Command::Stein(none)).is_err());
}

#[test]
fn swap_counts_are_the_evaluations() {
    let (mut desk, report) = (shipped("world"), Report::read());
    let count = |desk: &mut Desk, set, band, vectors| {
        let request = SwapCountsRequest {
            set,
            band,
            vectors,
            centred: false,
            mode: EditMode::SwapClamped,
        };
        match ask(desk, Command::SwapCounts(request)) {
            Reply::SwapCounts(count) => count,
            other => panic!("{other:?}"),
        }
    };
    let full = Vectors::Jacobian(Targets::All);
    let (animals, countries) = (
        TestSet::Animals { filler: false },
        TestSet::Countries { filler: true },
    );
    for (id, set, band) in [
        ("swap.animals.plain", animals, [1, 2]),
        ("swap.countries.filler", countries, [1, 2]),
        ("sweep.animals.plain.bridge.layer3", animals, [3, 3]),
        (
            "sweep.animals.plain.answer.layer3",
            TestSet::AnimalAnswers { filler: false },
            [3, 3],
        ),
        (
            "swap.antonym.zh.question",
            TestSet::Opposites {
                chinese: true,
                answer: false,
            },
            [1, 2],
        ),
        (
            "swap.antonym.fr.answer",
            TestSet::Opposites {
                chinese: false,
                answer: true,
            },
            [1, 4],
        ),
    ] {
        report.holds(id, count(&mut desk, set, band, full));
    }
    let logit = count(&mut desk, animals, [1, 2], Vectors::Logit);
    let share = f64::from(logit.hits) / f64::from(logit.n);
    near(
        share as f32,
        report.get("swap.animals.plain", "baseline"),
        "logit",
    );
    // the model without the window, as a reader can have it counted
    let mut control = shipped("control");
    let got = count(&mut control, animals, [1, 2], full);
    let share = f64::from(got.hits) / f64::from(got.n);
    near(
        share as f32,
        report.get("swap.animals.plain", "control"),
        "control",
    );
}
