//! The tables that stand in the figures' places before the page's program runs, and without it: `assets/stills.json`, computed by
//! the engine that the page runs, with the files that it fetches. `JLENS_RENEW=1 cargo test -p engine --test stills` writes them.

mod support;

use engine::Cpu;
use engine::protocol::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use support::{Desk, shipped_files};

const PROMPT: &str =
    "the number of legs on the animal that spins webs , let me think for a while , is";
/// The sentence with which Figures 13 and 15 open.
const SHORTER: &str = "the number of legs on the animal that spins webs , let me think , is";
/// The sentence with which Figure 17 opens.
const PLAIN: &str = "the number of legs on the animal that spins webs is";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"))
}

/// The shipped model, ready to be asked.
struct Shipped {
    desk: Desk,
    words: Vec<String>,
    hash: String,
}

impl Shipped {
    fn load() -> Self {
        let mut desk = Desk::new(Cpu::new());
        let Ok(Reply::Loaded(info)) = desk.ask(Command::Load(shipped_files())) else {
            panic!("not loaded")
        };
        Self {
            desk,
            words: info.words,
            hash: info.weights_hash,
        }
    }

    fn id(&self, word: &str) -> u32 {
        let found = self.words.iter().position(|known| known == word);
        u32::try_from(found.unwrap()).unwrap()
    }

    fn tokens(&self, prompt: &str) -> Vec<u32> {
        let words = std::iter::once("<s>").chain(prompt.split(' '));
        words.map(|word| self.id(word)).collect()
    }

    /// `spider 12 %, ant 3 %`.
    fn list(&self, ranked: &[Ranked]) -> String {
        let word = |r: &Ranked| {
            let name = &self.words[r.word as usize];
            format!("{name} {:.0}\u{a0}%", 100.0 * r.prob)
        };
        ranked.iter().map(word).collect::<Vec<_>>().join(", ")
    }

    fn word(&self, ranked: Option<&Ranked>) -> String {
        ranked.map_or_else(String::new, |r| {
            format!(
                "{} {:.0}\u{a0}%",
                self.words[r.word as usize],
                100.0 * r.prob
            )
        })
    }

    /// Rows of several lists side by side.
    fn beside(&self, lists: &[&[Ranked]]) -> Vec<Vec<String>> {
        let row = |i: usize| {
            let rank = std::iter::once((i + 1).to_string());
            rank.chain(lists.iter().map(|list| self.word(list.get(i))))
                .collect()
        };
        (0..5).map(row).collect()
    }

    fn hero(&mut self) -> Value {
        let (tokens, spider) = (self.tokens(PROMPT), self.id("spider"));
        let position = tokens.len() - 3;
        let request = ReadRequest {
            tokens,
            targets: Targets::Future,
            top: 3,
            tracked: vec![spider],
        };
        let Ok(Reply::Read { cells, .. }) = self.desk.ask(Command::Read(request)) else {
            panic!("not read")
        };
        let here = cells.iter().filter(|cell| cell.position == position);
        let mut rows: Vec<Vec<String>> = here
            .map(|cell| {
                let rank = |list: &[Ranked]| (list[0].rank + 1).to_string();
                vec![
                    cell.layer.to_string(),
                    self.list(&cell.logit),
                    rank(&cell.logit_tracked),
                    self.list(&cell.jacobian),
                    rank(&cell.jacobian_tracked),
                ]
            })
            .collect();
        rows.reverse();
        json!({
            "caption": format!("What the two lenses read at “while” in “{PROMPT}”, layer by layer, and at which rank they have “spider”"),
            "heads": ["layer", "logit lens", "rank of spider", "Jacobian lens", "rank of spider"],
            "rows": rows,
        })
    }

    fn local(&mut self) -> Value {
        let tokens = self.tokens(PROMPT);
        let request = LocalRequest {
            position: tokens.len() - 3,
            tokens,
            layer: 3,
            targets: Targets::Future,
            top: 5,
            tracked: vec![],
        };
        let Ok(Reply::Local(local)) = self.desk.ask(Command::Local(request)) else {
            panic!("not read")
        };
        json!({
            "caption": format!("The state after block 3 at “while” in “{PROMPT}”, read through three matrices; the cosine of the first two is {:.2}", local.cosine),
            "heads": ["rank", "this place’s own Jacobian", "the average", "none"],
            "rows": self.beside(&[&local.local.best, &local.average.best, &local.logit.best]),
        })
    }

