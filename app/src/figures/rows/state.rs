//! The settings of Figure 6, and what a backward pass has brought. Plain data and the sentences said about it.

use crate::figures::bench::{Prompted, Room, Settings, Spot};
use crate::figures::grid::{At, GridCell};
use crate::figures::numbers::small;
use crate::figures::text::quoted;
use engine::protocol::{Covector, Rows, RowsRequest};

/// What is asked of the last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// One coordinate.
    Coordinate,
    /// A word's unembedding vector.
    Word,
}

/// Everything that the reader can set.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The sentence; its position is the target.
    pub spot: Spot,
    /// What is asked.
    pub ask: Ask,
    /// The coordinate.
    pub coordinate: usize,
    /// The word.
    pub word: String,
    /// The cell whose row is shown.
    pub at: At,
}

impl Chosen {
    /// The sentence of Figure 1 with a shorter filler, seen from its last token.
    #[must_use]
    pub fn spider() -> Self {
        let prompt = "the number of legs on the animal that spins webs , let me think , is";
        Self {
            spot: Spot::new(prompt, 16),
            ask: Ask::Coordinate,
            coordinate: 12,
            word: "8".into(),
            at: At {
                layer: 2,
                position: 12,
            },
        }
    }

    /// A target in the middle: the tokens after it are out of reach.
    #[must_use]
    pub fn middle() -> Self {
        let mut chosen = Self::spider();
        chosen.spot.position = 10;
        (chosen.ask, chosen.word) = (Ask::Word, "spider".into());
        chosen.at.position = 9;
        chosen
    }

    /// A short question.
    #[must_use]
    pub fn paris() -> Self {
        let prompt = "the capital of the country that built the eiffel tower is";
        Self {
            spot: Spot::new(prompt, 11),
            ask: Ask::Word,
            word: "paris".into(),
            at: At {
                layer: 2,
                position: 10,
            },
            ..Self::spider()
        }
    }
}

impl Settings for Chosen {
    fn to_link(&self) -> String {
        let ask = match self.ask {
            Ask::Coordinate => "coordinate",
            Ask::Word => "word",
        };
        let (
            At { layer, position },
            Spot {
                prompt,
                position: target,
            },
        ) = (self.at, &self.spot);
        format!(
            "{ask};{};{};{layer};{position};{target};{prompt}",
            self.coordinate, self.word
        )
    }

    fn from_link(text: &str) -> Option<Self> {
        let mut parts = text.splitn(7, ';');
        let mut next = || parts.next();
        let ask = match next()? {
            "coordinate" => Ask::Coordinate,
            "word" => Ask::Word,
            _ => return None,
        };
        Some(Self {
            ask,
            coordinate: next()?.parse().ok()?,
            word: next()?.to_owned(),
            at: At {
                layer: next()?.parse().ok()?,
                position: next()?.parse().ok()?,
            },
            spot: Spot::from_link(next()?, next()?)?,
        })
    }

    fn keep_inside(&mut self, room: Room) {
        self.coordinate = self.coordinate.min(room.width.saturating_sub(1));
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

/// What a backward pass has brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// What was asked.
    pub request: RowsRequest,
    /// The word of each position.
    pub words: Vec<String>,
    /// Name of what was asked, for sentences.
    pub asked: String,
    /// Residual states, the embedding counted.
    pub layers: usize,
    /// Width.
    pub d: usize,
    answer: Rows,
    lengths: Vec<f32>,
    greatest: f32,
}

impl Flow {
    /// Puts an answer together; `None` if it does not fit the request.
    #[must_use]
    pub fn new(request: RowsRequest, answer: Rows, word: impl Fn(u32) -> String) -> Option<Self> {
        let (t, d) = (request.tokens.len(), answer.output.len());
        let layers = answer.gradients.len().checked_div(t * d)?;
        if layers < 2 || answer.gradients.len() != layers * t * d || request.target >= t {
            return None;
        }
        let length = |g: &[f32]| g.iter().map(|x| x * x).sum::<f32>().sqrt();
        let lengths: Vec<f32> = answer.gradients.chunks_exact(d).map(length).collect();
        Some(Self {
            words: request.tokens.iter().map(|&token| word(token)).collect(),
            asked: match request.covector {
                Covector::Coordinate(i) => format!("output coordinate {i}"),
                Covector::Word(w) => format!("the score of {}", quoted(&word(w))),
            },
            // The embedding's vectors are short, so its gradients are long: they would leave no tint for the others.
            greatest: lengths[t..].iter().copied().fold(0.0, f32::max),
            request,
            layers,
            d,
            answer,
            lengths,
        })
    }

