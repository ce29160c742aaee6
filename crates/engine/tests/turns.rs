//! Long requests: streamed, interruptible, cancellable; and a fit put together from shares.

mod support;

use engine::Cpu;
use engine::merge::Merger;
use engine::protocol::*;
use engine::session::sentence;
use proptest::prelude::*;
use smallworld::world::prompts;
use smallworld::{Part, Split};
use support::Desk;

fn fit(count: u32) -> FitRequest {
    FitRequest {
        seed: 7,
        first: 2,
        count,
        targets: Targets::All,
        frozen: false,
        target_layer: None,
        show_layer: 1,
    }
}

fn reading() -> Command {
    Command::Read(ReadRequest {
        tokens: vec![0, 1, 2],
        targets: Targets::All,
        top: 1,
        tracked: vec![],
    })
}

fn replies(events: Vec<Event>, of: RequestId) -> Vec<Reply> {
    let mine = |event| match event {
        Event::Reply { id, reply } => (id == of).then_some(reply),
        other => panic!("{other:?}"),
    };
    events.into_iter().filter_map(mine).collect()
}

#[test]
fn a_fit_streams_rows_and_then_the_same_matrix() {
    let mut desk = Desk::loaded(Cpu::new(), &support::files(4));
    desk.push(3, Command::Fit(fit(2)));
    desk.finish();
    let (mut rows_so_far, mut prompts) = (Vec::new(), Vec::new());
    let replies = replies(desk.take(), 3);
    assert!(matches!(replies.last(), Some(Reply::FitDone)));
    for reply in replies {
        match reply {
            Reply::FitRows {
                prompt,
                first,
                rows,
            } => {
                assert_eq!(prompt, 2 + prompts.len() as u32);
                assert_eq!(first as usize * 16, rows_so_far.len());
                rows_so_far.extend(rows);
            }
            Reply::FitPrompt {
                prompt,
                tokens,
                jacobians,
            } => {
                assert_eq!(jacobians.len(), 3);
                assert_eq!(std::mem::take(&mut rows_so_far), jacobians[1]);
                let words = smallworld::Vocabulary::standard();
                assert_eq!(tokens as usize, sentence(&words, 7, prompt).len().min(24));
                prompts.push(prompt);
            }
            Reply::FitDone => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(prompts, [2, 3]);
}

#[test]
fn short_requests_do_not_wait_for_long_ones() {
    let mut desk = Desk::loaded(Cpu::new(), &support::files(4));
    desk.push(1, Command::Fit(fit(5)));
    desk.step();
    desk.push(2, reading());
    desk.step();
    let events = desk.take();
    let Some(Event::Reply {
        id: 2,
        reply: Reply::Read { .. },
    }) = events.last()
    else {
        panic!("{events:?}")
    };
    desk.finish();
    assert!(matches!(
        replies(desk.take(), 1).last(),
        Some(Reply::FitDone)
    ));
}

#[test]
fn a_cancelled_request_says_nothing_more() {
    let mut desk = Desk::loaded(Cpu::new(), &support::files(4));
    desk.push(1, Command::Fit(fit(1000)));
    desk.push(2, Command::Fit(fit(1)));
    desk.step();
    desk.push(3, reading());
    desk.push(0, Command::Cancel(1));
    desk.push(0, Command::Cancel(3));
    desk.take();
    desk.finish();
    let events = desk.take();
    assert!(!events.is_empty());
    assert!(
        matches!(replies(events, 2).last(), Some(Reply::FitDone)),
        "the other one goes on"
    );
}

#[test]
fn counts_report_progress_and_the_size_of_the_set() {
    let mut desk = Desk::loaded(Cpu::new(), &support::files(4));
    let request = SwapCountsRequest {
        set: TestSet::Couplets,
        band: [1, 2],
        vectors: Vectors::Jacobian(Targets::Future),
        centred: true,
        mode: EditMode::SwapClamped,
    };
    desk.push(1, Command::SwapCounts(request));
    desk.finish();
    let mut replies = replies(desk.take(), 1);
    let Some(Reply::SwapCounts(count)) = replies.pop() else {
        panic!()
    };
    let done: Vec<(u32, u32)> = replies
        .iter()
        .map(|r| match r {
            Reply::Progress { done, of } => (*done, *of),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(done.windows(2).all(|w| w[0].0 < w[1].0));
    assert_eq!(done.last(), Some(&(count.n, count.n)));
    let mut couplets = prompts::couplets(&Split::standard());
    couplets.retain(|c| c.part == Part::Test);
    assert_eq!(
        count.n as usize,
        4 * couplets.len(),
        "each with the rhymes of the four other themes"
    );
    assert!(count.low <= count.hits as f32 / count.n as f32);
}

#[test]
fn bad_options_fail_the_request_alone() {
    let mut desk = Desk::loaded(Cpu::new(), &support::files(4));
    let message = desk
        .ask(Command::Fit(FitRequest {
            show_layer: 3,
            ..fit(1)
        }))
        .unwrap_err();
    assert!(message.contains("shown layer is 3"), "{message}");
    let message = desk
        .ask(Command::Fit(FitRequest {
            target_layer: Some(9),
            ..fit(1)
        }))
        .unwrap_err();
    assert!(message.contains("target layer"), "{message}");
    assert!(desk.ask(reading()).is_ok());
}

#[test]
#[should_panic(expected = "asked to crash")]
fn a_crash_that_is_asked_for_is_one() {
    Desk::new(Cpu::new()).push(1, Command::Crash);
}

/// Jacobians of prompts that are easy to make up and hard to add in another order without a trace.
fn made_up(prompt: u32) -> Vec<Vec<f32>> {
    if prompt == 3 {
        return Vec::new(); // skipped
    }
    let number = |layer: u32, i: i32| {
        let scale = 1e3_f32.powi(i % 3); // sums of such sizes round differently in another order
        scale * ((prompt * 7 + layer * 3) as f32 * 1.7 + i as f32).sin()
    };
    (0..2)
        .map(|layer| (0..4).map(|i| number(layer, i)).collect())
        .collect()
}

/// The lens, prompts in it, prompts skipped.
fn merged(order: &[u32], median: bool) -> (Vec<Vec<f32>>, u32, u32) {
    let mut merger = Merger::new(2, 2, Targets::All, false, median);
    let mut added = 0;
    for &prompt in order {
        added += merger.add(prompt, 9, made_up(prompt)).unwrap();
        // a restarted worker may say it twice
        added += merger.add(prompt, 9, made_up(prompt)).unwrap();
    }
    assert_eq!(added as usize, order.len());
    (merger.lens().unwrap(), merger.used(), merger.skipped())
}

proptest! {
    #[test]
    fn the_order_of_arrival_does_not_matter(
        order in Just((0..8).collect::<Vec<u32>>()).prop_shuffle(),
        median: bool,
    ) {
        let in_order: Vec<u32> = (0..8).collect();
        let (want, got) = (merged(&in_order, median), merged(&order, median));
        prop_assert_eq!((got.1, got.2), (7, 1));
        // bit for bit
        prop_assert_eq!(want, got);
    }
}

#[test]
fn merging_waits_for_what_is_missing() {
    let mut merger = Merger::new(2, 2, Targets::All, false, false);
    assert_eq!(merger.add(1, 9, made_up(1)).unwrap(), 0);
    assert!(merger.lens().is_err());
    assert_eq!(merger.add(0, 9, made_up(0)).unwrap(), 2);
    let mean =
        |i: usize| ((f64::from(made_up(0)[1][i]) + f64::from(made_up(1)[1][i])) / 2.0) as f32;
    assert_eq!(
        merger.lens().unwrap()[1],
        (0..4).map(mean).collect::<Vec<_>>()
    );
    assert!(
        merger.add(2, 9, vec![vec![0.0; 4]]).is_err(),
        "a layer is missing"
    );
}