    fn pursuit(&mut self) -> Value {
        let tokens = self.tokens(SHORTER);
        let request = PursuitRequest {
            position: tokens.len() - 4,
            tokens,
            layer: 4,
            targets: Targets::All,
            centred: false,
            most: 6,
            seed: 1,
        };
        let Ok(Reply::Pursuit(found)) = self.desk.ask(Command::Pursue(request)) else {
            panic!("not pursued")
        };
        let share = |of: &[f32], i: usize| {
            of.get(i)
                .map_or_else(String::new, |part| format!("{:.0}\u{a0}%", 100.0 * part))
        };
        let word = |picks: &Picks, i: usize| {
            let id = picks.words.get(i);
            id.map_or_else(String::new, |&id| self.words[id as usize].clone())
        };
        let row = |i: usize| {
            vec![
                (i + 1).to_string(),
                word(&found.pursuit, i),
                share(&found.pursuit.explained, i),
                word(&found.plain, i),
                share(&found.plain.explained, i),
                share(&found.random, i),
            ]
        };
        json!({
            "caption": format!("The state after block 4 at “me” in “{SHORTER}” as a sum of lens vectors: how much of it the first words explain"),
            "heads": ["words", "pursuit takes", "explained", "largest inner products", "explained", "random directions explain"],
            "rows": (0..6).map(row).collect::<Vec<_>>(),
        })
    }

    fn steer(&mut self) -> Value {
        let (tokens, ant) = (self.tokens(SHORTER), self.id("ant"));
        let request = SteerRequest {
            tokens,
            band: [3, 3],
            word: ant,
            targets: Targets::All,
            centred: true,
            how: Steering::Add,
            strengths: vec![0.3],
            top: 5,
            tracked: vec![],
            seed: 1,
        };
        let Ok(Reply::Steered(said)) = self.desk.ask(Command::Steer(request)) else {
            panic!("not steered")
        };
        json!({
            "caption": format!("Next words after “{SHORTER}”, with 0.3 mean lengths along the lens vector of “ant” added in layer 3"),
            "heads": ["rank", "left alone", "along the lens vector", "along a random direction"],
            "rows": self.beside(&[&said.clean.best, &said.lens[0].best, &said.random[0].best]),
        })
    }

    fn swap(&mut self) -> Value {
        let request = |vectors| SwapRequest {
            tokens: self.tokens(PLAIN),
            source: self.id("spider"),
            target: self.id("ant"),
            band: [1, 2],
            vectors,
            centred: false,
            mode: EditMode::SwapClamped,
            top: 5,
            generate: 0,
        };
        let requests = [Vectors::Jacobian(Targets::All), Vectors::Logit].map(request);
        let answers = requests.map(|request| match self.desk.ask(Command::Swap(request)) {
            Ok(Reply::Swap(swap)) => swap,
            other => panic!("not swapped: {other:?}"),
        });
        let [lens, logit] = answers;
        json!({
            "caption": format!("Next words after “{PLAIN}”, with the coordinates of “spider” and “ant” exchanged in layers 1 and 2"),
            "heads": ["rank", "left alone", "swapped along lens vectors", "swapped along rows of the unembedding"],
            "rows": self.beside(&[&lens.clean, &lens.edited, &logit.edited]),
        })
    }
}

fn computed() -> Value {
    let mut model = Shipped::load();
    json!({
        "weights_hash": model.hash,
        "figures": {
            "hero": model.hero(),
            "local": model.local(),
            "pursuit": model.pursuit(),
            "steer": model.steer(),
            "swap": model.swap(),
        },
    })
}

/// Words must agree, whole numbers may differ by one: another processor rounds otherwise.
fn same(a: &str, b: &str) -> bool {
    let (a, b): (Vec<_>, Vec<_>) = (
        a.split_whitespace().collect(),
        b.split_whitespace().collect(),
    );
    let near = |(x, y): (&&str, &&str)| match (x.parse::<i64>(), y.parse::<i64>()) {
        (Ok(x), Ok(y)) => (x - y).abs() <= 1,
        _ => x == y,
    };
    a.len() == b.len() && a.iter().zip(&b).all(near)
}

fn texts(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, out)),
        Value::Object(fields) => fields.values().for_each(|item| texts(item, out)),
        _ => {}
    }
}

#[test]
fn the_tables_are_what_the_shipped_model_says() {
    let (path, now) = (root().join("stills.json"), computed());
    if std::env::var_os("JLENS_RENEW").is_some() {
        let text = serde_json::to_string_pretty(&now).unwrap();
        fs::write(&path, text + "\n").unwrap();
    }
    let stored: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    texts(&stored, &mut old);
    texts(&now, &mut new);
    assert_eq!(old.len(), new.len(), "renew {}", path.display());
    for (old, new) in old.iter().zip(&new) {
        assert!(
            same(old, new),
            "renew {}: {old} is now {new}",
            path.display()
        );
    }
}

#[test]
fn a_wrong_word_or_number_is_noticed() {
    assert!(same(
        "spider 12\u{a0}%, ant 3\u{a0}%",
        "spider 13\u{a0}%, ant 3\u{a0}%"
    ));
    assert!(!same("spider 12\u{a0}%", "spider 14\u{a0}%"));
    assert!(!same("spider 12\u{a0}%", "duck 12\u{a0}%"));
}
