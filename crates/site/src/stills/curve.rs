//! Figure 2 at rest: a curve, its tangent, and the gap at the ends of two windows, one half as wide as the other.

use super::panel::{Panel, line};
use super::{label, open};
use geometry::{Curve, Point};

/// Where the tangent touches, and the wider window.
const AT: f64 = 0.5;
const WINDOW: f64 = 0.7;

pub fn picture() -> String {
    let curve = Curve::Wave;
    let panel = Panel {
        left: 0.0,
        size: (480.0, 270.0),
        centre: Point::new(0.2, 0.3),
        extent: 1.6,
    };
    let mut svg = open(
        "curve",
        480.0,
        296.0,
        "A curve and its tangent at a point. The gap between them, marked at both ends of a window around the point and at both \
         ends of a window half as wide, is about four times smaller for the narrower one.",
    );
    panel.frame(&mut svg);
    let points: Vec<Point> = (0..=96)
        .map(|i| f64::from(i) / 32.0 - 1.3)
        .map(|x| Point::new(x, curve.value(x)))
        .collect();
    let tangent = [-0.9, 0.9].map(|step| Point::new(AT + step, curve.tangent(AT, step)));
    line(&mut svg, Some("output"), &panel.path(&points, false));
    line(&mut svg, Some("transport"), &panel.path(&tangent, false));
    for window in [WINDOW, WINDOW / 2.0] {
        for step in [-window, window] {
            let ends = [
                Point::new(AT + step, curve.tangent(AT, step)),
                Point::new(AT + step, curve.value(AT + step)),
            ];
            line(&mut svg, Some("activation"), &panel.path(&ends, false));
        }
    }
    panel.name(
        &mut svg,
        Point::new(AT, curve.value(AT)),
        (0.0, 22.0),
        "x",
        None,
    );
    label(
        &mut svg,
        240.0,
        290.0,
        "half the window, a quarter of the gap",
        None,
    );
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_marks_four_gaps() {
        assert_eq!(
            super::picture().matches("data-idea=\"activation\"").count(),
            4
        );
    }
}
