//! The files that the page fetches, through the engine as in a worker: the page's claims hold.

mod support;

use engine::Cpu;
use engine::protocol::*;
use support::{Desk, asset, shipped_files};

fn shipped() -> (Desk, smallworld::Vocabulary) {
    let mut desk = Desk::new(Cpu::new());
    let Ok(Reply::Loaded(info)) = desk.ask(Command::Load(shipped_files())) else {
        panic!("not loaded")
    };
    assert_eq!(info.warnings, [""; 0], "the lenses are this model's");
    (desk, smallworld::Vocabulary::from_words(info.words))
}

#[test]
fn spider_to_ant_turns_eight_into_six() {
    let (mut desk, words) = shipped();
    let request = SwapRequest {
        tokens: words
            .encode("<s> the number of legs on the animal that spins webs , let me think , is")
            .unwrap(),
        source: words.id("spider").unwrap(),
        target: words.id("ant").unwrap(),
        band: [1, 2],
        vectors: Vectors::Jacobian(Targets::All),
        centred: true,
        mode: EditMode::SwapClamped,
        top: 3,
        generate: 0,
    };
    let Ok(Reply::Swap(swap)) = desk.ask(Command::Swap(request)) else {
        panic!("no swap")
    };
    assert_eq!(
        (
            words.word(swap.clean[0].word),
            words.word(swap.edited[0].word)
        ),
        ("8", "6")
    );
}

/// The levels are those that the model must reach (its test split, layers 1-2), with room for the interval.
#[test]
fn swaps_succeed_along_lens_vectors_and_fail_along_random_ones() {
    let (mut desk, _) = shipped();
    let mut share = |vectors| {
        let request = SwapCountsRequest {
            set: TestSet::Countries { filler: false },
            band: [1, 2],
            vectors,
            centred: false,
            mode: EditMode::SwapClamped,
        };
        desk.push(1, Command::SwapCounts(request));
        desk.finish();
        match desk.take().pop() {
            Some(Event::Reply {
                reply: Reply::SwapCounts(c),
                ..
            }) => f64::from(c.hits) / f64::from(c.n),
            other => panic!("{other:?}"),
        }
    };
    let (lens, random) = (
        share(Vectors::Jacobian(Targets::All)),
        share(Vectors::Random(1)),
    );
    assert!(lens > 0.8 && random < 0.1, "{lens} {random}");
}

#[test]
fn the_tuned_lens_is_this_models_and_was_trained() {
    let (mut desk, words) = shipped();
    let tokens = words
        .encode("<s> the number of legs on the animal that spins webs , let me think , is")
        .unwrap();
    let eight = words.id("8").unwrap();
    let lens = asset("lenses/world-tuned.safetensors");
    let request = TunedRequest {
        lens,
        tokens: tokens.clone(),
        top: 1,
        tracked: vec![eight],
    };
    let Ok(Reply::Tuned(tuned)) = desk.ask(Command::ReadTuned(request)) else {
        panic!("no reading")
    };
    // after a new model: jlens fit --lens tuned --half --out assets/lenses/world-tuned.safetensors
    assert_eq!(tuned.warnings, [""; 0], "it was trained on these weights");
    assert_eq!(tuned.layers, (0..8).collect::<Vec<_>>());
    let falling = tuned.divergence.windows(2).all(|two| two[1] < two[0]);
    assert!(
        falling && tuned.divergence[7] < 0.05,
        "{:?}",
        tuned.divergence
    );
    let last = tuned.cells.last().unwrap();
    assert_eq!(last.best[0].word, eight, "layer 7, last token: {last:?}");
}

