//! Figure 4 at rest: a square of nudges, its true image, and the parallelogram that the Jacobian predicts.

use std::fmt::Write as _;

use geometry::{Point, PolarLike, SmoothMap, Square};

use super::panel::{Panel, line};
use super::{label, open};

/// Half a side of the drawn plane, in the figure's coordinates.
const EXTENT: f64 = 1.95;
/// Side of a panel in SVG units.
const SIDE: f64 = 320.0;
/// Distance between the left edges of the panels.
const STRIDE: f64 = 360.0;
/// Grid lines from -1 to 1.
const LINES: i32 = 8;

pub fn picture() -> String {
    let map = PolarLike::default();
    let square = Square {
        centre: Point::new(0.25, 0.3),
        half: 0.35,
    };
    let [left, right] = [0.0, STRIDE].map(|left| Panel::square(left, SIDE, EXTENT));
    let value = map.value(square.centre);
    let jacobian = map.jacobian(square.centre);
    let mut svg = open(
        "square",
        STRIDE + SIDE,
        SIDE + 24.0,
        "Left, a grid with a small square around a point. Right, the same grid bent by a map: the square has curved sides and \
         nearly fills the parallelogram spanned by the columns of the Jacobian.",
    );
    for straight in grid() {
        let bent: Vec<Point> = straight.iter().map(|point| map.value(*point)).collect();
        for (panel, points) in [(&left, &straight), (&right, &bent)] {
            line(&mut svg, None, &panel.path(points, false));
        }
    }
    let corners = square.corner_nudges().map(|nudge| square.centre + nudge);
    let shapes = [
        ("activation", left.path(&corners, true)),
        ("output", right.path(&square.image(&map, 24), true)),
        (
            "transport",
            right.path(&square.parallelogram(value, &jacobian), true),
        ),
    ];
    for (idea, d) in shapes {
        let _ = writeln!(
            svg,
            "<path class=\"plot-fill\" data-idea=\"{idea}\" d=\"{d}\"/><path class=\"plot-line\" data-idea=\"{idea}\" d=\"{d}\"/>"
        );
    }
    for nudge in square.basis_nudges() {
        for (panel, from, by) in [
            (&left, square.centre, nudge),
            (&right, value, jacobian * nudge),
        ] {
            panel.arrow(&mut svg, "token", from, from + by);
        }
    }
    for (panel, text) in [(&left, "nudges around p"), (&right, "image and prediction")] {
        label(&mut svg, panel.left + SIDE / 2.0, SIDE + 16.0, text, None);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Horizontal and vertical lines of the square from -1 to 1, finely sampled so that their images may bend.
fn grid() -> Vec<Vec<Point>> {
    let at = |i: i32| 2.0 * f64::from(i) / f64::from(LINES) - 1.0;
    let samples = || (0..=32).map(|i| f64::from(i) / 16.0 - 1.0);
    let mut lines = Vec::new();
    for i in 0..=LINES {
        lines.push(samples().map(|x| Point::new(x, at(i))).collect());
        lines.push(samples().map(|y| Point::new(at(i), y)).collect());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_three_shapes_and_both_columns_on_both_sides() {
        let svg = picture();
        for idea in ["activation", "output", "transport"] {
            assert!(
                svg.contains(&format!("plot-fill\" data-idea=\"{idea}\"")),
                "{idea}"
            );
        }
        assert_eq!(svg.matches("plot-arrow-head").count(), 4);
    }
}
