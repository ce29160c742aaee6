//! What the two lenses show of a prompt. Plain data and the sentences said about it.

use super::settings::{At, Lens};
use crate::figures::parts::{Row, ranked_row};
use crate::figures::text::{ordinal, quoted};
use engine::protocol::{Cell, Ranked, ReadRequest};

/// An answered readout.
#[derive(Clone, Debug, PartialEq)]
pub struct Readings {
    /// What was asked.
    pub request: ReadRequest,
    /// The word of each position.
    pub words: Vec<String>,
    /// The followed word.
    pub tracked: String,
    /// Residual states, the embedding counted.
    pub layers: usize,
    cells: Vec<Cell>,
    output: Vec<Vec<Ranked>>,
}

/// Ranks that share a tint: last rank (from 1), tint, label. So far apart that neighbours differ to the eye.
pub const TINTS: [(u32, u8, &str); 5] = [
    (1, 8, "1"),
    (5, 7, "2–5"),
    (20, 5, "6–20"),
    (100, 3, "21–100"),
    (u32::MAX, 0, "over 100"),
];

/// The tint of a rank counted from 1.
#[must_use]
pub fn tint(rank: u32) -> u8 {
    TINTS
        .iter()
        .find(|(last, ..)| rank <= *last)
        .map_or(0, |&(_, tint, _)| tint)
}

impl Readings {
    /// Puts an answer together; `None` if it does not fit the request. `word` spells a token.
    #[must_use]
    pub fn new(
        request: ReadRequest,
        cells: Vec<Cell>,
        output: Vec<Vec<Ranked>>,
        word: impl Fn(u32) -> String,
    ) -> Option<Self> {
        let tokens = request.tokens.len();
        let layers = cells.len().checked_div(tokens)?;
        let in_order =
            |(i, cell): (usize, &Cell)| cell.layer == i / tokens && cell.position == i % tokens;
        let full = |cell: &Cell| {
            cell.logit_tracked.len() == request.tracked.len()
                && cell.jacobian_tracked.len() == request.tracked.len()
        };
        let fits = cells.len() == layers * tokens
            && layers > 1
            && output.len() == tokens
            && request.tracked.len() == 1;
        (fits && cells.iter().enumerate().all(in_order) && cells.iter().all(full)).then(|| Self {
            words: request.tokens.iter().map(|&token| word(token)).collect(),
            tracked: word(request.tracked[0]),
            request,
            layers,
            cells,
            output,
        })
    }

