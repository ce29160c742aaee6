//! The settings of Figure 15, and what the model says under steering. Plain data and the sentences said about it.

use crate::figures::bench::{Prompted, Room, Settings, Spot};
use crate::figures::lines::Curve;
use crate::figures::numbers::number;
use crate::figures::parts::{Row, ranked_row};
use crate::figures::text::{percent, quoted, target_from, target_id};
use engine::protocol::{Said, SteerRequest, Steered, Steering, Targets};

/// Words per list.
const TOP: usize = 6;
/// Greatest strength, both ways.
pub const STRONGEST: f64 = 0.6;
/// Strengths of the curve, evenly spaced.
const SWEEP: usize = 31;
/// Most words that are taken out of one state.
pub const MOST: usize = 20;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Adds a multiple of a word's direction.
    Add,
    /// Projects a word's direction out.
    Ablate,
    /// Projects out all words that the lens ranks first.
    AblateTop,
}

impl Act {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Add, "add"),
        (Self::Ablate, "ablate"),
        (Self::AblateTop, "top"),
    ];
}

/// Everything that the reader can set.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The sentence (the position plays no part).
    pub spot: Spot,
    /// What is done.
    pub act: Act,
    /// The word whose direction is added.
    pub word: String,
    /// The word that [`Act::Ablate`] takes out.
    pub removed: String,
    /// Another word that is followed in the output.
    pub watched: String,
    /// Strength a, in mean lengths of the layer's states.
    pub strength: f64,
    /// Words taken out by [`Act::AblateTop`].
    pub top: usize,
    /// First and last layer.
    pub band: [usize; 2],
    /// Lens.
    pub targets: Targets,
    /// Whether the vocabulary's mean vector is subtracted.
    pub centred: bool,
    /// Seed of the random directions.
    pub seed: u64,
}

impl Chosen {
    fn new(prompt: &str, word: &str, removed: &str, watched: &str) -> Self {
        Self {
            spot: Spot::new(prompt, 0),
            act: Act::Add,
            word: word.to_owned(),
            removed: removed.to_owned(),
            watched: watched.to_owned(),
            strength: 0.3,
            top: 5,
            band: [3, 3],
            targets: Targets::All,
            centred: true,
            seed: 1,
        }
    }

    /// The word whose direction is used.
    #[must_use]
    pub fn handle(&self) -> &str {
        match self.act {
            Act::Ablate => &self.removed,
            _ => &self.word,
        }
    }

    /// Spider to ant.
    #[must_use]
    pub fn spider() -> Self {
        let prompt = "the number of legs on the animal that spins webs , let me think , is";
        Self::new(prompt, "ant", "spider", "6")
    }

    /// France to China.
    #[must_use]
    pub fn france() -> Self {
        let prompt = "the capital of the country that built the eiffel tower is";
        Self {
            strength: 0.4,
            ..Self::new(prompt, "china", "france", "beijing")
        }
    }

    /// A sentence that says nothing about the animal.
    #[must_use]
    pub fn blank() -> Self {
        Self::new(
            "tom saw a strange animal . its home is the",
            "bee",
            "animal",
            "hive",
        )
    }
}

impl Settings for Chosen {
    fn to_link(&self) -> String {
        let act = Act::ALL
            .iter()
            .find(|(act, _)| *act == self.act)
            .map_or("", |(_, id)| id);
        let [first, last] = self.band;
        format!(
            "{act};{};{};{};{};{};{first};{last};{};{};{};{}",
            self.word,
            self.removed,
            self.watched,
            self.strength,
            self.top,
            target_id(self.targets),
            u8::from(self.centred),
            self.seed,
            self.spot.prompt
        )
    }

