//! The settings of Figure 13, and what the pursuit has found. Plain data and the sentences said about it.

use crate::figures::bench::{Prompted, Room, Settings, Spot};
use crate::figures::lines::Curve;
use crate::figures::mark;
use crate::figures::text::{percent, quoted, target_from, target_id};
use engine::protocol::{Picks, Pursuit, PursuitRequest, Targets};

/// Words that are looked for.
pub const MOST: usize = 25;

/// Everything that the reader can set.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The sentence and the place whose activation is taken apart.
    pub spot: Spot,
    /// Layer.
    pub layer: usize,
    /// Lens whose vectors are used.
    pub targets: Targets,
    /// Whether the vocabulary's mean vector is subtracted.
    pub centred: bool,
    /// Words shown.
    pub words: usize,
}

impl Chosen {
    fn at(prompt: &str, layer: usize, position: usize) -> Self {
        Self {
            spot: Spot::new(prompt, position),
            layer,
            targets: Targets::All,
            centred: false,
            words: 3,
        }
    }

    /// The sentence of Figure 1, where the clue is complete.
    #[must_use]
    pub fn spider() -> Self {
        let prompt = "the number of legs on the animal that spins webs , let me think , is";
        Self::at(prompt, 4, 13)
    }

    /// A country.
    #[must_use]
    pub fn france() -> Self {
        let prompt = "the capital of the country that built the eiffel tower , let me think , is";
        Self::at(prompt, 2, 13)
    }

    /// The end of a couplet's first line.
    #[must_use]
    pub fn couplet() -> Self {
        Self::at("the farmer counted to four , /", 4, 7)
    }
}

impl Settings for Chosen {
    fn to_link(&self) -> String {
        let (targets, Spot { prompt, position }) = (target_id(self.targets), &self.spot);
        let centred = u8::from(self.centred);
        format!(
            "{};{targets};{centred};{};{position};{prompt}",
            self.layer, self.words
        )
    }

    fn from_link(text: &str) -> Option<Self> {
        let mut parts = text.splitn(6, ';');
        let mut next = || parts.next();
        let layer = next()?.parse().ok()?;
        let targets = target_from(next()?)?;
        let centred = match next()? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        let words: usize = next()?.parse().ok()?;
        Some(Self {
            layer,
            targets,
            centred,
            words: words.clamp(1, MOST),
            spot: Spot::from_link(next()?, next()?)?,
        })
    }

    fn keep_inside(&mut self, room: Room) {
        self.layer = room.layer(self.layer, 0);
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

/// One word of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The word.
    pub word: String,
    /// Its coefficient as things stand.
    pub coefficient: f32,
    /// Of the greatest coefficient of both lists, which are drawn on one scale.
    pub share: f32,
    /// Greatest cosine with the words before it.
    pub likeness: f32,
}

/// What the pursuit has found, spelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What was asked.
    pub request: PursuitRequest,
    /// The word at the place.
    pub here: String,
    /// The answer.
    pub answer: Pursuit,
    words: [Vec<String>; 2],
}

impl Found {
    /// Spells an answer.
    #[must_use]
    pub fn new(request: PursuitRequest, answer: Pursuit, word: impl Fn(u32) -> String) -> Self {
        let spell = |picks: &Picks| picks.words.iter().map(|&id| word(id)).collect();
        Self {
            here: request
                .tokens
                .get(request.position)
                .map_or_else(String::new, |&id| word(id)),
            words: [spell(&answer.pursuit), spell(&answer.plain)],
            request,
            answer,
        }
    }

    /// Words found, at most [`MOST`].
    #[must_use]
    pub fn found(&self) -> usize {
        self.answer.pursuit.words.len()
    }