    /// Positions.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.words.len()
    }

    /// The nearest cell that there is.
    #[must_use]
    pub fn inside(&self, at: At) -> At {
        at.inside(self.layers, self.tokens())
    }

    fn cell(&self, at: At) -> Option<&Cell> {
        (at.position < self.tokens())
            .then(|| self.cells.get(at.layer * self.tokens() + at.position))
            .flatten()
    }

    /// The list of a lens at a cell, best first.
    #[must_use]
    pub fn list(&self, lens: Lens, at: At) -> &[Ranked] {
        self.cell(at).map_or(&[], |cell| match lens {
            Lens::Logit => &cell.logit,
            Lens::Jacobian => &cell.jacobian,
        })
    }

    fn followed(&self, lens: Lens, at: At) -> Option<Ranked> {
        let cell = self.cell(at)?;
        match lens {
            Lens::Logit => cell.logit_tracked.first().copied(),
            Lens::Jacobian => cell.jacobian_tracked.first().copied(),
        }
    }

    /// Rank of the followed word, from 1.
    #[must_use]
    pub fn rank(&self, lens: Lens, at: At) -> Option<u32> {
        self.followed(lens, at).map(|followed| followed.rank + 1)
    }

    /// Rows for a list: the best words, and the followed word below them if it is not among them.
    #[must_use]
    pub fn rows(&self, lens: Lens, at: At, word: impl Fn(u32) -> String) -> Vec<Row> {
        let followed = self.followed(lens, at);
        let id = self.request.tracked.first();
        let mut list: Vec<Ranked> = self.list(lens, at).to_vec();
        list.extend(followed.filter(|f| list.iter().all(|row| row.word != f.word)));
        list.iter()
            .map(|row| ranked_row(row, id == Some(&row.word), &word))
            .collect()
    }

    /// The model's own next words at a position, best first.
    #[must_use]
    pub fn output(&self, position: usize) -> &[Ranked] {
        self.output.get(position).map_or(&[], Vec::as_slice)
    }

    /// The cell where the lens ranks the followed word best: lowest rank, then greatest probability.
    #[must_use]
    pub fn best(&self, lens: Lens) -> Option<At> {
        let key = |at: &At| {
            self.followed(lens, *at)
                .map_or((u32::MAX, 0.0), |f| (f.rank, -f.prob))
        };
        self.places().min_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        })
    }

    /// How many cells put the followed word on top, the model's own output left out.
    #[must_use]
    pub fn hits(&self, lens: Lens) -> usize {
        self.places()
            .filter(|at| at.layer + 1 < self.layers && self.rank(lens, *at) == Some(1))
            .count()
    }

    fn places(&self) -> impl Iterator<Item = At> {
        let tokens = self.tokens();
        (0..self.cells.len()).map(move |i| At {
            layer: i / tokens,
            position: i % tokens,
        })
    }

    /// What a layer is called: "embedding", "2", "8, model output".
    #[must_use]
    pub fn layer_name(&self, layer: usize) -> String {
        match layer {
            0 => "0, embedding".to_owned(),
            l if l + 1 == self.layers => format!("{l}, model output"),
            l => l.to_string(),
        }
    }

    /// What a screen reader says at a cell; begins with what is seen there, which is what people say to speech input.
    #[must_use]
    pub fn cell_label(&self, lens: Lens, at: At, word: impl Fn(u32) -> String) -> String {
        let here = self.words.get(at.position).map_or("", String::as_str);
        let top = self
            .list(lens, at)
            .first()
            .map(|row| word(row.word))
            .unwrap_or_default();
        let rank = self.rank(lens, at).unwrap_or_default();
        format!(
            "{top} {rank}: layer {}, at {}; {} is {}",
            self.layer_name(at.layer),
            quoted(here),
            quoted(&self.tracked),
            ordinal(rank)
        )
    }

    /// What the figure shows at a cell, in a sentence.
    #[must_use]
    pub fn summary(&self, at: At) -> String {
        let (Some(jacobian), Some(logit)) =
            (self.rank(Lens::Jacobian, at), self.rank(Lens::Logit, at))
        else {
            return String::new();
        };
        let here = self.words.get(at.position).map_or("", String::as_str);
        let (layer, word, here) = (
            self.layer_name(at.layer),
            quoted(&self.tracked),
            quoted(here),
        );
        if at.layer + 1 == self.layers {
            return format!(
                "Layer {layer}, at {here}: nothing is left to transport, so both lenses show the model’s own next words; {word} is {}.",
                ordinal(jacobian)
            );
        }
        let verdict = match jacobian.cmp(&logit) {
            std::cmp::Ordering::Less => "ahead of",
            std::cmp::Ordering::Equal => "level with",
            std::cmp::Ordering::Greater => "behind",
        };
        format!(
            "Layer {layer}, at {here}: the Jacobian lens has {word} {}, {verdict} the logit lens ({}).",
            ordinal(jacobian),
            ordinal(logit)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::protocol::Targets;

    fn ranked(word: u32, rank: u32) -> Ranked {
        Ranked {
            word,
            rank,
            prob: 0.5 / (rank as f32 + 1.0),
        }
    }

    /// Two tokens, three layers; the followed word 7 is on top of the J-lens at layer 1, position 1.
    fn readings() -> Readings {
        let request = ReadRequest {
            tokens: vec![0, 4],
            targets: Targets::Future,
            top: 1,
            tracked: vec![7],
        };
        let cell = |i: usize| {
            let hit = i == 3;
            Cell {
                layer: i / 2,
                position: i % 2,
                logit: vec![ranked(1, 0)],
                jacobian: vec![ranked(if hit { 7 } else { 2 }, 0)],
                logit_tracked: vec![ranked(7, 30)],
                jacobian_tracked: vec![ranked(7, if hit { 0 } else { 9 })],
            }
        };
        let output = vec![vec![ranked(3, 0)]; 2];
        Readings::new(request, (0..6).map(cell).collect(), output, |id| {
            format!("w{id}")
        })
        .unwrap()
    }

    const HIT: At = At {
        layer: 1,
        position: 1,
    };
    const OTHER: At = At {
        layer: 0,
        position: 1,
    };

    #[test]
    fn a_link_to_a_cell_beyond_the_map_shows_the_nearest() {
        let far = At {
            layer: 99,
            position: 99,
        };
        let readings = readings();
        let at = readings.inside(far);
        assert_eq!((at.layer, at.position), (2, 1));
        assert!(readings.rank(Lens::Logit, at).is_some());
        assert_eq!(readings.inside(HIT), HIT);
    }

    #[test]
    fn ranks_count_from_one() {
        let readings = readings();
        assert_eq!(readings.rank(Lens::Jacobian, HIT), Some(1));
        assert_eq!(readings.rank(Lens::Logit, HIT), Some(31));
        assert_eq!(
            readings.rank(
                Lens::Logit,
                At {
                    layer: 0,
                    position: 2
                }
            ),
            None
        );
        assert_eq!(
            (
                readings.layers,
                readings.hits(Lens::Jacobian),
                readings.hits(Lens::Logit)
            ),
            (3, 1, 0)
        );
        assert_eq!(readings.best(Lens::Jacobian), Some(HIT));
    }

    #[test]
    fn the_followed_word_is_always_listed_once() {
        let readings = readings();
        let rows = |at| readings.rows(Lens::Jacobian, at, |id| format!("w{id}"));
        assert_eq!(rows(HIT).len(), 1);
        assert!(rows(HIT)[0].tracked);
        let other = rows(OTHER);
        assert_eq!(
            (other.len(), other[1].rank, other[1].tracked),
            (2, 10, true)
        );
    }

    #[test]
    fn tints_fall_with_rank() {
        assert_eq!(
            [1, 2, 5, 6, 20, 21, 100, 101, 794].map(tint),
            [8, 7, 7, 5, 5, 3, 3, 0, 0]
        );
    }

    #[test]
    fn sentences() {
        let readings = readings();
        let said = readings.summary(HIT);
        assert!(
            said.contains("“w7” 1st, ahead of the logit lens (31st)"),
            "{said}"
        );
        assert!(
            readings
                .summary(At {
                    layer: 2,
                    position: 0
                })
                .contains("model output")
        );
        let label = readings.cell_label(Lens::Jacobian, HIT, |id| format!("w{id}"));
        assert_eq!(label, "w7 1: layer 1, at “w4”; “w7” is 1st");
        assert_eq!(readings.layer_name(0), "0, embedding");
    }

    #[test]
    fn answers_that_do_not_fit_are_refused() {
        let good = readings();
        let build = |cells: Vec<Cell>, output| {
            Readings::new(good.request.clone(), cells, output, |id| id.to_string())
        };
        assert!(build(good.cells.clone(), good.output.clone()).is_some());
        assert!(build(good.cells[..5].to_vec(), good.output.clone()).is_none());
        assert!(build(good.cells.clone(), vec![]).is_none());
        let mut mixed = good.cells.clone();
        mixed.swap(0, 1);
        assert!(build(mixed, good.output.clone()).is_none());
    }
}
