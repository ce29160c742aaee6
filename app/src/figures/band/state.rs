//! The settings of Figure 18 and what its charts show. Plain data.

use crate::figures::bench::Settings;
use crate::figures::lines::Curve;
use crate::figures::numbers::number;
use crate::figures::stored::Stored;
use crate::figures::text::{percent, target_from, target_id};
use engine::protocol::{Band, Targets};

/// What the reader can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Which Jacobian lens stands beside the logit lens.
    pub targets: Targets,
    /// The bridge on top, or among the first so many.
    pub best: u32,
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            targets: Targets::Future,
            best: 1,
        }
    }
}

impl Settings for Chosen {
    fn to_link(&self) -> String {
        format!("{};{}", target_id(self.targets), self.best)
    }

    fn from_link(text: &str) -> Option<Self> {
        let (targets, best) = text.split_once(';')?;
        let best = best.parse().ok().filter(|best| [1, 5].contains(best))?;
        let targets = target_from(targets).filter(|t| *t != Targets::Same)?;
        Some(Self { targets, best })
    }
}

/// One layer in shares and bits; pairs are `[Jacobian lens, logit lens]`. What is not known is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Layer {
    /// Both lenses name the same word first.
    pub agree: Option<f64>,
    /// Each names the model's own next word first.
    pub output: [Option<f64>; 2],
    /// Entropy in bits.
    pub entropy: [Option<f64>; 2],
    /// The bridge among the best.
    pub bridge: [Option<f64>; 2],
    /// Another animal's name among the best, through the Jacobian lens.
    pub wrong: Option<f64>,
}

/// All layers, and whose they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers {
    /// Layers 0 ..= L.
    pub layers: Vec<Layer>,
    /// Positions of text.
    pub positions: u32,
    /// Questions.
    pub prompts: u32,
    /// Counted in this tab, not read from the page.
    pub here: bool,
}

impl Layers {
    /// What the page quotes.
    #[must_use]
    pub fn stored(chosen: Chosen, row: impl Fn(&str) -> Option<Stored>) -> Self {
        let (lens, k) = (lens_name(chosen.targets), chosen.best);
        let value = |id: String| row(&id).map(|s| s.value);
        let pair = |id: String| [value(id.clone()), value(format!("{id}#baseline"))];
        let of = |layer: usize| Layer {
            agree: value(format!("agree.{lens}.logit.layer{layer}")),
            output: pair(format!("agree.{lens}.output.layer{layer}")),
            entropy: pair(format!("entropy.{lens}.layer{layer}")),
            bridge: pair(format!("read.animals.filler.{lens}.layer{layer}.hit{k}")),
            wrong: value(format!(
                "read.animals.filler.{lens}.wrong.layer{layer}.hit{k}"
            )),
        };
        let there = |layer: &usize| row(&format!("entropy.{lens}.layer{layer}")).is_some();
        let n = |id: String| row(&id).map_or(0, |s| s.n);
        Self {
            layers: (0..).take_while(there).map(of).collect(),
            positions: n(format!("entropy.{lens}.layer0")),
            prompts: n(format!("read.animals.filler.{lens}.layer1.hit{k}")),
            here: false,
        }
    }

    /// What was counted here.
    #[must_use]
    pub fn counted(band: &Band, best: u32) -> Self {
        let share = |hits: u32, of: u32| Some(f64::from(hits) / f64::from(of.max(1)));
        let output = band.layers.len().saturating_sub(1);
        let of = |(layer, seen): (usize, &engine::protocol::BandLayer)| {
            // At the output both lenses are one, and what is read there is no longer unspoken. It is not stored either.
            let below = |found: Option<f64>| found.filter(|_| layer < output);
            let (bridge, wrong) = if best == 1 {
                (seen.first, seen.wrong_first)
            } else {
                (seen.five, seen.wrong_five)
            };
            Layer {
                agree: share(seen.agree, band.positions),
                output: seen.output.map(|hits| share(hits, band.positions)),
                entropy: seen.entropy.map(|bits| Some(f64::from(bits))),
                bridge: bridge.map(|hits| below(share(hits, band.prompts))),
                wrong: below(share(wrong[0], band.prompts)),
            }
        };
        Self {
            layers: band.layers.iter().enumerate().map(of).collect(),
            positions: band.positions,
            prompts: band.prompts,
            here: true,
        }
    }

    /// A curve over the layers.
    #[must_use]
    pub fn curve(
        &self,
        idea: &'static str,
        name: &str,
        pick: impl Fn(&Layer) -> Option<f64>,
    ) -> Curve {
        let point = |(layer, seen): (usize, &Layer)| Some([layer as f64, pick(seen)?]);
        Curve {
            idea,
            name: name.to_owned(),
            ghost: idea.is_empty(),
            points: self.layers.iter().enumerate().filter_map(point).collect(),
        }
    }

