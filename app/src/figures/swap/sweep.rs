//! One layer at a time: the unspoken animal swapped, and the answer swapped. Which works earlier?

use super::counts::result;
use super::settings::Task;
use super::wire::Swap;
use crate::client::{Client, Command, Reply};
use crate::figures::chart::Axis;
use crate::figures::job::{Job, JobBar};
use crate::figures::lines::{Curve, Curves};
use crate::figures::parts::DataTable;
use crate::figures::stored::{Stored, stored};
use engine::protocol::{Count, EditMode, SwapCountsRequest, Targets, TestSet, Vectors};
use leptos::prelude::*;
use smallworld::Family;
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
fn kept(row: impl Fn(&str) -> Option<Stored>) -> Counts {
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

fn curves(counts: &Counts) -> Vec<Curve> {
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

/// The panel; only for questions about animals, whose answers can be swapped as well.
#[component]
pub fn Sweep(
    /// The laboratory.
    swap: Swap,
) -> impl IntoView {
    let here = RwSignal::new(Counts::new());
    let job = Job::default();
    let of = swap.get(|s| (s.windowless, s.lab().filler));
    let shown = swap.get(|s| s.task == Task::Recall && s.lab().family == Family::Animals);
    // what was counted for another model or other questions says nothing about these
    Effect::new(move |before: Option<()>| {
        of.track();
        if before.is_some() {
            job.stop();
            here.set(Counts::new());
        }
    });
    let counts = Memo::new(move |_| {
        let here = here.get();
        if here.is_empty() && of.get() == (false, false) {
            return kept(stored);
        }
        here
    });
    let start = move |()| {
        here.set(Counts::new());
        let client = untrack(move || swap.client());
        let last = untrack(move || client.model()).map_or(7, |m| m.info.n_layers - 1);
        next(client, job, here, plan(last, of.get_untracked().1));
    };
    view! {
        <Show when=move || shown.get()>
            <div class="panel stack swap-sweep">
                <h4 class="panel-title">"One layer at a time"</h4>
                <p class="panel-note">
                    "All test questions about animals, lens vectors of all targets, clamped. Either the unspoken animal or the answer is swapped."
                </p>
                <JobBar job=job label="Count every layer in this tab" on_start=start />
                <Chart counts=counts />
                <Said counts=counts here=here />
                <Table counts=counts />
            </div>
        </Show>
    }
}

/// Makes the first of the counts, then the others.
fn next(
    client: Client,
    job: Job,
    here: RwSignal<Counts>,
    mut rest: Vec<((usize, What), SwapCountsRequest)>,
) {
    if rest.is_empty() {
        return;
    }
    let (at, request) = rest.remove(0);
    job.start(client, Command::SwapCounts(request), move |reply| {
        if let Reply::SwapCounts(count) = reply {
            here.try_update(|all| all.insert(at, count));
            next(client, job, here, rest.clone());
        }
    });
}

#[component]
fn Chart(counts: Memo<Counts>) -> impl IntoView {
    let axis = |name, range, ticks| Axis {
        range,
        log: false,
        name,
        ticks,
    };
    let axes = [
        axis("layer", [1.0, 7.0], 7),
        axis("share of trials", [0.0, 1.0], 6),
    ];
    view! {
        <Curves
            label="Success of swaps in single layers; the numbers are in the table"
            axes=Signal::stored(axes)
            curves=Signal::derive(move || counts.with(curves))
        />
    }
}

#[component]
fn Said(counts: Memo<Counts>, here: RwSignal<Counts>) -> impl IntoView {
    let text = Memo::new(move |_| counts.with(summary));
    let from = move || match (here.with(Counts::is_empty), counts.with(Counts::is_empty)) {
        (false, _) => "counted in this tab",
        (true, false) => "as stored with this page",
        (true, true) => "not counted yet",
    };
    view! {
        <p class="summary-line" role="status">{text}</p>
        <p class="panel-note"><span class="live">"numbers"</span> " " {from}</p>
    }
}

#[component]
fn Table(counts: Memo<Counts>) -> impl IntoView {
    let rows = Signal::derive(move || {
        counts.with(|counts| {
            let cell = |layer, what| {
                counts
                    .get(&(layer, what))
                    .map_or_else(|| "–".to_owned(), result)
            };
            let row = |layer: usize| {
                let [a, b] = What::BOTH.map(|what| cell(layer, what));
                vec![layer.to_string(), a, b]
            };
            let layers: std::collections::BTreeSet<usize> =
                counts.keys().map(|(layer, _)| *layer).collect();
            layers.into_iter().map(row).collect::<Vec<_>>()
        })
    });
    let heads = ["layer", "animal swapped", "answer swapped"]
        .map(str::to_owned)
        .to_vec();
    view! { <DataTable caption="Successes by layer" heads=Signal::stored(heads) rows=rows /> }
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