    /// The nearest cell that there is: the prompt may have become shorter, and a link may ask for any.
    #[must_use]
    pub fn inside(&self, at: At) -> At {
        at.inside(self.layers, self.words.len())
    }

    /// What the row at a cell is called.
    #[must_use]
    pub fn row_name(&self, at: At) -> String {
        let row = match self.request.covector {
            Covector::Coordinate(i) => format!("Row {i} of J"),
            Covector::Word(_) => "The row uᵀJ".to_owned(),
        };
        let word = self.words.get(at.position).map_or("", String::as_str);
        format!("{row} from layer {}, at {}", at.layer, quoted(word))
    }

    fn index(&self, at: At) -> Option<usize> {
        let inside = at.layer < self.layers && at.position < self.words.len();
        inside.then_some(at.layer * self.words.len() + at.position)
    }

    /// Length of the gradient at a cell.
    #[must_use]
    pub fn length(&self, at: At) -> f32 {
        self.index(at).map_or(0.0, |i| self.lengths[i])
    }

    /// The gradient at a cell: a row of numbers, `[D]`.
    #[must_use]
    pub fn row(&self, at: At) -> &[f32] {
        self.index(at)
            .map_or(&[], |i| &self.answer.gradients[i * self.d..][..self.d])
    }

    /// The last state at the target, `[D]`.
    #[must_use]
    pub fn output(&self) -> &[f32] {
        &self.answer.output
    }

    /// The tint of a cell: none for an exact zero, one step for each factor of two up to 8, and 9 for what is off the scale: at
    /// the embedding, lengths may be greater than all that the scale is made for.
    #[must_use]
    pub fn heat(&self, at: At) -> u8 {
        let share = self.length(at) / self.greatest.max(f32::MIN_POSITIVE);
        match share {
            s if s <= 0.0 => 0,
            s if s > 1.0 => 9,
            s => (8.0 + s.log2().ceil()).clamp(1.0, 8.0) as u8,
        }
    }

    /// A cell of the grid.
    #[must_use]
    pub fn cell(&self, at: At) -> GridCell {
        let length = f64::from(self.length(at));
        let text = if length == 0.0 {
            "0".to_owned()
        } else {
            brief(length)
        };
        let here = self.words.get(at.position).map_or("", String::as_str);
        GridCell {
            label: format!(
                "{text}: length of the gradient at layer {}, {}",
                at.layer,
                quoted(here)
            ),
            text,
            note: String::new(),
            heat: self.heat(at),
            hit: at.layer + 1 == self.layers && at.position == self.request.target,
        }
    }

    /// The greatest length at tokens after the target: what causality forbids.
    #[must_use]
    pub fn beyond(&self) -> f32 {
        let t = self.words.len();
        let later = |&(i, _): &(usize, &f32)| i % t > self.request.target;
        let all = self.lengths.iter().enumerate().filter(later);
        all.map(|(_, &length)| length).fold(0.0, f32::max)
    }

    /// What the figure shows at a cell, in a sentence.
    #[must_use]
    pub fn summary(&self, at: At) -> String {
        let word = |n: usize| quoted(self.words.get(n).map_or("", String::as_str));
        let (here, target) = (word(at.position), word(self.request.target));
        let length = f64::from(self.length(at));
        let asked = &self.asked;
        match (at.position > self.request.target, length == 0.0) {
            (true, true) => format!(
                "Layer {}, at {here}: exactly 0. {here} comes after {target}, and no later token can change {asked} there.",
                at.layer
            ),
            (false, true) => format!(
                "Layer {}, at {here}: exactly 0. There is no way from here to {target} in the blocks that are left.",
                at.layer
            ),
            _ => format!(
                "Layer {}, at {here}: the gradient of {asked} at {target} has length {}.",
                at.layer,
                small(length)
            ),
        }
    }