    fn from_link(text: &str) -> Option<Self> {
        let mut parts = text.splitn(12, ';');
        let mut next = || parts.next();
        let id = next()?;
        let act = Act::ALL.iter().find(|(_, known)| *known == id)?.0;
        let [word, removed, watched] = [next()?, next()?, next()?].map(str::to_owned);
        let strength: f64 = next()?.parse().ok()?;
        let top: usize = next()?.parse().ok()?;
        let band: [usize; 2] = [next()?.parse().ok()?, next()?.parse().ok()?];
        let targets = target_from(next()?)?;
        let centred = match next()? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        let seed = next()?.parse().ok()?;
        let spot = Spot::from_link("0", next()?)?;
        let sane = strength.abs() <= STRONGEST && (1..=MOST).contains(&top) && band[0] <= band[1];
        sane.then_some(Self {
            spot,
            act,
            word,
            removed,
            watched,
            strength,
            top,
            band,
            targets,
            centred,
            seed,
        })
    }

    fn keep_inside(&mut self, room: Room) {
        self.band = self.band.map(|layer| room.layer(layer, 1));
    }
}

impl Prompted for Chosen {
    fn spot(&self) -> &Spot {
        &self.spot
    }

    fn spot_mut(&mut self) -> &mut Spot {
        &mut self.spot
    }
}

/// The request for some strengths; `None` if the model lacks a word.
#[must_use]
pub fn request(
    chosen: &Chosen,
    tokens: Vec<u32>,
    last: usize,
    strengths: Vec<f32>,
    id: impl Fn(&str) -> Option<u32>,
) -> Option<SteerRequest> {
    let word = id(chosen.handle())?;
    Some(SteerRequest {
        tokens,
        band: chosen.band.map(|layer| layer.min(last)),
        word,
        targets: chosen.targets,
        centred: chosen.centred,
        how: match chosen.act {
            Act::Add => Steering::Add,
            Act::Ablate => Steering::Ablate,
            Act::AblateTop => Steering::AblateTop(chosen.top as u32),
        },
        strengths,
        top: TOP,
        tracked: vec![id(&chosen.watched)?, word],
        seed: chosen.seed,
    })
}

/// The strengths of the curve.
#[must_use]
pub fn sweep() -> Vec<f32> {
    let at = |i: usize| STRONGEST * (2.0 * i as f64 / (SWEEP - 1) as f64 - 1.0);
    (0..SWEEP).map(|i| at(i) as f32).collect()
}

/// One of the three states of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Left alone.
    Clean,
    /// Along lens vectors.
    Lens,
    /// Along random directions.
    Random,
}

/// The list of one of them.
#[must_use]
pub fn said(answer: &Steered, kind: Kind) -> Option<&Said> {
    match kind {
        Kind::Clean => Some(&answer.clean),
        Kind::Lens => answer.lens.first(),
        Kind::Random => answer.random.first(),
    }
}

/// Rows of a list; the watched word is marked, and added if it is not among the first.
#[must_use]
pub fn rows(said: &Said, word: impl Fn(u32) -> String) -> Vec<Row> {
    let watched = said.tracked.first();
    let is = |id: u32| watched.is_some_and(|w| w.word == id);
    let mut rows: Vec<Row> = said
        .best
        .iter()
        .map(|r| ranked_row(r, is(r.word), &word))
        .collect();
    if let Some(w) = watched.filter(|_| !rows.iter().any(|row| row.tracked)) {
        rows.push(ranked_row(w, true, &word));
    }
    rows
}

/// Probability of the watched word over the strength, along the lens vector and along a random direction.
#[must_use]
pub fn curves(request: &SteerRequest, answer: &Steered, watched: &str) -> Vec<Curve> {
    let curve = |idea, name: String, ghost, all: &[Said]| Curve {
        idea,
        name,
        ghost,
        points: request
            .strengths
            .iter()
            .zip(all)
            .filter_map(|(&a, said)| Some([tidy(a), f64::from(said.tracked.first()?.prob)]))
            .collect(),
    };
    let watched = quoted(watched);
    vec![
        curve(
            "token",
            format!("{watched}, along the lens vector"),
            false,
            &answer.lens,
        ),
        curve(
            "",
            format!("{watched}, along a random direction"),
            true,
            &answer.random,
        ),
    ]
}

/// A strength without the rounding of f32, which would put the ends off the axis.
fn tidy(a: f32) -> f64 {
    (f64::from(a) * 1e4).round() / 1e4
}

