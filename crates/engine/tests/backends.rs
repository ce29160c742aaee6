//! What a worker says about its backend: the golden fixtures compared, speed measured, and a GPU that gives the processor's
//! answers until it is lost.

mod support;

use engine::Cpu;
use engine::protocol::*;
use gpu::Gpu;
use pollster::block_on;
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use support::{Desk, files};

fn golden(file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/goldens");
    std::fs::read(folder.join(file)).unwrap()
}

fn request() -> ParityRequest {
    ParityRequest {
        manifest: golden("manifest.json"),
        family: "tiny_world".into(),
        fixture: golden("tiny_world.safetensors"),
    }
}

/// The parts of a fixture, as the page hears of them.
fn parts(desk: &mut Desk, request: ParityRequest) -> Vec<Parity> {
    desk.push(1, Command::Parity(request));
    desk.finish();
    let mut events = desk.take();
    let last = events.pop();
    assert!(
        matches!(
            last,
            Some(Event::Reply {
                id: 1,
                reply: Reply::ParityDone
            })
        ),
        "{last:?}"
    );
    let part = |event| match event {
        Event::Reply {
            id: 1,
            reply: Reply::Parity(parity),
        } => parity,
        other => panic!("{other:?}"),
    };
    events.into_iter().map(part).collect()
}

#[test]
fn the_golden_fixtures_are_compared_without_a_model() {
    let parts = parts(&mut Desk::new(Cpu::new()), request());
    assert_eq!(parts.len(), 5);
    for parity in parts {
        assert!(parity.passed() && parity.compared > 0, "{parity:?}");
        assert!(parity.error < 1e-4, "{parity:?}");
    }
}

#[test]
fn another_fixture_fails_and_a_damaged_one_is_refused() {
    let mut desk = Desk::new(Cpu::new());
    // one byte in the last golden tensor's last number
    let mut wrong = request();
    let end = wrong.fixture.len();
    wrong.fixture[end - 1] ^= 0x40;
    let parts = parts(&mut desk, wrong);
    assert!(parts.iter().any(|parity| !parity.passed()), "{parts:?}");

    let mut cut = request();
    cut.fixture.truncate(1000);
    let said = desk.ask(Command::Parity(cut)).unwrap_err();
    assert!(said.contains("tiny_world"), "{said}");
    let mut unknown = request();
    unknown.family = "huge_world".into();
    let said = desk.ask(Command::Parity(unknown)).unwrap_err();
    assert!(said.contains("huge_world"), "{said}");
}

#[test]
fn speed_is_measured_by_the_workers_own_clock() {
    let mut desk = Desk::loaded(Cpu::new(), &files(3));
    let said = desk.ask(Command::MeasureSpeed).unwrap_err();
    assert!(said.contains("clock"), "{said}");

    // each look at the clock is a second later: products and fits take one second per round
    let ticks = Rc::new(Cell::new(0.0));
    let clock = Rc::new(move || ticks.replace(ticks.get() + 1.0));
    desk.scheduler = desk.scheduler.with_clock(clock);
    desk.push(1, Command::MeasureSpeed);
    desk.finish();
    let events = desk.take();
    let Some(Event::Reply {
        reply: Reply::Speed(speed),
        ..
    }) = events.last()
    else {
        panic!("{events:?}");
    };
    assert_eq!(
        events.len() as u32,
        speed.rounds + 2,
        "progress, then the numbers"
    );
    assert_eq!(speed.prompts_per_second, [2.0, 2.0]);
    let flops = 3.0 * 2.0 * 768f64.powi(3) / 1e9;
    assert!((speed.peak[0] - flops).abs() < 1e-9, "{speed:?}");
    assert!(speed.gflop_per_prompt > 0.0);
}

#[test]
fn a_gpu_answers_as_the_processor_does_until_it_is_lost() {
    let files = files(5);
    let reading = Command::Read(ReadRequest {
        tokens: vec![0, 5, 9, 100, 7],
        targets: Targets::Future,
        top: 3,
        tracked: vec![8],
    });
    let exact = Desk::loaded(Cpu::new(), &files)
        .ask(reading.clone())
        .unwrap();
    let device = block_on(Gpu::open()).unwrap();
    let mut desk = Desk::loaded(device, &files);
    let got = desk.ask(reading.clone()).unwrap();
    let (Reply::Read { cells: exact, .. }, Reply::Read { cells: got, .. }) = (exact, got) else {
        panic!("no readings");
    };
    assert_eq!(exact.len(), got.len());
    for (exact, got) in exact.iter().zip(&got) {
        for (a, b) in exact.jacobian.iter().zip(&got.jacobian) {
            assert!((a.prob - b.prob).abs() < 1e-4, "{a:?} {b:?}");
        }
    }

    desk.scheduler = desk.scheduler.with_loss(Gpu::destroy);
    desk.push(2, Command::LoseDevice);
    desk.push(3, reading);
    desk.finish();
    let events = desk.take();
    assert!(matches!(events[..], [Event::Lost { .. }]), "{events:?}");
}