    /// Layers in which the Jacobian lens finds the bridge in half of the questions or more, first and last.
    #[must_use]
    pub fn band(&self) -> Option<[usize; 2]> {
        let found = |layer: &Layer| layer.bridge[0].is_some_and(|share| share >= 0.5);
        let first = self.layers.iter().position(found)?;
        let last = self.layers.iter().rposition(found)?;
        Some([first, last])
    }

    /// The figure in a sentence.
    #[must_use]
    pub fn summary(&self, best: u32) -> String {
        let what = if best == 1 {
            "puts the unspoken word first"
        } else {
            "has the unspoken word among its first five"
        };
        let band = match self.band() {
            Some([a, b]) if a == b => format!(
                "The Jacobian lens {what} in at least half of the questions in layer {a} only"
            ),
            Some([a, b]) => format!(
                "The Jacobian lens {what} in at least half of the questions from layer {a} to layer {b}"
            ),
            None => {
                format!("In no layer does the Jacobian lens reach half: it nowhere {what} so often")
            }
        };
        let entropy = |i: usize| {
            let ends = [
                self.layers.first(),
                self.layers.get(self.layers.len().saturating_sub(2)),
            ];
            ends.map(|layer| {
                layer
                    .and_then(|l| l.entropy[i])
                    .map_or_else(|| "?".to_owned(), |bits| number(bits, 1))
            })
        };
        let ([a, b], [c, d]) = (entropy(0), entropy(1));
        format!(
            "{band}. The entropy of its readout goes from {a} bits at the embedding to {b} below the output, that of the logit lens from {c} to {d}."
        )
    }

    /// Rows of the data table.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<String>> {
        let share = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| percent(x as f32));
        let bits = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| number(x, 2));
        let row = |(layer, seen): (usize, &Layer)| {
            vec![
                layer.to_string(),
                share(seen.agree),
                share(seen.output[0]),
                share(seen.output[1]),
                bits(seen.entropy[0]),
                bits(seen.entropy[1]),
                share(seen.bridge[0]),
                share(seen.bridge[1]),
                share(seen.wrong),
            ]
        };
        self.layers.iter().enumerate().map(row).collect()
    }
}

/// A lens's name in the ids of the report.
const fn lens_name(targets: Targets) -> &'static str {
    match targets {
        Targets::All => "full",
        Targets::Same => "same",
        Targets::Future => "future",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::protocol::BandLayer;

    #[test]
    fn links_lead_back() {
        for (targets, best) in [(Targets::All, 1), (Targets::Future, 5)] {
            let chosen = Chosen { targets, best };
            assert_eq!(Chosen::from_link(&chosen.to_link()), Some(chosen));
        }
        for text in ["", "all", "all;2", "same;1", "future;x"] {
            assert_eq!(Chosen::from_link(text), None, "{text}");
        }
    }

    #[test]
    fn the_page_is_read_layer_by_layer() {
        let row = |id: &str| {
            let value = match id {
                "entropy.future.layer0" | "entropy.future.layer1" => 4.0,
                "entropy.future.layer1#baseline" => 7.0,
                "read.animals.filler.future.layer1.hit5" => 0.75,
                "read.animals.filler.future.wrong.layer1.hit5" => 0.1,
                _ => return None,
            };
            Some(Stored {
                value,
                n: 65,
                interval: None,
            })
        };
        let chosen = Chosen {
            best: 5,
            ..Chosen::default()
        };
        let layers = Layers::stored(chosen, row);
        assert_eq!((layers.layers.len(), layers.prompts), (2, 65));
        assert_eq!(layers.layers[1].entropy, [Some(4.0), Some(7.0)]);
        assert_eq!(layers.band(), Some([1, 1]));
        let curve = layers.curve("transport", "x", |l| l.bridge[0]);
        assert_eq!(curve.points, [[1.0, 0.75]]);
        assert!(layers.summary(5).contains("in layer 1 only"));
        assert_eq!(layers.rows()[0][6], "–");
    }

    #[test]
    fn counts_become_shares() {
        let seen = BandLayer {
            agree: 5,
            first: [2, 1],
            five: [4, 3],
            entropy: [1.5, 2.5],
            ..BandLayer::default()
        };
        let band = Band {
            positions: 10,
            prompts: 4,
            layers: vec![BandLayer::default(), seen, seen],
        };
        let one = Layers::counted(&band, 1);
        assert_eq!(one.layers[1].bridge, [Some(0.5), Some(0.25)]);
        assert_eq!(one.layers[1].agree, Some(0.5));
        let five = Layers::counted(&band, 5);
        assert_eq!(five.layers[1].bridge[0], Some(1.0));
        assert!(five.here);
        let at_the_output = five.layers[2];
        assert_eq!(
            (
                at_the_output.bridge,
                at_the_output.wrong,
                at_the_output.agree
            ),
            ([None, None], None, Some(0.5)),
            "the chart of the bridge ends below it"
        );
        assert!(
            Layers::counted(
                &Band {
                    layers: vec![],
                    ..band
                },
                1
            )
            .summary(1)
            .contains("In no layer")
        );
    }
}