#[test]
fn without_the_spider_the_eight_goes_and_a_random_direction_leaves_it() {
    let (mut desk, words) = shipped();
    let request = SteerRequest {
        tokens: words
            .encode("<s> the number of legs on the animal that spins webs , let me think , is")
            .unwrap(),
        band: [3, 3],
        word: words.id("spider").unwrap(),
        targets: Targets::All,
        centred: true,
        how: Steering::Ablate,
        strengths: vec![1.0],
        top: 1,
        tracked: vec![],
        seed: 1,
    };
    let Ok(Reply::Steered(steered)) = desk.ask(Command::Steer(request)) else {
        panic!("not steered")
    };
    let top = |said: &Said| words.word(said.best[0].word).to_owned();
    assert_eq!(
        (top(&steered.clean), top(&steered.random[0])),
        ("8".into(), "8".into())
    );
    assert_ne!(top(&steered.lens[0]), "8");
}

fn article(file: &str) -> String {
    String::from_utf8(asset(&format!("article/{file}"))).unwrap()
}

/// Numbers that the article writes out in words.
#[test]
fn the_model_is_as_large_as_the_article_says() {
    use smallworld::Family;
    let mut desk = Desk::new(Cpu::new());
    let Ok(Reply::Loaded(info)) = desk.ask(Command::Load(shipped_files())) else {
        panic!("not loaded")
    };
    assert_eq!((info.parameters + 500) / 1000, 842);
    assert_eq!((info.n_layers, info.d_model, info.window), (8, 96, Some(5)));
    assert!((780..800).contains(&info.words.len()));
    let entities = Family::BOTH.map(|family| family.domain().entities.len());
    assert_eq!(entities, [28, 16]);
    let text = article("05-model.md");
    for said in [
        "eight blocks, a width of 96, and about 842,000 numbers in total. It knows just under 800 words.",
        "twenty-eight animals and their habits, sixteen countries",
        "a token can look only at itself and four words back",
    ] {
        assert!(text.contains(said), "{said}");
    }
}

/// In which layer each lens first has a word on top at any token but the start mark, as Figure 10 opens.
#[test]
fn the_three_lenses_race_as_the_article_says() {
    let (mut desk, words) = shipped();
    let tokens = words
        .encode("<s> the number of legs on the animal that spins webs , let me think , is")
        .unwrap();
    let tracked: Vec<u32> = ["spider", "8"].map(|word| words.id(word).unwrap()).to_vec();
    let request = ReadRequest {
        tokens: tokens.clone(),
        targets: Targets::Future,
        top: 1,
        tracked: tracked.clone(),
    };
    let Ok(Reply::Read { cells, .. }) = desk.ask(Command::Read(request)) else {
        panic!("no reading")
    };
    let request = TunedRequest {
        lens: asset("lenses/world-tuned.safetensors"),
        tokens: tokens.clone(),
        top: 1,
        tracked,
    };
    let Ok(Reply::Tuned(tuned)) = desk.ask(Command::ReadTuned(request)) else {
        panic!("no reading")
    };
    let first = |rank: &dyn Fn(usize, usize) -> u32| {
        (0..8).find(|layer| (1..tokens.len()).any(|at| rank(*layer, at) == 0))
    };
    let cell = |layer: usize, at: usize| &cells[layer * tokens.len() + at];
    let race = |word: usize| {
        [
            first(&|layer, at| cell(layer, at).jacobian_tracked[word].rank),
            first(&|layer, at| cell(layer, at).logit_tracked[word].rank),
            first(&|layer, at| tuned.cells[layer * tokens.len() + at].tracked[word].rank),
        ]
    };
    assert_eq!(race(0), [Some(4), Some(5), None], "spider");
    let [jacobian, _, tuned] = race(1);
    assert_eq!([jacobian, tuned], [Some(0), Some(6)], "8");
    let text = article("30-building.md");
    for said in [
        "the Jacobian lens has *spider* on top in layer 4, the logit lens in layer 5, the tuned lens never",
        "*Future only* has *8* on top in layer 0",
        "the tuned lens gets there in layer 6",
    ] {
        assert!(text.contains(said), "{said}");
    }
}
