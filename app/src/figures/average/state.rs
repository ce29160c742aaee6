//! The settings of Figure 7, and the effects of one nudge. Plain data and the arithmetic of means.

use crate::figures::bench::{Room, Settings};
use crate::figures::numbers::number;
use engine::protocol::{Direction, NudgeRequest, Nudges};

/// Sentences in all.
pub const MOST: usize = 24;
/// Seed of their text: not that of the shipped lens.
pub const SEED: u64 = 4242;

/// Where the nudge points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// A word's lens vector.
    Word,
    /// A random direction.
    Random,
}

/// Everything that the reader can set.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Layer that is nudged.
    pub layer: usize,
    /// Where to.
    pub along: Along,
    /// The word.
    pub word: String,
    /// Seed of the random direction.
    pub seed: u64,
    /// Sentences that have been added.
    pub count: usize,
    /// Sentences that are left out, as bits.
    pub out: u32,
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            layer: 2,
            along: Along::Word,
            word: "spider".into(),
            seed: 1,
            count: 6,
            out: 0,
        }
    }
}

impl Chosen {
    /// Whether a sentence is in the mean.
    #[must_use]
    pub const fn is_in(&self, i: usize) -> bool {
        i < self.count && self.out & (1 << i) == 0
    }

    /// Takes an added sentence out, or back in.
    pub const fn toggle(&mut self, i: usize) {
        if i < self.count && i < MOST {
            self.out ^= 1 << i;
        }
    }

    /// What to send; `None` if the model does not know the word.
    #[must_use]
    pub fn request(&self, last: usize, id: impl Fn(&str) -> Option<u32>) -> Option<NudgeRequest> {
        Some(NudgeRequest {
            seed: SEED,
            count: MOST as u32,
            layer: self.layer.min(last),
            direction: match self.along {
                Along::Word => Direction::Word(id(&self.word)?),
                Along::Random => Direction::Random(self.seed),
            },
        })
    }
}

impl Settings for Chosen {
    fn to_link(&self) -> String {
        let along = match self.along {
            Along::Word => "word",
            Along::Random => "random",
        };
        format!(
            "{};{along};{};{};{};{:x}",
            self.layer, self.word, self.seed, self.count, self.out
        )
    }

    fn from_link(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(';').collect();
        let [layer, along, word, seed, count, out] = parts[..] else {
            return None;
        };
        let count: usize = count.parse().ok()?;
        let out = u32::from_str_radix(out, 16).ok()?;
        (count <= MOST && out < 1 << MOST).then_some(Self {
            layer: layer.parse().ok()?,
            along: match along {
                "word" => Along::Word,
                "random" => Along::Random,
                _ => return None,
            },
            word: word.to_owned(),
            seed: seed.parse().ok()?,
            count,
            out,
        })
    }

    fn keep_inside(&mut self, room: Room) {
        self.layer = room.layer(self.layer, 0);
    }
}

/// The effects, spelled and measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Effects {
    /// The answer.
    pub answer: Nudges,
    /// The sentences as text.
    pub sentences: Vec<String>,
}

impl Effects {
    /// `None` for an answer that does not fit together.
    #[must_use]
    pub fn new(answer: Nudges, word: impl Fn(u32) -> String) -> Option<Self> {
        let n = answer.sentences.len();
        let fits = n > 0
            && answer.plane.len() == n
            && answer.gram.len() == n * n
            && answer.with_lens.len() == n;
        let text = |ids: &Vec<u32>| {
            let words: Vec<String> = ids.iter().skip(1).map(|&id| word(id)).collect();
            words.join(" ")
        };
        fits.then(|| Self {
            sentences: answer.sentences.iter().map(text).collect(),
            answer,
        })
    }

    fn dot(&self, i: usize, j: usize) -> f64 {
        f64::from(self.answer.gram[i * self.sentences.len() + j])
    }

    /// Mean of inner products over two choices of sentences.
    fn mean_dot(&self, a: &[usize], b: &[usize]) -> f64 {
        let sum: f64 = a
            .iter()
            .flat_map(|&i| b.iter().map(move |&j| (i, j)))
            .map(|(i, j)| self.dot(i, j))
            .sum();
        sum / (a.len() * b.len()).max(1) as f64
    }

    /// The mean in the plane; `None` of no sentence.
    #[must_use]
    pub fn mean(&self, chosen: &[usize]) -> Option<[f64; 2]> {
        let n = chosen.len();
        let sum = |axis: usize| {
            chosen
                .iter()
                .map(|&i| f64::from(self.answer.plane[i][axis]))
                .sum::<f64>()
        };
        (n > 0).then(|| [sum(0) / n as f64, sum(1) / n as f64])
    }

    /// Distance of the mean of some sentences from the mean of all, over the length of that one. In all coordinates, not in
    /// the plane.
    #[must_use]
    pub fn to_all(&self, chosen: &[usize]) -> Option<f64> {
        let all: Vec<usize> = (0..self.sentences.len()).collect();
        let square = self.mean_dot(chosen, chosen) - 2.0 * self.mean_dot(chosen, &all)
            + self.mean_dot(&all, &all);
        (!chosen.is_empty()).then(|| (square.max(0.0) / self.mean_dot(&all, &all)).sqrt())
    }

