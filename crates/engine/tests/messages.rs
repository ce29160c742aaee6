//! Messages survive the way; damaged ones are refused and never panic.

use engine::frame::{decode, encode};
use engine::protocol::*;
use proptest::prelude::*;

fn targets() -> impl Strategy<Value = Targets> {
    prop_oneof![
        Just(Targets::All),
        Just(Targets::Same),
        Just(Targets::Future)
    ]
}

fn numbers() -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(-1e30f32..1e30, 0..50)
}

fn command() -> impl Strategy<Value = Command> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..300);
    let tokens = || prop::collection::vec(any::<u32>(), 0..20);
    prop_oneof![
        (
            bytes(),
            bytes(),
            prop::collection::vec((targets(), bytes()), 0..3)
        )
            .prop_map(|(weights, tokenizer, lenses)| Command::Load(ModelFiles {
                weights,
                tokenizer,
                lenses
            })),
        (tokens(), targets(), 0usize..50, tokens()).prop_map(|(tokens, targets, top, tracked)| {
            Command::Read(ReadRequest {
                tokens,
                targets,
                top,
                tracked,
            })
        }),
        (
            tokens(),
            any::<[u32; 2]>(),
            -9f32..9.0,
            any::<bool>(),
            any::<u64>()
        )
            .prop_map(|(tokens, [source, target], strength, centred, seed)| {
                Command::Swap(SwapRequest {
                    tokens,
                    source,
                    target,
                    band: [1, 2],
                    vectors: Vectors::Random(seed),
                    centred,
                    mode: EditMode::Project { strength },
                    top: 3,
                    generate: 0,
                })
            }),
        any::<u32>().prop_map(Command::Cancel),
    ]
}

fn about(gpu: bool) -> About {
    let check = GpuCheck {
        adapter: "any".into(),
        software: true,
        precision: "f32".into(),
        error: 1e-6,
        tolerance: 1e-3,
        seconds: Some([0.1, 0.2]),
        worthwhile: true,
    };
    About {
        backend: if gpu { Backend::Gpu } else { Backend::Cpu },
        gpu: gpu.then_some(check),
    }
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (".*", any::<bool>()).prop_map(|(build, gpu)| Event::Ready {
            build,
            about: about(gpu)
        }),
        ".*".prop_map(|message| Event::Unfit { message }),
        ".*".prop_map(|message| Event::Lost { message }),
        (any::<u32>(), ".*").prop_map(|(id, message)| Event::Failed { id, message }),
        (
            any::<u32>(),
            any::<u32>(),
            prop::collection::vec(numbers(), 0..4)
        )
            .prop_map(|(id, prompt, jacobians)| {
                let reply = Reply::FitPrompt {
                    prompt,
                    tokens: 3,
                    jacobians,
                };
                Event::Reply { id, reply }
            }),
    ]
}

proptest! {
    #[test]
    fn requests_come_back(id: u32, command in command()) {
        let request = Request { id, command };
        let bytes = encode(&request).unwrap();
        let back: Request = decode(&bytes).unwrap();
        prop_assert_eq!(format!("{request:?}"), format!("{back:?}"));
    }

    #[test]
    fn events_come_back(event in event()) {
        let back: Event = decode(&encode(&event).unwrap()).unwrap();
        prop_assert_eq!(format!("{event:?}"), format!("{back:?}"));
    }

    #[test]
    fn cut_messages_are_refused(event in event(), keep in 0.0..1.0f64) {
        let bytes = encode(&event).unwrap();
        let cut = &bytes[..(bytes.len() as f64 * keep) as usize];
        prop_assert!(decode::<Event>(cut).is_err());
    }

    #[test]
    fn no_bytes_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..200), honest: bool) {
        if honest && bytes.len() >= 8 {
            // a good header, so that the payload is really read
            let length = (bytes.len() - 8) as u32;
            bytes[..8].copy_from_slice(&encode(&0u8).unwrap()[..8]);
            bytes[4..8].copy_from_slice(&length.to_le_bytes());
        }
        let _ = decode::<Request>(&bytes);
        let _ = decode::<Event>(&bytes);
    }
}

#[test]
fn refusals_say_why() {
    let good = encode(&Event::Unreadable {
        message: "no".into(),
    })
    .unwrap();
    let refused = |bytes: &[u8], says: &str| {
        let message = decode::<Event>(bytes).unwrap_err().to_string();
        assert!(message.contains(says), "{message}");
    };
    refused(b"{}", "does not begin like one");
    refused(&good[..good.len() - 1], "payload: expected");
    let mut other = good.clone();
    other[2] = 200;
    refused(&other, "different builds");
    let mut longer = good;
    longer.push(0);
    refused(&longer, "payload: expected");
}
