//! The settings of Figure 11, its answer and what is said about it. Plain data.

use crate::figures::bench::{Room, Settings};
use crate::figures::lines::Curve;
use crate::figures::mark;
use crate::figures::numbers::number;
use crate::figures::text::{quoted, target_from, target_id};
use engine::protocol::{Stein, SteinRequest, Targets};

/// Windows of text; those of the shipped lenses.
pub const WINDOWS: usize = 100;
/// Words in each list.
pub const TOP: usize = 5;
/// Longest phrase in a link, in bytes.
const LONGEST: usize = 200;

/// Everything that the reader can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Layer.
    pub layer: usize,
    /// Which lens stands for the averaged gradients.
    pub targets: Targets,
    /// Subtract the vocabulary's mean.
    pub centred: bool,
    /// The word looked at.
    pub word: String,
    /// The phrase whose template is made.
    pub phrase: String,
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            layer: 1,
            targets: Targets::Same,
            centred: true,
            word: "spider".to_owned(),
            phrase: "the eiffel tower".to_owned(),
        }
    }
}

impl Settings for Chosen {
    fn to_link(&self) -> String {
        let (targets, centred) = (target_id(self.targets), u8::from(self.centred));
        format!(
            "{};{targets};{centred};{};{}",
            self.layer, self.word, self.phrase
        )
    }

    fn from_link(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut parts = text.splitn(5, ';');
        let mut next = || parts.next();
        Some(Self {
            layer: next()?.parse().ok().filter(|layer| *layer <= 64)?,
            targets: target_from(next()?)?,
            centred: match next()? {
                "0" => false,
                "1" => true,
                _ => return None,
            },
            word: next()?.to_owned(),
            phrase: next()?.to_owned(),
        })
    }

    fn keep_inside(&mut self, room: Room) {
        self.layer = room.layer(self.layer, 1);
    }
}

impl Chosen {
    /// What to ask; `None` for words that the model lacks.
    #[must_use]
    pub fn request(
        &self,
        last: usize,
        token: impl Fn(&str) -> Option<u32>,
    ) -> Option<SteinRequest> {
        let phrase = self.phrase.split_whitespace();
        Some(SteinRequest {
            layer: self.layer.min(last),
            targets: self.targets,
            centred: self.centred,
            windows: WINDOWS,
            phrase: phrase.map(token).collect::<Option<_>>()?,
            top: TOP,
        })
    }
}

/// An answer with its words spelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Sides {
    answer: Stein,
    words: Vec<String>,
    /// Word ids, the greatest cosine first.
    order: Vec<usize>,
}

impl Sides {
    /// `None` for an answer that does not fit the words.
    #[must_use]
    pub fn new(answer: Stein, words: &[String]) -> Option<Self> {
        let fits = answer.cosines.len() == words.len() && answer.shifted.len() == words.len();
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by(|&a, &b| {
            answer
                .cosines
                .get(b)
                .unwrap_or(&0.0)
                .total_cmp(answer.cosines.get(a).unwrap_or(&0.0))
        });
        fits.then(|| Self {
            words: words.to_vec(),
            order,
            answer,
        })
    }

    /// States that the right side is made of.
    #[must_use]
    pub fn states(&self) -> u32 {
        self.answer.states
    }

    /// Cosine of the two sides for a word, and its place among all, from 1.
    #[must_use]
    pub fn of(&self, word: &str) -> Option<(f32, usize)> {
        let id = self.words.iter().position(|known| known == word)?;
        let place = self.order.iter().position(|&known| known == id)?;
        Some((self.answer.cosines[id], place + 1))
    }

    /// Mean cosine of a word's two sides, and of sides of two different words.
    #[must_use]
    pub fn means(&self) -> [f64; 2] {
        let mean =
            |all: &[f32]| all.iter().map(|x| f64::from(*x)).sum::<f64>() / all.len().max(1) as f64;
        [mean(&self.answer.cosines), mean(&self.answer.shifted)]
    }

    /// The words with the greatest or the least cosine.
    #[must_use]
    pub fn ends(&self, greatest: bool, count: usize) -> Vec<(String, f32)> {
        let entry = |&id: &usize| (self.words[id].clone(), self.answer.cosines[id]);
        if greatest {
            self.order.iter().take(count).map(entry).collect()
        } else {
            self.order.iter().rev().take(count).map(entry).collect()
        }
    }