    /// Distance of the mean of some sentences from what the shipped lens says, over the length of that.
    #[must_use]
    pub fn to_lens(&self, chosen: &[usize]) -> Option<f64> {
        let lens = f64::from(self.answer.lens_square);
        let along: f64 = chosen
            .iter()
            .map(|&i| f64::from(self.answer.with_lens[i]))
            .sum();
        let along = along / chosen.len().max(1) as f64;
        let square = self.mean_dot(chosen, chosen) - 2.0 * along + lens;
        (!chosen.is_empty() && lens > 0.0).then(|| (square.max(0.0) / lens).sqrt())
    }

    /// Cosine of one sentence's effect with what the shipped lens says.
    #[must_use]
    pub fn cosine(&self, i: usize) -> f64 {
        let lengths = (self.dot(i, i) * f64::from(self.answer.lens_square)).sqrt();
        f64::from(self.answer.with_lens[i]) / lengths.max(f64::MIN_POSITIVE)
    }

    /// How far one sentence's effect reaches out of the plane, as a share of its square.
    #[must_use]
    pub fn out_of_plane(&self, i: usize) -> f64 {
        let [x, y] = self.answer.plane[i].map(f64::from);
        (1.0 - (x * x + y * y) / self.dot(i, i).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    }

    /// Distances after 1, 2, ... of the chosen sentences: from the mean of all, and from what the shipped lens says.
    #[must_use]
    pub fn curves(&self, chosen: &[usize]) -> [Vec<[f64; 2]>; 2] {
        let curve = |distance: fn(&Self, &[usize]) -> Option<f64>| {
            (1..=chosen.len())
                .filter_map(|n| Some([n as f64, distance(self, &chosen[..n])?]))
                .collect()
        };
        [curve(Self::to_all), curve(Self::to_lens)]
    }

    /// What the figure shows, in a sentence.
    #[must_use]
    pub fn summary(&self, chosen: &[usize]) -> String {
        let (Some(all), Some(lens)) = (self.to_all(chosen), self.to_lens(chosen)) else {
            return "No sentence is in the mean. Add one.".to_owned();
        };
        let n = chosen.len();
        let noun = if n == 1 { "sentence" } else { "sentences" };
        format!(
            "The mean of {n} {noun} is off by {0} from the mean of all {1}, and by {2} from what the shipped lens says, in lengths of what it is compared with.",
            number(all, 3),
            self.sentences.len(),
            number(lens, 3)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Effects (1, 1), (1, -1), (3, 0) in the plane; the lens says (2, 0).
    fn effects() -> Effects {
        let plane = vec![[1.0f32, 1.0], [1.0, -1.0], [3.0, 0.0]];
        let dot = |a: &[f32; 2], b: &[f32; 2]| a[0] * b[0] + a[1] * b[1];
        let answer = Nudges {
            sentences: vec![vec![0, 4], vec![0, 5, 6], vec![0, 7]],
            gram: plane
                .iter()
                .flat_map(|a| plane.iter().map(|b| dot(a, b)).collect::<Vec<_>>())
                .collect(),
            with_lens: plane.iter().map(|a| 2.0 * a[0]).collect(),
            lens: [2.0, 0.0],
            lens_square: 4.0,
            plane,
        };
        Effects::new(answer, |id| format!("w{id}")).unwrap()
    }

    #[test]
    fn means_and_distances() {
        let e = effects();
        assert_eq!(e.sentences[1], "w5 w6");
        assert_eq!(e.mean(&[0, 1]), Some([1.0, 0.0]));
        assert_eq!(e.mean(&[]), None);
        // the mean of all is (5/3, 0)
        assert!((e.to_all(&[0, 1]).unwrap() - 0.4).abs() < 1e-6);
        assert!(e.to_all(&[0, 1, 2]).unwrap() < 1e-6);
        assert!((e.to_lens(&[0, 1]).unwrap() - 0.5).abs() < 1e-6);
        assert!((e.cosine(0) - 0.5f64.sqrt()).abs() < 1e-6);
        assert!(e.out_of_plane(0) < 1e-6);
        let curves = e.curves(&[2, 0]);
        assert_eq!(curves[0].len(), 2);
        assert!((curves[1][0][1] - 0.5).abs() < 1e-6);
        assert!(
            e.summary(&[0, 1]).contains("2 sentences is off by 0.400"),
            "{}",
            e.summary(&[0, 1])
        );
        assert!(e.summary(&[]).contains("Add one"));
    }

    #[test]
    fn choices_and_links() {
        let mut chosen = Chosen::default();
        assert!(chosen.is_in(5) && !chosen.is_in(6));
        chosen.toggle(2);
        chosen.toggle(9); // not added yet
        assert!(!chosen.is_in(2) && chosen.out == 4);
        assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen.clone()));
        chosen.toggle(2);
        assert!(chosen.is_in(2));
        for text in [
            "",
            "2;word;spider;1;99;0",
            "2;up;spider;1;6;0",
            "2;word;spider;1;6;fffffffff",
        ] {
            assert_eq!(Chosen::from_link(text), None, "{text}");
        }
    }

    #[test]
    fn answers_that_do_not_fit_are_refused() {
        let mut answer = effects().answer;
        answer.gram.pop();
        assert!(Effects::new(answer, |_| String::new()).is_none());
    }
}
