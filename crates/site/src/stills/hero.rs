//! Figure 1 at rest: the two ways of decoding one cell of the stack.

use std::fmt::Write as _;

use super::{arrow, label, open};

const WORDS: [&str; 5] = ["webs", "let", "me", "think", "is"];
/// Layers drawn, from the top.
const LAYERS: [&str; 5] = ["8", "6", "4", "2", "0"];
const CELL: (f64, f64) = (44.0, 30.0);
const STEP: (f64, f64) = (50.0, 38.0);
/// Column and row of the cell that is read.
const CHOSEN: (usize, usize) = (2, 3);

pub fn picture() -> String {
    let mut svg = open(
        "hero",
        720.0,
        268.0,
        "Two stacks of layers over the words of a sentence. In the first, a cell in a lower layer is decoded at once. \
         In the second, it is carried to the top layer by the matrix J before it is decoded.",
    );
    stack(&mut svg, 0.0, "logit lens");
    stack(&mut svg, 370.0, "Jacobian lens");
    let (x, y) = corner(0.0, CHOSEN.0, CHOSEN.1);
    let out = corner(0.0, WORDS.len(), CHOSEN.1).0 + 6.0;
    arrow(&mut svg, "output", (x + CELL.0, y + 15.0), (out, y + 15.0));
    label(&mut svg, out + 24.0, y + 20.0, "words", Some("output"));
    let (x, y) = corner(370.0, CHOSEN.0, CHOSEN.1);
    let (_, top) = corner(370.0, CHOSEN.0, 0);
    let middle = x + CELL.0 / 2.0;
    arrow(&mut svg, "transport", (middle, y), (middle, top + CELL.1));
    label(
        &mut svg,
        middle + 18.0,
        (y + top + CELL.1) / 2.0 + 5.0,
        "J",
        Some("transport"),
    );
    arrow(
        &mut svg,
        "output",
        (x + CELL.0, top + 15.0),
        (out + 370.0, top + 15.0),
    );
    label(&mut svg, out + 394.0, top + 20.0, "words", Some("output"));
    svg.push_str("</svg>\n");
    svg
}

/// Upper left corner of a cell.
fn corner(left: f64, column: usize, row: usize) -> (f64, f64) {
    (
        left + 30.0 + STEP.0 * column as f64,
        34.0 + STEP.1 * row as f64,
    )
}

fn stack(svg: &mut String, left: f64, name: &str) {
    label(svg, left + 152.0, 18.0, name, Some("transport"));
    for (row, layer) in LAYERS.iter().enumerate() {
        let (x, y) = corner(left, 0, row);
        label(svg, x - 14.0, y + 20.0, layer, None);
        for column in 0..WORDS.len() {
            let (x, y) = corner(left, column, row);
            let class = if (column, row) == CHOSEN {
                "class=\"plot-fill still-cell\" data-idea=\"activation\""
            } else {
                "class=\"still-cell\""
            };
            let _ = writeln!(
                svg,
                "<rect {class} x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"5\"/>",
                CELL.0, CELL.1
            );
        }
    }
    for (column, word) in WORDS.iter().enumerate() {
        let (x, y) = corner(left, column, LAYERS.len());
        label(svg, x + CELL.0 / 2.0, y + 12.0, word, None);
    }
    let (x, y) = corner(left, CHOSEN.0, CHOSEN.1);
    label(svg, x + CELL.0 / 2.0, y + 20.0, "h", Some("activation"));
}
