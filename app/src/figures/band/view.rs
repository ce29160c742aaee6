//! The figure: three charts over the layers, from the page at once, from this tab on request.

use super::state::{Chosen, Layers};
use crate::client::{Client, Command, Reply};
use crate::controls::{Button, Segmented};
use crate::figures::bench::Bench;
use crate::figures::chart::Axis;
use crate::figures::data_table::DataTable;
use crate::figures::history::PRESS;
use crate::figures::job::{Job, JobBar};
use crate::figures::lines::{Curve, Curves};
use crate::figures::plane::SummaryLine;
use crate::figures::stored::stored;
use crate::figures::text::target_id;
use engine::protocol::{Band, BandRequest, Targets};
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Results of this tab by lens.
type Here = RwSignal<BTreeMap<Targets, Band>>;
type Shown = Memo<Arc<Layers>>;

/// Figure 18.
#[component]
pub fn BandFigure(
    /// Line to the worker with the model.
    client: Client,
) -> impl IntoView {
    let bench = Bench::new(client, "band", Chosen::default());
    let here: Here = RwSignal::new(BTreeMap::new());
    let job = Job::default();
    let chosen = bench.get(|s| *s);
    let shown: Shown = Memo::new(move |_| {
        let chosen = chosen.get();
        let counted = here.with(|all| {
            all.get(&chosen.targets)
                .map(|band| Layers::counted(band, chosen.best))
        });
        Arc::new(counted.unwrap_or_else(|| Layers::stored(chosen, stored)))
    });
    let start = move |()| {
        let targets = chosen.get_untracked().targets;
        let command = Command::Band(BandRequest { targets });
        job.start(client, command, move |reply| {
            if let Reply::Band(band) = reply {
                here.try_update(|all| all.insert(targets, band));
            }
        });
    };
    let reset = move |()| {
        job.stop();
        bench.settings.update(|s| s.reset());
    };
    bench.frame_of_stored(
        move || here.with(|all| all.contains_key(&chosen.get().targets)),
        move || {
            view! {
                <div class="job-line">
                <div class="toolbar" role="group" aria-label="Lens and rank">
                    <Segmented
                        legend="Jacobian lens looks at"
                        name="band-targets"
                        options=vec![(Targets::All, "all targets"), (Targets::Future, "future only")]
                        value=bench.get(|s| s.targets)
                        on_change=move |targets| {
                            job.stop();
                            bench.change(PRESS, |s| s.targets = targets);
                        }
                    />
                    <Segmented
                        legend="The unspoken word is"
                        name="band-best"
                        options=vec![(1, "on top"), (5, "among the first five")]
                        value=bench.get(|s| s.best)
                        on_change=move |best| bench.change(PRESS, |s| s.best = best)
                    />
                    <Button label="Reset" on_press=reset />
                </div>
                <JobBar job=job label="Measure all layers in this tab" on_start=start />
                </div>
                <Charts shown=shown chosen=chosen />
                <Said shown=shown chosen=chosen />
                <Table shown=shown />
            }
        },
    )
}

#[component]
fn Charts(shown: Shown, chosen: Signal<Chosen>) -> impl IntoView {
    let agreement = move |s: &Layers| {
        vec![
            s.curve("token", "the same word in both lenses", |l| l.agree),
            s.curve(
                "transport",
                "in the Jacobian lens, what the model says",
                |l| l.output[0],
            ),
            s.curve(
                "activation",
                "in the logit lens, what the model says",
                |l| l.output[1],
            ),
        ]
    };
    let entropy = move |s: &Layers| {
        vec![
            s.curve("transport", "Jacobian lens", |l| l.entropy[0]),
            s.curve("activation", "logit lens", |l| l.entropy[1]),
        ]
    };
    let bridge = move |s: &Layers| {
        vec![
            s.curve("transport", "Jacobian lens", |l| l.bridge[0]),
            s.curve("activation", "logit lens", |l| l.bridge[1]),
            s.curve("", "another animal, in the Jacobian lens", |l| l.wrong),
        ]
    };
    let third = move || match chosen.get().best {
        1 => "The unspoken word on top",
        _ => "The unspoken word among the first five",
    };
    view! {
        <div class="figure-cols-3">
            <Chart shown=shown title="What stands on top" axis=("share of positions", 1.0) curves=agreement />
            <Chart shown=shown title="Entropy of the readout" axis=("bits", 6.0) curves=entropy />
            <Chart shown=shown title=Signal::derive(move || third().to_owned()) axis=("share of questions", 1.0) curves=bridge />
        </div>
    }
}

#[component]
fn Chart(
    shown: Shown,
    #[prop(into)] title: Signal<String>,
    axis: (&'static str, f64),
    curves: impl Fn(&Layers) -> Vec<Curve> + Send + Sync + 'static,
) -> impl IntoView {
    let curves = Memo::new(move |_| shown.with(|s| curves(s)));
    let axes = Signal::derive(move || {
        // not beyond what is known: the unspoken word is not stored for the output
        let ends = |curve: &Curve| curve.points.last().map(|point| point[0]);
        let last = curves.with(|all| all.iter().filter_map(ends).fold(1.0, f64::max));
        let of = |name, top, ticks| Axis::linear(name, [0.0, top], ticks);
        [of("layer", last, 9), of(axis.0, axis.1, 6)]
    });
    let label = Signal::derive(move || {
        format!(
            "{} over the layers; the numbers are in the table",
            title.get()
        )
    });
    view! {
        <div>
            <h4 class="panel-title">{title}</h4>
            <Curves label=label axes=axes curves=curves size=[400, 320] />
        </div>
    }
}

#[component]
fn Said(shown: Shown, chosen: Signal<Chosen>) -> impl IntoView {
    let text = Memo::new(move |_| shown.with(|s| s.summary(chosen.get().best)));
    let from = move || {
        shown.with(|s| {
            let source = if s.here { "measured in this tab" } else { "as stored with this page" };
            format!(
                "{source}: {} positions of fresh text, {} test questions about animals with a filler phrase.",
                s.positions, s.prompts
            )
        })
    };
    let here = move || shown.with(|s| s.here.then_some("true"));
    let lens = move || target_id(chosen.get().targets);
    view! {
        <SummaryLine text=text />
        <p class="panel-note" data-here=here data-lens=lens><span class="live">"numbers"</span> " " {from}</p>
    }
}

#[component]
fn Table(shown: Shown) -> impl IntoView {
    let heads = [
        "layer",
        "lenses agree",
        "J-lens names output",
        "logit lens names output",
        "J-lens, bits",
        "logit lens, bits",
        "unspoken word, J-lens",
        "unspoken word, logit lens",
        "wrong animal, J-lens",
    ];
    let rows = Signal::derive(move || shown.with(|s| s.rows()));
    view! { <DataTable caption="Two lenses, layer by layer" heads=heads rows=rows /> }
}
