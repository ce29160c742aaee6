//! Small models with random weights and real lenses, written as the files that a page would fetch.
#![allow(dead_code)]

use engine::protocol::{Command, Event, ModelFiles, Reply, Request, Targets};
use engine::scheduler::Scheduler;
use formats::{LensFile, ModelFile, Precision, Vocabulary};
use lens::fit::{Accumulator, FitOptions, PromptFit};
use lens::{Lens, Origin};
use pollster::block_on;
use smallworld::dice::Dice;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use transformer::{
    Activation, Config, Model, NormKind, NormPlace, Ops, Positions, Reference, Weights,
};

/// The shipped model's kind, smaller.
pub fn config(vocab: usize) -> Config {
    Config {
        vocab,
        d_model: 16,
        n_layers: 3,
        n_heads: 2,
        n_kv_heads: 2,
        head_dim: 8,
        d_ff: 32,
        max_context: 24,
        norm: NormKind::Rms,
        norm_eps: 1e-5,
        norm_place: NormPlace::Post,
        window: Some(5),
        positions: Positions::Rope {
            base: 1000.0,
            rotary_dim: 8,
        },
        activation: Activation::Relu,
        tied: false,
        bias: false,
    }
}

/// Gains of one, matrices of unit gain: a model in which everything depends on everything.
pub fn random_weights(config: &Config, seed: u64) -> Weights {
    let mut dice = Dice::new("test weights", seed, 0);
    let mut weights = Weights::zeros(config).unwrap();
    let mut at = 0;
    for entry in transformer::layout::layout(config) {
        let scale = entry.shape.get(1).map(|&inp| (inp as f64).powf(-0.5));
        for x in &mut weights.flat[at..at + entry.len()] {
            *x = scale.map_or(1.0, |s| (s * dice.normal()) as f32);
        }
        at += entry.len();
    }
    weights
}

/// A lens of two prompts.
fn fit(weights: &Weights, targets: lens::Targets, origin: &Origin) -> Lens {
    let model = Model::new(Reference::<f64>::new(), weights).unwrap();
    let options = FitOptions {
        targets,
        ..FitOptions::default()
    };
    let estimator = options.resolve(&model.config).unwrap();
    let mut sums = Accumulator::mean(estimator.clone());
    for tokens in [[0, 5, 9, 100, 7, 3], [0, 8, 77, 300, 2, 41]] {
        let fit = PromptFit::new(&model, &estimator, 16, &tokens)
            .unwrap()
            .unwrap();
        sums.add(&block_on(fit.finish()).unwrap()).unwrap();
    }
    sums.finish(origin).unwrap()
}

/// The files of a random model with the small world's words.
pub fn files(seed: u64) -> ModelFiles {
    let words = Vocabulary::new(smallworld::Vocabulary::standard().words().to_vec()).unwrap();
    let weights = random_weights(&config(words.words().len()), seed);
    let model = ModelFile {
        name: "random".into(),
        vocabulary_hash: words.hash(),
        about: BTreeMap::new(),
        weights,
    };
    let origin = Origin {
        weights_hash: model.weights_hash(),
        vocabulary_hash: words.hash(),
        ..Origin::default()
    };
    let lens = |targets: Targets| {
        let lens = fit(&model.weights, targets.into(), &origin);
        (targets, LensFile::from(lens).write(Precision::F32).unwrap())
    };
    ModelFiles {
        lenses: vec![lens(Targets::All), lens(Targets::Same)],
        tokenizer: words.write().unwrap(),
        weights: model.write(Precision::F32).unwrap(),
    }
}

/// A committed file of `assets/`.
pub fn asset(path: &str) -> Vec<u8> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/");
    std::fs::read(format!("{root}{path}")).unwrap()
}

/// The files of the shipped model, as the page fetches them.
pub fn shipped_files() -> ModelFiles {
    ModelFiles {
        weights: asset("models/world.safetensors"),
        tokenizer: asset("models/words.json"),
        lenses: vec![
            (Targets::All, asset("lenses/world-all.safetensors")),
            (Targets::Same, asset("lenses/world-same.safetensors")),
        ],
    }
}

/// A scheduler whose events are kept.
pub struct Desk<O: Ops = engine::Cpu> {
    pub scheduler: Scheduler<O>,
    events: Rc<RefCell<Vec<Event>>>,
}

impl<O: Ops + Clone + 'static> Desk<O> {
    pub fn new(ops: O) -> Self {
        let events = Rc::new(RefCell::new(Vec::new()));
        let kept = Rc::clone(&events);
        let emit = Rc::new(move |event| kept.borrow_mut().push(event));
        Self {
            scheduler: Scheduler::new(ops, emit),
            events,
        }
    }

    /// With a loaded model.
    pub fn loaded(ops: O, files: &ModelFiles) -> Self {
        let mut desk = Self::new(ops);
        desk.push(0, Command::Load(files.clone()));
        desk.finish();
        let events = desk.take();
        assert!(
            matches!(
                &events[..],
                [Event::Reply {
                    id: 0,
                    reply: Reply::Loaded(_)
                }]
            ),
            "{events:?}"
        );
        desk
    }

    /// With this machine's clock.
    pub fn with_clock(self) -> Self {
        let began = std::time::Instant::now();
        let clock = Rc::new(move || began.elapsed().as_secs_f64());
        Self {
            scheduler: self.scheduler.with_clock(clock),
            ..self
        }
    }

    pub fn push(&mut self, id: u32, command: Command) {
        self.scheduler.push(Request { id, command });
    }

    pub fn step(&mut self) -> bool {
        block_on(self.scheduler.step())
    }

    pub fn finish(&mut self) {
        while self.step() {}
    }

    pub fn take(&mut self) -> Vec<Event> {
        self.events.take()
    }

    /// The only answer to a command.
    pub fn ask(&mut self, command: Command) -> Result<Reply, String> {
        self.push(1, command);
        self.finish();
        let mut events = self.take();
        assert_eq!(events.len(), 1, "{events:?}");
        match events.remove(0) {
            Event::Reply { id: 1, reply } => Ok(reply),
            Event::Failed { id: 1, message } => Err(message),
            other => panic!("{other:?}"),
        }
    }
}