    /// The first `k` words of the pursuit, or of the plain list.
    #[must_use]
    pub fn list(&self, plain: bool, k: usize) -> Vec<Pick> {
        let at = |picks: &'_ Picks| {
            k.checked_sub(1)
                .and_then(|i| picks.coefficients.get(i).cloned())
        };
        let both = [&self.answer.pursuit, &self.answer.plain];
        let picks = both[usize::from(plain)];
        let Some(now) = at(picks) else {
            return Vec::new();
        };
        let all = both.into_iter().filter_map(at).flatten();
        let greatest = all.fold(f32::MIN_POSITIVE, f32::max);
        let words = &self.words[usize::from(plain)];
        let pick = |(i, &coefficient): (usize, &f32)| Pick {
            word: words[i].clone(),
            coefficient,
            share: coefficient / greatest,
            likeness: picks.likeness[i],
        };
        now.iter().enumerate().map(pick).collect()
    }

    /// Explained share after `k` words: pursuit, plain list, random dictionary.
    #[must_use]
    pub fn explained(&self, k: usize) -> [f32; 3] {
        let at = |all: &[f32]| {
            let last = all.len().checked_sub(1);
            last.zip(k.checked_sub(1))
                .map_or(0.0, |(last, i)| all[i.min(last)])
        };
        let Pursuit {
            pursuit,
            plain,
            random,
            ..
        } = &self.answer;
        [at(&pursuit.explained), at(&plain.explained), at(random)]
    }

    /// The three curves over the number of words, and a line at `k`.
    #[must_use]
    pub fn curves(&self, k: usize) -> Vec<Curve> {
        let curve = |idea, name: &str, ghost, shares: &[f32]| Curve {
            idea,
            name: name.to_owned(),
            ghost,
            points: std::iter::once([0.0, 0.0])
                .chain(
                    (1u32..)
                        .zip(shares)
                        .map(|(k, &y)| [f64::from(k), f64::from(y)]),
                )
                .collect(),
        };
        let (a, k) = (&self.answer, k.min(self.found()));
        vec![
            curve(
                "token",
                "pursuit among lens vectors",
                false,
                &a.pursuit.explained,
            ),
            curve(
                "activation",
                "largest inner products",
                false,
                &a.plain.explained,
            ),
            curve("", "pursuit among random vectors", true, &a.random),
            mark::line(format!("k = {k}"), k as f64, [0.0, 1.0]),
        ]
    }

    /// What the figure shows, in a sentence.
    #[must_use]
    pub fn summary(&self, k: usize) -> String {
        let k = k.min(self.found());
        let [pursuit, plain, random] = self.explained(k).map(percent);
        let (layer, here) = (self.request.layer, quoted(&self.here));
        let last = k.checked_sub(1).map(|i| quoted(&self.words[0][i]));
        let Some(last) = last else {
            return format!(
                "Layer {layer}, at {here}: no lens vector points along this activation."
            );
        };
        let words = if k == 1 {
            "word explains"
        } else {
            "words explain"
        };
        format!(
            "Layer {layer}, at {here}: {k} {words} {pursuit} of the activation; the {k} largest inner products {plain}, {k} of {} random vectors {random}. The latest word is {last}.",
            self.answer.size
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Found {
        let picks = |words: Vec<u32>, explained: Vec<f32>| Picks {
            words,
            coefficients: vec![vec![2.0], vec![1.0, 0.5]],
            explained,
            likeness: vec![0.0, 0.3],
        };
        let answer = Pursuit {
            pursuit: picks(vec![7, 3], vec![0.4, 0.6]),
            plain: picks(vec![7, 8], vec![0.4, 0.45]),
            random: vec![0.1, 0.2],
            norm: 3.0,
            size: 794,
        };
        let request = PursuitRequest {
            tokens: vec![0, 5],
            layer: 2,
            position: 1,
            targets: Targets::All,
            centred: true,
            most: 2,
            seed: 1,
        };
        Found::new(request, answer, |id| format!("w{id}"))
    }

    #[test]
    fn lists_show_the_coefficients_of_their_moment() {
        let found = found();
        assert_eq!(found.list(false, 1)[0].coefficient, 2.0);
        let two = found.list(false, 2);
        assert_eq!((two[0].coefficient, two[1].share), (1.0, 0.5));
        assert_eq!(found.list(true, 2)[1].word, "w8");
        assert!(found.list(false, 0).is_empty() && found.list(false, 9).is_empty());
    }

    #[test]
    fn shares_and_sentences() {
        let found = found();
        assert_eq!(found.explained(2), [0.6, 0.45, 0.2]);
        assert_eq!(found.explained(9), [0.6, 0.45, 0.2]);
        assert_eq!(found.curves(2)[0].points[2], [2.0, f64::from(0.6f32)]);
        let said = found.summary(2).replace('\u{202f}', " ");
        assert!(
            said.contains("2 words explain 60 %") && said.contains("“w3”"),
            "{said}"
        );
    }

    #[test]
    fn links_lead_back() {
        for mut chosen in [Chosen::spider(), Chosen::france(), Chosen::couplet()] {
            chosen.centred = true;
            assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen));
        }
        for text in ["", "2;all;1;3;4", "2;all;2;3;4;the", "2;no;1;3;4;the"] {
            assert_eq!(Chosen::from_link(text), None, "{text}");
        }
    }
}
