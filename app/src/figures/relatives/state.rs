//! The settings of Figure 10, and the ranks of two words through three lenses. Plain data and the sentences said about them.

use crate::figures::bench::{Prompted, Settings, Spot};
use crate::figures::lines::Curve;
use crate::figures::text::{ordinal, quoted, target_from, target_id};
use engine::protocol::{Cell, Ranked, Said, Targets, TunedReading};

/// Which positions are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The chosen token.
    Here,
    /// The token at which the word stands highest.
    Best,
}

/// Everything that the reader can set.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The sentence and a token.
    pub spot: Spot,
    /// Which Jacobian lens.
    pub targets: Targets,
    /// The unspoken word.
    pub bridge: String,
    /// The answer.
    pub answer: String,
    /// Which positions.
    pub place: Place,
}

impl Chosen {
    fn new(prompt: &str, position: usize, bridge: &str, answer: &str) -> Self {
        Self {
            spot: Spot::new(prompt, position),
            targets: Targets::Future,
            bridge: bridge.to_owned(),
            answer: answer.to_owned(),
            place: Place::Best,
        }
    }

    /// The sentence of Figure 1.
    #[must_use]
    pub fn spider() -> Self {
        let prompt = "the number of legs on the animal that spins webs , let me think , is";
        Self::new(prompt, 16, "spider", "8")
    }

    /// A country.
    #[must_use]
    pub fn france() -> Self {
        let prompt = "the capital of the country that built the eiffel tower , let me think , is";
        Self::new(prompt, 16, "france", "paris")
    }

    /// A planned rhyme.
    #[must_use]
    pub fn couplet() -> Self {
        Self::new("the farmer counted to four , /", 7, "store", "to")
    }
}

impl Settings for Chosen {
    fn to_link(&self) -> String {
        let (targets, Spot { prompt, position }) = (target_id(self.targets), &self.spot);
        let place = match self.place {
            Place::Here => "here",
            Place::Best => "best",
        };
        format!(
            "{place};{targets};{};{};{position};{prompt}",
            self.bridge, self.answer
        )
    }

    fn from_link(text: &str) -> Option<Self> {
        let mut parts = text.splitn(6, ';');
        let mut next = || parts.next();
        Some(Self {
            place: match next()? {
                "here" => Place::Here,
                "best" => Place::Best,
                _ => return None,
            },
            targets: target_from(next()?)?,
            bridge: next()?.to_owned(),
            answer: next()?.to_owned(),
            spot: Spot::from_link(next()?, next()?)?,
        })
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

/// The three lenses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lens {
    /// The way is assumed.
    Logit,
    /// The way is fitted.
    Tuned,
    /// The way is measured.
    Jacobian,
}

impl Lens {
    /// All, in the order of the table.
    pub const ALL: [Self; 3] = [Self::Logit, Self::Tuned, Self::Jacobian];

    /// For readers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logit => "Logit lens",
            Self::Tuned => "Tuned lens",
            Self::Jacobian => "Jacobian lens",
        }
    }

    const fn idea(self) -> &'static str {
        match self {
            Self::Logit => "activation",
            Self::Tuned => "output",
            Self::Jacobian => "transport",
        }
    }
}

/// A cell through one lens: the best word, and the ranks of the two words (from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The best word.
    pub top: u32,
    /// Ranks of bridge and answer.
    pub ranks: [u32; 2],
    /// Position.
    pub position: usize,
}

/// What an answer belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The sentence.
    pub tokens: Vec<u32>,
    /// Bridge and answer.
    pub words: [String; 2],
}

impl Asked {
    /// With the followed words spelled.
    #[must_use]
    pub fn new(tokens: Vec<u32>, tracked: &[u32], word: impl Fn(u32) -> String) -> Self {
        let spell = |i: usize| tracked.get(i).map_or_else(String::new, |&id| word(id));
        let words = [spell(0), spell(1)];
        Self { tokens, words }
    }
}

/// Readings of one sentence through all three lenses; the tuned one may still be on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Readings {
    asked: Asked,
    tokens: usize,
    cells: Vec<Cell>,
    tuned: Option<TunedReading>,
}

impl Readings {
    /// `None` for cells that are not whole layers. A tuned reading of another sentence or other words is left out.
    #[must_use]
    pub fn new(
        asked: Asked,
        cells: Vec<Cell>,
        tuned: Option<(Asked, TunedReading)>,
    ) -> Option<Self> {
        let tokens = asked.tokens.len();
        let tuned = tuned.filter(|(of, _)| *of == asked).map(|(_, tuned)| tuned);
        let whole = tokens > 0 && !cells.is_empty() && cells.len().is_multiple_of(tokens);
        let fits = |t: &TunedReading| t.cells.len() == t.layers.len() * tokens;
        (whole && tuned.as_ref().is_none_or(fits)).then_some(Self {
            asked,
            tokens,
            cells,
            tuned,
        })
    }

    /// Bridge and answer that were followed, which may not be those chosen now.
    #[must_use]
    pub const fn words(&self) -> &[String; 2] {
        &self.asked.words
    }

