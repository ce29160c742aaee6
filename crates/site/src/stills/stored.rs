//! What stills draw from the stored measurements: Figures 14 and 18, and the numbers that live figures read back from the page.

use std::fmt::Write as _;

use super::{label, open};
use crate::measured::{Measurements, number};

/// Layers of the model, the output counted.
const LAYERS: usize = 9;

/// Numbers for a live figure, nothing to see; `ID` or `ID#field`.
fn data(measured: &Measurements, names: impl Iterator<Item = String>) -> String {
    let datum = |name: String| {
        let (id, field) = name.split_once('#').unwrap_or((&name, "value"));
        measured.row(id)?.datum(field)
    };
    let all: String = names.filter_map(datum).collect();
    format!("<div hidden>{all}</div>\n")
}

/// Figure 14: counts by what is exchanged.
pub fn causal(measured: Option<&Measurements>) -> String {
    let Some(measured) = measured else {
        return String::new();
    };
    const SIZES: [usize; 3] = [1, 3, 10];
    let lines = [
        ("the whole difference", "jspace.whole"),
        ("the part of k lens vectors", "jspace.kK.part"),
        ("the rest, as it is", "jspace.kK.rest"),
        ("the rest, at the part’s length", "jspace.kK.rest.matched"),
        (
            "a random direction, at the part’s length",
            "jspace.kK.part#baseline",
        ),
        ("variance that the part holds", "jspace.kK.variance"),
        (
            "variance that random vectors would hold",
            "jspace.kK.variance#baseline",
        ),
    ];
    let mut rows = String::new();
    for (name, row) in lines {
        let cell = |k: &usize| {
            let name = row.replace('K', &k.to_string());
            let (id, field) = name.split_once('#').unwrap_or((&name, "value"));
            let span = measured.row(id).and_then(|r| r.span(field, None, false));
            format!("<td>{}</td>", span.unwrap_or_else(|| "not measured".into()))
        };
        let cells: String = SIZES.iter().map(cell).collect();
        let _ = writeln!(rows, "<tr><th scope=\"row\">{name}</th>{cells}</tr>");
    }
    let n = measured.row("jspace.k3.part").map_or(0, |r| r.n);
    format!(
        "<div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Stored counts of Figure 14\"><table class=\"data\">\
         <caption>Share of {n} trials in which the model gives the other animal’s answer, and shares of variance</caption>\
         <thead><tr><th scope=\"col\">exchanged</th><th scope=\"col\">k = 1</th><th scope=\"col\">k = 3</th><th scope=\"col\">k = 10</th></tr></thead>\
         <tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// Heading, top of the axis, and lines: idea, id with `N` for the layer.
type BandChart = (&'static str, f64, &'static [(&'static str, &'static str)]);

/// Figure 18: three charts over the layers.
pub fn band(measured: Option<&Measurements>) -> String {
    let Some(measured) = measured else {
        return String::new();
    };
    let mut svg = open(
        "band",
        720.0,
        250.0,
        "Three charts over the layers of our model, from the stored measurements: how often two lenses agree and name the output, \
         the entropy of both readouts, and how often the bridge is on top.",
    );
    let charts: [BandChart; 3] = [
        (
            "first words",
            1.0,
            &[
                ("token", "agree.future.logit.layerN"),
                ("transport", "agree.future.output.layerN"),
                ("activation", "agree.future.output.layerN#baseline"),
            ],
        ),
        (
            "entropy, up to 6 bits",
            6.0,
            &[
                ("transport", "entropy.future.layerN"),
                ("activation", "entropy.future.layerN#baseline"),
            ],
        ),
        (
            "bridge on top",
            1.0,
            &[
                ("transport", "read.animals.filler.future.layerN.hit1"),
                (
                    "activation",
                    "read.animals.filler.future.layerN.hit1#baseline",
                ),
                ("", "read.animals.filler.future.wrong.layerN.hit1"),
            ],
        ),
    ];
    for (i, (title, top, curves)) in charts.into_iter().enumerate() {
        let left = 20.0 + 240.0 * i as f64;
        label(&mut svg, left + 100.0, 20.0, title, None);
        let _ = writeln!(
            svg,
            "<rect class=\"plot-frame\" x=\"{left}\" y=\"32\" width=\"200\" height=\"180\"/>"
        );
        for (layer, at) in [(0, 0.0), (4, 100.0), (8, 200.0)] {
            label(&mut svg, left + at, 230.0, &format!("{layer}"), None);
        }
        for (idea, row) in curves {
            let point = |layer: usize| {
                let value = measured.value(&row.replace('N', &layer.to_string()))?;
                Some((
                    left + 25.0 * layer as f64,
                    212.0 - 180.0 * (value / top).clamp(0.0, 1.0),
                ))
            };
            let mut d = String::new();
            for (x, y) in (0..LAYERS).filter_map(point) {
                let _ = write!(d, "{}{x:.1} {y:.1}", if d.is_empty() { 'M' } else { 'L' });
            }
            super::panel::line(&mut svg, (!idea.is_empty()).then_some(idea), &d);
        }
    }
    svg.push_str("</svg>\n");
    let svg = svg.replacen("still-plot", "still-plot still-band", 1);
    svg + &band_table(measured) + &data(measured, band_rows())
}

/// Every row that the live chart can show.
fn band_rows() -> impl Iterator<Item = String> {
    let every = ["full", "future"]
        .into_iter()
        .flat_map(|lens| (0..LAYERS).map(move |layer| (lens, layer)));
    every.flat_map(|(lens, layer)| {
        let text = [
            format!("agree.{lens}.logit.layer{layer}"),
            format!("agree.{lens}.output.layer{layer}"),
            format!("agree.{lens}.output.layer{layer}#baseline"),
            format!("entropy.{lens}.layer{layer}"),
            format!("entropy.{lens}.layer{layer}#baseline"),
        ];
        let bridges = [1, 5].into_iter().flat_map(move |k| {
            let row =
                |wrong: &str| format!("read.animals.filler.{lens}.{wrong}layer{layer}.hit{k}");
            [row(""), format!("{}#baseline", row("")), row("wrong.")]
        });
        text.into_iter().chain(bridges)
    })
}

fn band_table(measured: &Measurements) -> String {
    let columns = [
        ("lenses agree", "agree.future.logit.layerN", None),
        ("J-lens, bits", "entropy.future.layerN", Some(2)),
        (
            "logit lens, bits",
            "entropy.future.layerN#baseline",
            Some(2),
        ),
        (
            "bridge, J-lens",
            "read.animals.filler.future.layerN.hit1",
            None,
        ),
        (
            "bridge, logit lens",
            "read.animals.filler.future.layerN.hit1#baseline",
            None,
        ),
        (
            "wrong animal, J-lens",
            "read.animals.filler.future.wrong.layerN.hit1",
            None,
        ),
    ];
    let head: String = columns
        .iter()
        .map(|(name, ..)| format!("<th scope=\"col\" class=\"num\">{name}</th>"))
        .collect();
    let mut rows = String::new();
    for layer in 0..LAYERS {
        let cell = |(_, row, decimals): &(&str, &str, Option<usize>)| {
            let value = measured.value(&row.replace('N', &layer.to_string()));
            let text = value.map_or_else(|| "–".to_owned(), |x| number(x, *decimals));
            format!("<td class=\"num\">{text}</td>")
        };
        let cells: String = columns.iter().map(cell).collect();
        let _ = writeln!(rows, "<tr><th scope=\"row\">{layer}</th>{cells}</tr>");
    }
    format!(
        "<details class=\"figure-data\"><summary>Data table</summary><div class=\"table-scroll\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Stored numbers of Figure 18\"><table class=\"data\"><caption>Layer by layer, as stored; the lens of future targets for the bridge</caption>\
         <thead><tr><th scope=\"col\">layer</th>{head}</tr></thead><tbody>\n{rows}</tbody></table></div></details>\n"
    )
}

/// The layer sweep of Figure 17.
pub fn sweep(measured: Option<&Measurements>) -> String {
    let Some(measured) = measured else {
        return String::new();
    };
    let rows = (1..LAYERS).flat_map(|layer| {
        ["bridge", "answer"].map(|what| format!("sweep.animals.plain.{what}.layer{layer}"))
    });
    data(measured, rows)
}
