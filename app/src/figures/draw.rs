//! Lines and arrows as text: `d` attributes of SVG paths. Plain, no browser.

use crate::controls::Frame;
use geometry::Point;
use std::fmt::Write;

/// A line through points.
pub fn polyline(frame: &Frame, points: &[Point], closed: bool) -> String {
    let mut path = String::with_capacity(points.len() * 12);
    append(&mut path, frame, points);
    if closed && !points.is_empty() {
        path.push('Z');
    }
    path
}

/// Several lines in one path.
pub fn polylines(frame: &Frame, lines: &[Vec<Point>]) -> String {
    let mut path = String::new();
    for line in lines {
        append(&mut path, frame, line);
    }
    path
}

fn append(path: &mut String, frame: &Frame, points: &[Point]) {
    for (index, point) in points.iter().enumerate() {
        let [x, y] = frame.to_svg([point.x, point.y]);
        // Writing to a string cannot fail.
        let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
    }
}

/// Straight grid lines of a square plane, `count` in each direction: those along x, and those along y.
pub fn straight_grid(frame: &Frame, count: usize) -> [String; 2] {
    let at = |range: [f64; 2], i: usize| {
        range[0] + (range[1] - range[0]) * i as f64 / (count - 1) as f64
    };
    let line = |a: [f64; 2], b: [f64; 2]| vec![Point::from(a), Point::from(b)];
    let along_x: Vec<_> = (0..count)
        .map(|i| at(frame.y, i))
        .map(|y| line([frame.x[0], y], [frame.x[1], y]))
        .collect();
    let along_y: Vec<_> = (0..count)
        .map(|i| at(frame.x, i))
        .map(|x| line([x, frame.y[0]], [x, frame.y[1]]))
        .collect();
    [polylines(frame, &along_x), polylines(frame, &along_y)]
}

/// An arrow in user units: its shaft, its head, and the place of its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// Path of the shaft.
    pub shaft: String,
    /// Path of the head; empty if the arrow is too short to have one.
    pub head: String,
    /// Where the label is anchored, beyond the tip.
    pub label: [f64; 2],
    /// Which end of the label stands there (`text-anchor`): labels grow away from the arrow.
    pub anchor: &'static str,
}

/// Length of a full head.
const HEAD: f64 = 13.0;

/// Draws an arrow between two places in user units. The second nudge's head is drawn open (`open`), so that the two differ
/// without colour.
pub fn arrow(from: [f64; 2], to: [f64; 2], open: bool) -> Arrow {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    let (ux, uy) = if length > 1e-9 {
        (dx / length, dy / length)
    } else {
        (0.0, 0.0)
    };
    let size = HEAD.min(0.6 * length);
    let neck = if open {
        length - 1.0
    } else {
        length - 0.8 * size
    };
    let shaft = format!(
        "M{:.1} {:.1}L{:.1} {:.1}",
        from[0],
        from[1],
        from[0] + ux * neck,
        from[1] + uy * neck
    );
    let wing = |side: f64| {
        [
            to[0] - ux * size + side * uy * size * 0.5,
            to[1] - uy * size - side * ux * size * 0.5,
        ]
    };
    let ([ax, ay], [bx, by]) = (wing(1.0), wing(-1.0));
    let close = if open { "" } else { "Z" };
    let head = if size < 2.0 {
        String::new()
    } else {
        format!(
            "M{ax:.1} {ay:.1}L{:.1} {:.1}L{bx:.1} {by:.1}{close}",
            to[0], to[1]
        )
    };
    let (anchor, room) = match ux {
        right if right > 0.5 => ("start", 9.0),
        left if left < -0.5 => ("end", 9.0),
        _ => ("middle", 17.0),
    };
    Arrow {
        shaft,
        head,
        label: [to[0] + ux * room, to[1] + uy * room],
        anchor,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame::square(1.0, 400.0);

    #[test]
    fn lines_and_closed_lines() {
        let points = [Point::new(-1.0, -1.0), Point::new(1.0, 1.0)];
        assert_eq!(polyline(&FRAME, &points, false), "M0.0 400.0L400.0 0.0");
        assert_eq!(polyline(&FRAME, &points, true), "M0.0 400.0L400.0 0.0Z");
        assert_eq!(polyline(&FRAME, &[], true), "");
    }

    #[test]
    fn a_grid_is_two_paths() {
        let [across, up] = straight_grid(&FRAME, 3);
        assert_eq!(
            across,
            "M0.0 400.0L400.0 400.0M0.0 200.0L400.0 200.0M0.0 0.0L400.0 0.0"
        );
        assert!(up.starts_with("M0.0 400.0L0.0 0.0M200.0"));
    }

    #[test]
    fn short_arrows_have_no_head_and_zero_ones_no_direction() {
        let long = arrow([0.0, 0.0], [100.0, 0.0], false);
        assert_eq!((long.label, long.anchor), ([109.0, 0.0], "start"));
        assert_eq!(arrow([0.0, 0.0], [0.0, -50.0], false).anchor, "middle");
        assert!(long.head.ends_with('Z'));
        assert!(!arrow([0.0, 0.0], [100.0, 0.0], true).head.ends_with('Z'));
        let none = arrow([5.0, 5.0], [5.0, 5.0], false);
        assert_eq!((none.head.as_str(), none.label), ("", [5.0, 5.0]));
    }
}