    /// Layers, the model's output counted.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.cells.len() / self.tokens
    }

    /// Divergence of the tuned lens at a layer, in nats.
    #[must_use]
    pub fn divergence(&self, layer: usize) -> Option<f32> {
        let tuned = self.tuned.as_ref()?;
        let at = tuned.layers.iter().position(|&l| l == layer)?;
        tuned.divergence.get(at).copied()
    }

    fn cell(&self, lens: Lens, layer: usize, position: usize) -> Option<Seen> {
        let cell = self.cells.get(layer * self.tokens + position)?;
        let seen = |best: &[Ranked], tracked: &[Ranked]| {
            let [a, b] = tracked else { return None };
            Some(Seen {
                top: best.first()?.word,
                ranks: [a.rank + 1, b.rank + 1],
                position,
            })
        };
        match lens {
            Lens::Logit => seen(&cell.logit, &cell.logit_tracked),
            Lens::Jacobian => seen(&cell.jacobian, &cell.jacobian_tracked),
            // at the output there is nothing to tune
            Lens::Tuned if layer + 1 == self.layers() => seen(&cell.logit, &cell.logit_tracked),
            Lens::Tuned => {
                let tuned = self.tuned.as_ref()?;
                let at = tuned.layers.iter().position(|&l| l == layer)?;
                let Said { best, tracked } = tuned.cells.get(at * self.tokens + position)?;
                seen(best, tracked)
            }
        }
    }

    /// What a lens shows of a word (0: bridge, 1: answer) in a layer.
    #[must_use]
    pub fn seen(
        &self,
        lens: Lens,
        layer: usize,
        word: usize,
        place: Option<usize>,
    ) -> Option<Seen> {
        match place {
            Some(position) => self.cell(lens, layer, position.min(self.tokens - 1)),
            // not at the start mark, which knows of nothing
            None => (1.min(self.tokens - 1)..self.tokens)
                .filter_map(|position| self.cell(lens, layer, position))
                .min_by_key(|seen| seen.ranks[word]),
        }
    }

    /// Rank of a word over the layers, one curve per lens.
    #[must_use]
    pub fn curves(&self, word: usize, place: Option<usize>) -> Vec<Curve> {
        let curve = |lens: Lens| Curve {
            idea: lens.idea(),
            name: lens.name().to_owned(),
            ghost: false,
            points: (0..self.layers())
                .filter_map(|layer| {
                    let seen = self.seen(lens, layer, word, place)?;
                    Some([layer as f64, f64::from(seen.ranks[word])])
                })
                .collect(),
        };
        Lens::ALL.map(curve).to_vec()
    }

    /// The power of ten that no rank of either word exceeds, for the axes of both charts.
    #[must_use]
    pub fn decades(&self, place: Option<usize>) -> u32 {
        let curves = [0, 1].map(|word| self.curves(word, place));
        let points = curves.iter().flatten().flat_map(|curve| &curve.points);
        let worst = points.map(|point| point[1]).fold(1.0, f64::max);
        (worst.log10().ceil() as u32).max(1)
    }

    /// The layers, from the bottom, in which a lens has a word on top.
    #[must_use]
    pub fn on_top(&self, lens: Lens, word: usize, place: Option<usize>) -> Vec<usize> {
        let on_top = |layer: &usize| {
            self.seen(lens, *layer, word, place)
                .is_some_and(|seen| seen.ranks[word] == 1)
        };
        (0..self.layers()).filter(on_top).collect()
    }

    /// What the figure shows, a sentence for each lens.
    #[must_use]
    pub fn summary(&self, place: Option<usize>) -> Vec<String> {
        let words = self.words();
        let one = |lens: Lens| {
            let say = |word: usize| match &*self.on_top(lens, word, place) {
                [] => {
                    let ranks = (0..self.layers()).filter_map(|l| self.seen(lens, l, word, place));
                    let best = ranks.map(|seen| seen.ranks[word]).min().unwrap_or(0);
                    format!(
                        "{} never on top (at best {})",
                        quoted(&words[word]),
                        ordinal(best)
                    )
                }
                layers => format!("{} on top {}", quoted(&words[word]), in_layers(layers)),
            };
            format!("{}: {}, {}.", lens.name(), say(0), say(1))
        };
        let there = Lens::ALL
            .into_iter()
            .filter(|lens| *lens != Lens::Tuned || self.tuned.is_some());
        there.map(one).collect()
    }
}

