//! One layer at a time: the unspoken animal swapped, and the answer swapped. Which works earlier? Plain data.

use super::counts::result;
use crate::figures::lines::Curve;
use crate::figures::stored::Stored;
use engine::protocol::{Count, EditMode, SwapCountsRequest, Targets, TestSet, Vectors};
use std::collections::BTreeMap;

/// What is swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The unspoken animal.
    Bridge,
    /// The answer.
    Answer,
}

impl What {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Bridge, Self::Answer];

    /// Name in the rows of the report.
    const fn id(self) -> &'static str {
        match self {
            Self::Bridge => "bridge",
            Self::Answer => "answer",
        }
    }
}

/// Counts by layer and what is swapped.
pub type Counts = BTreeMap<(usize, What), Count>;

/// The counts to make in layers 1 ..= `last`, in order.
#[must_use]
pub fn plan(last: usize, filler: bool) -> Vec<((usize, What), SwapCountsRequest)> {
    let order = |layer: usize, what: What| {
        let request = SwapCountsRequest {
            set: match what {
                What::Bridge => TestSet::Animals { filler },
                What::Answer => TestSet::AnimalAnswers { filler },
            },
            band: [layer, layer],
            vectors: Vectors::Jacobian(Targets::All),
            centred: false,
            mode: EditMode::SwapClamped,
        };
        ((layer, what), request)
    };
    (1..=last)
        .flat_map(|layer| What::BOTH.map(|what| order(layer, what)))
        .collect()
}

/// The stored counts, of the model with the window on questions without filler.
#[must_use]
pub fn kept(row: impl Fn(&str) -> Option<Stored>) -> Counts {
    let one = |layer: usize, what: What| {
        let found = row(&format!("sweep.animals.plain.{}.layer{layer}", what.id()))?;
        let [low, high] = found.interval.unwrap_or([found.value; 2]);
        let count = Count {
            hits: found.hits(),
            n: found.n,
            low: low as f32,
            high: high as f32,
        };
        Some(((layer, what), count))
    };
    (1..9)
        .flat_map(|layer| What::BOTH.map(|what| one(layer, what)))
        .flatten()
        .collect()
}

fn share(count: &Count) -> f64 {
    f64::from(count.hits) / f64::from(count.n.max(1))
}

/// Success over the layers, one curve for each.
#[must_use]
pub fn curves(counts: &Counts) -> Vec<Curve> {
    let curve = |idea, name: &str, what: What| Curve {
        idea,
        name: name.to_owned(),
        ghost: false,
        points: counts
            .iter()
            .filter(|((_, of), _)| *of == what)
            .map(|((layer, _), count)| [*layer as f64, share(count)])
            .collect(),
    };
    vec![
        curve("token", "the unspoken animal swapped", What::Bridge),
        curve("output", "the answer swapped", What::Answer),
    ]
}

/// What the sweep shows, in a sentence: where each works best.
#[must_use]
pub fn summary(counts: &Counts) -> String {
    let best = |what: What| {
        let of = counts.iter().filter(|((_, of), _)| *of == what);
        // the lowest of equals
        of.rev().max_by(|a, b| share(a.1).total_cmp(&share(b.1)))
    };
    match (best(What::Bridge), best(What::Answer)) {
        (Some(((a, _), bridge)), Some(((b, _), answer))) => format!(
            "Swapping the unspoken animal works best in layer {a} ({}), swapping the answer in layer {b} ({}).",
            result(bridge),
            result(answer)
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(hits: u32) -> Count {
        Count {
            hits,
            n: 10,
            low: 0.0,
            high: 1.0,
        }
    }

    #[test]
    fn every_layer_is_asked_for_both() {
        let plan = plan(7, true);
        assert_eq!(plan.len(), 14);
        assert_eq!(plan[3].1.set, TestSet::AnimalAnswers { filler: true });
        assert_eq!((plan[3].1.band, plan[3].0), ([2, 2], (2, What::Answer)));
    }

    #[test]
    fn the_lowest_of_the_best_layers_is_named() {
        let counts = Counts::from([
            ((1, What::Bridge), count(2)),
            ((2, What::Bridge), count(9)),
            ((3, What::Bridge), count(9)),
            ((3, What::Answer), count(5)),
            ((4, What::Answer), count(7)),
        ]);
        let said = summary(&counts);
        assert!(said.contains("animal works best in layer 2"), "{said}");
        assert!(said.contains("answer in layer 4"), "{said}");
        assert_eq!(curves(&counts)[1].points, [[3.0, 0.5], [4.0, 0.7]]);
        assert_eq!(summary(&Counts::new()), "");
    }

    #[test]
    fn the_page_quotes_whole_counts() {
        let row = |id: &str| {
            (id == "sweep.animals.plain.bridge.layer2").then_some(Stored {
                value: 0.75,
                n: 404,
                interval: None,
            })
        };
        let counts = kept(row);
        assert_eq!(counts[&(2, What::Bridge)].hits, 303);
        assert_eq!(counts.len(), 1);
    }
}