    /// Words nearest to the phrase's template, and in how many places it was found.
    #[must_use]
    pub fn template(&self) -> (u32, Vec<(String, f32)>) {
        let name = |&(id, cosine): &(u32, f32)| {
            let word = self.words.get(id as usize).cloned().unwrap_or_default();
            (word, cosine)
        };
        let near = self.answer.template.iter().map(name).collect();
        (self.answer.found, near)
    }

    /// How many words have a place.
    #[must_use]
    pub fn count(&self) -> usize {
        self.words.len()
    }

    /// Cosines in falling order over their places, and a ring around the word looked at.
    #[must_use]
    pub fn curves(&self, word: &str) -> Vec<Curve> {
        let falling = |values: &[f32]| {
            let mut sorted = values.to_vec();
            sorted.sort_by(|a, b| b.total_cmp(a));
            let step = (sorted.len() / 60).max(1);
            let point = |(i, x): (usize, f32)| [(i + 1) as f64, f64::from(x)];
            sorted
                .into_iter()
                .enumerate()
                .step_by(step)
                .map(point)
                .collect()
        };
        let curve = |idea, name: &str, ghost, values: &[f32]| Curve {
            idea,
            name: name.to_owned(),
            ghost,
            points: falling(values),
        };
        let ring = self.of(word).map(|(cosine, place)| {
            let name = format!("{}, {}", quoted(word), number(f64::from(cosine), 2));
            mark::ring(name, [place as f64, f64::from(cosine)])
        });
        let all = [
            curve(
                "token",
                "gradient and regression of one word",
                false,
                &self.answer.cosines,
            ),
            curve("", "of two different words", true, &self.answer.shifted),
        ];
        all.into_iter().chain(ring).collect()
    }

    /// The figure in a sentence.
    #[must_use]
    pub fn summary(&self, word: &str) -> String {
        let [mean, other] = self.means();
        let one = self.of(word).map_or_else(String::new, |(cosine, place)| {
            format!(
                "For {} averaged gradient and regression have cosine {}, place {place} of {}. ",
                quoted(word),
                number(f64::from(cosine), 2),
                self.words.len()
            )
        });
        format!(
            "{one}Mean over all words {}; between those of different words {}.",
            number(mean, 2),
            number(other, 2)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides() -> Sides {
        let words = ["a", "b", "c"].map(str::to_owned);
        let answer = Stein {
            states: 500,
            cosines: vec![0.2, 0.9, -0.1],
            shifted: vec![0.0, 0.1, -0.1],
            found: 4,
            template: vec![(1, 0.7)],
        };
        Sides::new(answer, &words).unwrap()
    }

    #[test]
    fn words_are_placed_by_their_cosine() {
        let s = sides();
        assert_eq!((s.of("b"), s.of("c")), (Some((0.9, 1)), Some((-0.1, 3))));
        assert_eq!(s.of("x"), None);
        assert_eq!(s.ends(false, 1), [("c".to_owned(), -0.1)]);
        assert_eq!(s.template(), (4, vec![("b".to_owned(), 0.7)]));
        assert!(s.summary("b").contains("cosine 0.90, place 1 of 3"));
        assert!(s.summary("b").contains("different words 0.00"));
        let curves = s.curves("c");
        assert_eq!(curves[0].points[0][0], 1.0);
        assert!(curves[0].points[0][1] > curves[0].points[2][1]);
        assert_eq!(curves[2].points, [curves[0].points[2]]);
        assert_eq!(
            (curves[2].name.as_str(), s.curves("x").len()),
            ("“c”, −0.10", 2)
        );
    }

    #[test]
    fn an_answer_for_another_word_list_is_refused() {
        let answer = sides().answer;
        assert!(Sides::new(answer, &["a".to_owned()]).is_none());
    }

    #[test]
    fn links_lead_back() {
        let chosen = Chosen::default();
        assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen));
        for text in ["", "2;same;1;spider", "2;same;2;spider;x", "99;all;1;a;b"] {
            assert_eq!(Chosen::from_link(text), None, "{text}");
        }
    }

    #[test]
    fn unknown_words_are_not_asked_about() {
        let known = |word: &str| (word != "zebrafish").then_some(1);
        let chosen = Chosen::default();
        assert_eq!(chosen.request(1, known).unwrap().layer, 1);
        let odd = Chosen {
            phrase: "zebrafish".into(),
            ..chosen
        };
        assert!(odd.request(1, known).is_none());
    }
}