    /// What it has cost: milliseconds of the forward and of the backward pass, medians of so many.
    #[must_use]
    pub fn cost(&self) -> ([String; 2], u32) {
        let Rows {
            forward_ms,
            backward_ms,
            repeats,
            ..
        } = self.answer;
        (
            [forward_ms, backward_ms].map(|ms| format!("{ms:.1} ms")),
            repeats,
        )
    }
}

/// Two digits that count, as in the sentence, but no more than three decimals.
fn brief(length: f64) -> String {
    match length {
        l if l >= 9.95 => format!("{l:.0}"),
        l if l >= 0.995 => format!("{l:.1}"),
        l if l >= 0.0995 => format!("{l:.2}"),
        l if l >= 0.0005 => format!("{l:.3}"),
        _ => "<.001".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tokens, two layers, width 2; the target is the first token.
    fn flow() -> Flow {
        let request = RowsRequest {
            tokens: vec![4, 5],
            target: 0,
            covector: Covector::Coordinate(1),
        };
        let answer = Rows {
            gradients: vec![0.3, 0.4, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            output: vec![2.0, 3.0],
            forward_ms: 1.0,
            backward_ms: 2.0,
            repeats: 5,
        };
        Flow::new(request, answer, |id| format!("w{id}")).unwrap()
    }

    const fn at(layer: usize, position: usize) -> At {
        At { layer, position }
    }

    #[test]
    fn lengths_tints_and_sentences() {
        let flow = flow();
        assert_eq!((flow.layers, flow.d), (2, 2));
        assert_eq!(flow.row(at(0, 0)), [0.3, 0.4]);
        assert!((flow.length(at(0, 0)) - 0.5).abs() < 1e-6);
        assert_eq!(
            [
                flow.heat(at(1, 0)),
                flow.heat(at(0, 0)),
                flow.heat(at(0, 1))
            ],
            [8, 7, 0]
        );
        assert_eq!(flow.beyond(), 0.0);
        assert!(flow.summary(at(0, 1)).contains("comes after “w4”"));
        assert!(
            flow.summary(at(0, 0)).contains("has length 0.50"),
            "{}",
            flow.summary(at(0, 0))
        );
        assert!(flow.cell(at(0, 0)).text == "0.50" && flow.cell(at(1, 0)).hit);
        assert_eq!(flow.row(at(7, 0)), [0.0; 0]);
    }

    #[test]
    fn after_a_shorter_prompt_the_nearest_cell_is_looked_at() {
        let flow = flow();
        let near = flow.inside(at(2, 12));
        assert_eq!(near, at(1, 1));
        assert_eq!(flow.inside(at(0, 1)), at(0, 1));
        let said = flow.summary(near);
        assert!(said.contains("at “w5”") && !said.contains("“”"), "{said}");
        assert_eq!(flow.row(near).len(), 2);
    }

    #[test]
    fn a_coordinate_beyond_the_model_becomes_its_last() {
        let mut chosen = Chosen::spider();
        chosen.coordinate = 500;
        chosen.keep_inside(Room { last: 7, width: 96 });
        assert_eq!(chosen.coordinate, 95);
        // The row is named after what was asked, which may not be what is asked now.
        assert_eq!(
            flow().row_name(at(0, 1)),
            "Row 1 of J from layer 0, at “w5”"
        );
    }

    #[test]
    fn the_embedding_may_be_off_the_scale() {
        let mut answer = flow().answer;
        (answer.gradients[0], answer.gradients[1]) = (3.0, 4.0);
        let flow = Flow::new(flow().request, answer, |_| String::new()).unwrap();
        assert_eq!([flow.heat(at(0, 0)), flow.heat(at(1, 0))], [9, 8]);
        assert_eq!(
            [16.2, 2.04, 0.367, 0.0341, 0.002, 0.0002].map(brief),
            ["16", "2.0", "0.37", "0.034", "0.002", "<.001"]
        );
    }

    #[test]
    fn answers_that_do_not_fit_are_refused() {
        let good = flow();
        let mut cut = good.answer.clone();
        cut.gradients.pop();
        assert!(Flow::new(good.request.clone(), cut, |_| String::new()).is_none());
        let mut empty = good.answer.clone();
        empty.output.clear();
        assert!(Flow::new(good.request.clone(), empty, |_| String::new()).is_none());
    }

    #[test]
    fn links_lead_back() {
        for chosen in [Chosen::spider(), Chosen::middle(), Chosen::paris()] {
            assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen));
        }
        for text in ["", "word;1", "sum;1;8;2;3;4;the", "word;x;8;2;3;4;the"] {
            assert_eq!(Chosen::from_link(text), None, "{text}");
        }
    }
}
