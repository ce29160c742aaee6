//! The settings of Figure 8, and the two readouts. Plain data and the sentences said about it.

use crate::figures::bench::{Prompted, Room, Settings, Spot};
use crate::figures::numbers::number;
use crate::figures::parts::{Row, ranked_row};
use crate::figures::text::{ordinal, quoted, target_from, target_id};
use engine::protocol::{Local, LocalRequest, Said, Targets};

/// Everything that the reader can set.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The sentence and the place that is read.
    pub spot: Spot,
    /// Layer.
    pub layer: usize,
    /// Which target positions are summed.
    pub targets: Targets,
    /// The followed word.
    pub tracked: String,
}

impl Chosen {
    fn at(prompt: &str, layer: usize, position: usize, tracked: &str) -> Self {
        Self {
            spot: Spot::new(prompt, position),
            layer,
            targets: Targets::Future,
            tracked: tracked.to_owned(),
        }
    }

    /// The sentence of Figure 1.
    #[must_use]
    pub fn spider() -> Self {
        let prompt =
            "the number of legs on the animal that spins webs , let me think for a while , is";
        Self::at(prompt, 3, 17, "spider")
    }

    /// Another animal.
    #[must_use]
    pub fn walls() -> Self {
        let prompt = "the number of legs on the animal that climbs walls , let me think , is";
        Self::at(prompt, 3, 14, "spider")
    }

    /// A country.
    #[must_use]
    pub fn france() -> Self {
        let prompt = "the capital of the country that built the eiffel tower , let me think , is";
        Self::at(prompt, 2, 13, "france")
    }

    /// A rhyme that is planned at the end of the line.
    #[must_use]
    pub fn couplet() -> Self {
        Self::at("the farmer counted to four , /", 4, 7, "store")
    }
}

impl Settings for Chosen {
    fn to_link(&self) -> String {
        let (targets, Spot { prompt, position }) = (target_id(self.targets), &self.spot);
        format!(
            "{};{targets};{};{position};{prompt}",
            self.layer, self.tracked
        )
    }

    fn from_link(text: &str) -> Option<Self> {
        let mut parts = text.splitn(5, ';');
        let mut next = || parts.next();
        Some(Self {
            layer: next()?.parse().ok()?,
            targets: target_from(next()?)?,
            tracked: next()?.to_owned(),
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

/// The two lenses at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// What was asked.
    pub request: LocalRequest,
    /// The answer.
    pub answer: Local,
    /// The word at the place.
    pub here: String,
    /// The followed word.
    pub tracked: String,
}

impl Pair {
    /// Rows for a list: the best words, and the followed word below them if it is not among them.
    #[must_use]
    pub fn rows(said: &Said, word: impl Fn(u32) -> String) -> Vec<Row> {
        let followed = said.tracked.first();
        let is = |id: u32| followed.is_some_and(|f| f.word == id);
        let mut rows: Vec<Row> = said
            .best
            .iter()
            .map(|r| ranked_row(r, is(r.word), &word))
            .collect();
        if let Some(f) = followed.filter(|_| !rows.iter().any(|row| row.tracked)) {
            rows.push(ranked_row(f, true, &word));
        }
        rows
    }

    /// Words that the two lists share, and how many there could be.
    #[must_use]
    pub fn shared(&self) -> (usize, usize) {
        let (a, b) = (&self.answer.local.best, &self.answer.average.best);
        let both = a.iter().filter(|x| b.iter().any(|y| y.word == x.word));
        (both.count(), a.len().min(b.len()))
    }

    /// What the figure shows, in a sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let (layer, here) = (self.request.layer, quoted(&self.here));
        if self.answer.targets == 0 {
            return format!(
                "Layer {layer}, at {here}: no token comes after this one, so there is no future to carry to. Choose an earlier token or other targets."
            );
        }
        let rank = |said: &Said| said.tracked.first().map_or(0, |r| r.rank + 1);
        let (shared, of) = self.shared();
        format!(
            "Layer {layer}, at {here}: the two matrices have cosine {}, and {shared} of the first {of} words are the same. {} is {} through this sentence’s own Jacobian and {} through the average.",
            number(f64::from(self.answer.cosine), 3),
            quoted(&self.tracked),
            ordinal(rank(&self.answer.local)),
            ordinal(rank(&self.answer.average))
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::protocol::Ranked;

    fn said(words: &[u32], rank: u32) -> Said {
        let ranked = |(i, &word): (usize, &u32)| Ranked {
            word,
            rank: i as u32,
            prob: 0.1,
        };
        Said {
            best: words.iter().enumerate().map(ranked).collect(),
            tracked: vec![Ranked {
                word: 9,
                rank,
                prob: 0.01,
            }],
        }
    }

    fn pair(targets: u32) -> Pair {
        Pair {
            request: LocalRequest {
                tokens: vec![0, 1],
                layer: 2,
                position: 1,
                targets: Targets::Future,
                top: 2,
                tracked: vec![9],
            },
            answer: Local {
                local: said(&[9, 3], 0),
                average: said(&[3, 4], 7),
                logit: said(&[5, 6], 99),
                cosine: 0.8125,
                norms: [1.0, 2.0],
                targets,
            },
            here: "webs".into(),
            tracked: "spider".into(),
        }
    }

    #[test]
    fn the_followed_word_is_always_listed_once() {
        let rows = |said: &Said| Pair::rows(said, |id| format!("w{id}"));
        let pair = pair(3);
        assert_eq!(rows(&pair.answer.local).len(), 2);
        assert!(rows(&pair.answer.local)[0].tracked);
        let average = rows(&pair.answer.average);
        assert_eq!((average.len(), average[2].rank), (3, 8));
    }

    #[test]
    fn sentences() {
        let said = pair(3).summary();
        assert!(
            said.contains("cosine 0.812") || said.contains("cosine 0.813"),
            "{said}"
        );
        assert!(
            said.contains("1 of the first 2") && said.contains("“spider” is 1st"),
            "{said}"
        );
        assert!(said.contains("and 8th"), "{said}");
        assert!(pair(0).summary().contains("no token comes after"));
    }

    #[test]
    fn links_lead_back() {
        for chosen in [
            Chosen::spider(),
            Chosen::walls(),
            Chosen::france(),
            Chosen::couplet(),
        ] {
            assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen));
        }
        for text in [
            "",
            "2;all;spider",
            "x;all;spider;3;the",
            "2;none;spider;3;the",
        ] {
            assert_eq!(Chosen::from_link(text), None, "{text}");
        }
    }
}
