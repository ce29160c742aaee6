//! Figure 17 at rest: the plane of two lens vectors that overlap, and an activation whose two coordinates change places.

use std::fmt::Write as _;

use geometry::{Matrix, Point};

use super::{arrow, label, open};

/// The two lens vectors, as columns.
const SOURCE: (f64, f64) = (1.0, 0.18);
const TARGET: (f64, f64) = (0.52, 0.92);
/// Coordinates of the activation along them.
const COORDINATES: (f64, f64) = (1.35, 0.3);
/// SVG units per unit of the plane.
const SCALE: f64 = 130.0;

pub fn picture() -> String {
    let vectors = Matrix::new(SOURCE.0, TARGET.0, SOURCE.1, TARGET.1);
    let clean = vectors * Point::new(COORDINATES.0, COORDINATES.1);
    let swapped = vectors * Point::new(COORDINATES.1, COORDINATES.0);
    let mut svg = open(
        "swap",
        420.0,
        250.0,
        "Two arrows from one point, the lens vectors of spider and ant, at less than a right angle. The activation h lies near \
         the first; with its two coordinates exchanged, h prime lies near the second.",
    );
    let origin = place(Point::zeros());
    for (point, (source, target)) in [
        (clean, COORDINATES),
        (swapped, (COORDINATES.1, COORDINATES.0)),
    ] {
        let along = [
            vectors * Point::new(source, 0.0),
            vectors * Point::new(0.0, target),
        ];
        for foot in along {
            let (from, to) = (place(point), place(foot));
            let _ = writeln!(
                svg,
                "<path class=\"plot-line\" data-style=\"ghost\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                from.0, from.1, to.0, to.1
            );
        }
    }
    for (vector, name) in [(SOURCE, "spider"), (TARGET, "ant")] {
        let tip = Point::new(vector.0, vector.1) * 1.65;
        arrow(&mut svg, "token", origin, place(tip));
        let (x, y) = place(tip * 1.04);
        label(&mut svg, x + 20.0, y - 4.0, name, Some("token"));
    }
    arrow(&mut svg, "output", place(clean), place(swapped));
    for (point, name) in [(clean, "h"), (swapped, "h′")] {
        let (x, y) = place(point);
        let _ = writeln!(
            svg,
            "<circle class=\"plot-point\" data-idea=\"activation\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/>"
        );
        label(&mut svg, x + 16.0, y - 6.0, name, Some("activation"));
    }
    svg.push_str("</svg>\n");
    svg
}

fn place(point: Point) -> (f64, f64) {
    (60.0 + SCALE * point.x, 225.0 - SCALE * point.y)
}