/// What came of it, in a sentence.
#[must_use]
pub fn summary(chosen: &Chosen, answer: &Steered, word: impl Fn(u32) -> String) -> String {
    let top = |kind| {
        said(answer, kind)
            .and_then(|s| s.best.first())
            .map_or_else(String::new, |r| {
                format!("{} ({})", quoted(&word(r.word)), percent(r.prob))
            })
    };
    let done = match chosen.act {
        Act::Add => format!(
            "Adding {} times the direction of {}",
            number(chosen.strength, 2),
            quoted(&chosen.word)
        ),
        Act::Ablate => format!("Without the direction of {}", quoted(&chosen.removed)),
        Act::AblateTop => format!("Without the {} words that the lens ranks first", chosen.top),
    };
    let layers = match chosen.band {
        [first, last] if first == last => format!("layer {first}"),
        [first, last] => format!("layers {first} to {last}"),
    };
    format!(
        "{done} at {layers}, the model says {} where it said {}. The same along random directions: {}.",
        top(Kind::Lens),
        top(Kind::Clean),
        top(Kind::Random)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::protocol::Ranked;

    fn list(word: u32, prob: f32, watched: f32) -> Said {
        let ranked = |word, rank, prob| Ranked { word, rank, prob };
        Said {
            best: vec![ranked(word, 0, prob)],
            tracked: vec![ranked(9, 3, watched), ranked(7, 5, 0.0)],
        }
    }

    fn answer() -> Steered {
        Steered {
            clean: list(8, 0.9, 0.01),
            lens: vec![list(9, 0.7, 0.7), list(9, 0.8, 0.8)],
            random: vec![list(8, 0.9, 0.02), list(8, 0.8, 0.03)],
            taken: vec![],
        }
    }

    #[test]
    fn requests_and_curves() {
        let chosen = Chosen::spider();
        let id = |word: &str| Some(word.len() as u32);
        let request = request(&chosen, vec![0, 1], 7, vec![0.0, 1.0], id).unwrap();
        assert_eq!((request.how, request.tracked.len()), (Steering::Add, 2));
        let curves = curves(&request, &answer(), "6");
        assert_eq!(curves[0].points[1], [1.0, f64::from(0.8f32)]);
        assert!(curves[1].ghost);
        let sweep = sweep();
        assert_eq!((sweep[0], sweep[15], sweep[30]), (-0.6, 0.0, 0.6));
    }

    #[test]
    fn the_watched_word_is_listed_and_the_sentence_compares() {
        let word = |id: u32| format!("w{id}");
        let clean = rows(&answer().clean, word);
        assert_eq!((clean.len(), clean[1].rank, clean[1].tracked), (2, 4, true));
        assert_eq!(rows(&answer().lens[0], word).len(), 1);
        let text = summary(&Chosen::spider(), &answer(), word).replace('\u{202f}', " ");
        assert!(
            text.contains("says “w9” (70 %) where it said “w8” (90 %)"),
            "{text}"
        );
    }

    #[test]
    fn layers_of_a_link_are_said_as_they_are_run() {
        let mut chosen = Chosen::spider();
        chosen.band = [1, 99];
        chosen.keep_inside(Room { last: 7, width: 96 });
        assert_eq!(chosen.band, [1, 7]);
        let said = summary(&chosen, &answer(), |id| format!("w{id}"));
        assert!(said.contains("layers 1 to 7"), "{said}");
    }

    #[test]
    fn links_lead_back() {
        for mut chosen in [Chosen::spider(), Chosen::france(), Chosen::blank()] {
            assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen.clone()));
            (chosen.act, chosen.top, chosen.strength, chosen.band) =
                (Act::AblateTop, 7, -0.25, [2, 6]);
            assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen));
        }
        let good = Chosen::spider().to_link();
        for (from, to) in [
            ("add", "sub"),
            (";0.3;", ";9;"),
            (";3;3;", ";3;1;"),
            (";5;", ";0;"),
        ] {
            assert_eq!(Chosen::from_link(&good.replacen(from, to, 1)), None, "{to}");
        }
    }
}