/// "in layer 4 only", "in layers 5–6", "in layers 0–1 and 8".
fn in_layers(layers: &[usize]) -> String {
    if let [one] = layers {
        return format!("in layer {one} only");
    }
    let runs = layers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first}–{last}"),
        _ => run[0].to_string(),
    });
    let mut runs: Vec<String> = runs.collect();
    let last = runs.pop().unwrap_or_default();
    if runs.is_empty() {
        format!("in layers {last}")
    } else {
        format!("in layers {} and {last}", runs.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(word: u32, rank: u32) -> Ranked {
        Ranked {
            word,
            rank,
            prob: 0.5,
        }
    }

    /// Two tokens, two layers and the output; the Jacobian lens has the bridge on top in layer 1 at token 1.
    fn readings(tuned: bool) -> Readings {
        let cell = |i: usize| Cell {
            layer: i / 2,
            position: i % 2,
            logit: vec![ranked(5, 0)],
            jacobian: vec![ranked(7, 0)],
            logit_tracked: vec![ranked(7, 40), ranked(8, (4 - i.min(4)) as u32)],
            jacobian_tracked: vec![ranked(7, if i == 3 { 0 } else { 3 }), ranked(8, 9)],
        };
        let said = Said {
            best: vec![ranked(9, 0)],
            tracked: vec![ranked(7, 20), ranked(8, 0)],
        };
        let tuned = tuned.then(|| TunedReading {
            layers: vec![0, 1],
            cells: vec![said; 4],
            divergence: vec![1.0, 0.5],
            corpus: String::new(),
            warnings: vec![],
        });
        let tuned = tuned.map(|tuned| (asked("spider"), tuned));
        Readings::new(asked("spider"), (0..6).map(cell).collect(), tuned).unwrap()
    }

    fn asked(bridge: &str) -> Asked {
        let spell = |id: u32| {
            if id == 7 {
                bridge.to_owned()
            } else {
                "8".to_owned()
            }
        };
        Asked::new(vec![0, 4], &[7, 8], spell)
    }

    #[test]
    fn a_tuned_reading_of_another_word_is_left_out() {
        let r = readings(true);
        let (cells, tuned) = (r.cells.clone(), r.tuned.clone().unwrap());
        let of = |bridge| Some((asked(bridge), tuned.clone()));
        let new = |tuned| Readings::new(asked("ant"), cells.clone(), tuned).unwrap();
        assert!(new(of("spider")).seen(Lens::Tuned, 1, 0, None).is_none());
        assert!(new(of("ant")).seen(Lens::Tuned, 1, 0, None).is_some());
        // What is said names the words that were read, not those chosen since.
        assert!(r.summary(None)[0].contains("“spider” never on top"));
        assert!(new(None).summary(None)[0].contains("“ant” never on top"));
    }

    #[test]
    fn the_best_place_is_found() {
        let r = readings(true);
        assert_eq!(r.layers(), 3);
        let best = r.seen(Lens::Jacobian, 1, 0, None).unwrap();
        assert_eq!((best.ranks[0], best.position), (1, 1));
        assert_eq!(r.seen(Lens::Jacobian, 1, 0, Some(0)).unwrap().ranks[0], 4);
        assert_eq!(r.on_top(Lens::Jacobian, 0, None), [1]);
        assert_eq!(r.on_top(Lens::Tuned, 1, None)[0], 0);
        assert_eq!(r.on_top(Lens::Logit, 0, None), [0; 0]);
        assert_eq!(r.decades(None), 2);
        assert_eq!(r.divergence(1), Some(0.5));
        // the output is the same through all lenses but the Jacobian's own numbers
        assert_eq!(
            r.seen(Lens::Tuned, 2, 0, Some(1)),
            r.seen(Lens::Logit, 2, 0, Some(1))
        );
        let said = r.summary(None);
        assert!(
            said[2].starts_with("Jacobian lens: “spider” on top in layer 1 only,"),
            "{said:?}"
        );
        assert!(
            said[0].starts_with("Logit lens: “spider” never on top (at best 41st),"),
            "{said:?}"
        );
    }

    #[test]
    fn layers_in_words() {
        let all: [&[usize]; 4] = [&[4], &[5, 6], &[0, 1, 8], &[0, 2, 4, 5, 6]];
        assert_eq!(
            all.map(in_layers).join("; "),
            "in layer 4 only; in layers 5–6; in layers 0–1 and 8; in layers 0, 2 and 4–6"
        );
    }

    #[test]
    fn without_the_tuned_lens_the_others_are_shown() {
        let r = readings(false);
        assert!(r.seen(Lens::Tuned, 1, 0, None).is_none());
        assert_eq!(r.curves(0, None)[1].points.len(), 1);
        assert_eq!(r.summary(None).len(), 2);
    }

    #[test]
    fn answers_that_do_not_fit_are_refused() {
        let good = readings(true);
        let four = Asked {
            tokens: vec![0; 4],
            ..asked("spider")
        };
        assert!(Readings::new(four, good.cells.clone(), None).is_none());
        let mut cut = good.tuned.clone().unwrap();
        cut.cells.pop();
        let cut = Some((asked("spider"), cut));
        assert!(Readings::new(asked("spider"), good.cells.clone(), cut).is_none());
    }

    #[test]
    fn links_lead_back() {
        for chosen in [Chosen::spider(), Chosen::france(), Chosen::couplet()] {
            assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen));
        }
        for text in [
            "",
            "here;all;a;b;3",
            "there;all;a;b;3;the",
            "here;x;a;b;3;the",
        ] {
            assert_eq!(Chosen::from_link(text), None, "{text}");
        }
    }
}
