//! A height map as paths: one area per level, each drawn over the one below, and the level lines between them.

use super::state::EXTENT;
use crate::controls::Frame;
use crate::figures::draw::{polyline, polylines};
use geometry::{Height, Point, Relief};
use std::collections::HashMap;

/// Samples per side; fine enough that the lines look smooth.
const SIDE: usize = 97;
/// Shades above the ground, one per level; as many as the style sheet's heat scale may use behind dark ink.
pub const LEVELS: usize = 7;

/// A height map, drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Path of what lies above each level, lowest level first.
    pub areas: Vec<String>,
    /// Path of all level lines.
    pub lines: String,
    /// Tops inside the map.
    pub tops: Vec<Top>,
}

/// A place that is higher than everything around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Top {
    /// The place.
    pub at: [f64; 2],
    /// Its height.
    pub height: f64,
}

/// Tops among the samples, none on the edge.
fn tops(map: Height) -> Vec<Top> {
    let place = |i: usize| EXTENT * (2.0 * i as f64 / (SIDE - 1) as f64 - 1.0);
    let height = |i: usize, j: usize| map.value(Point::new(place(i), place(j)));
    let top = |i: usize, j: usize| {
        let here = height(i, j);
        let mut around = (0..9).filter(|k| *k != 4);
        let highest = around.all(|k| height(i + k % 3 - 1, j + k / 3 - 1) < here);
        highest.then_some(Top {
            at: [place(i), place(j)],
            height: here,
        })
    };
    let inner = 1..SIDE - 1;
    inner
        .clone()
        .flat_map(|j| inner.clone().filter_map(move |i| top(i, j)))
        .collect()
}

/// Draws a height map.
#[must_use]
pub fn draw(map: Height, frame: &Frame) -> Drawn {
    let relief = Relief::of(|p| map.value(p), SIDE, EXTENT);
    let [low, high] = relief.range();
    let level = |k: usize| low + (high - low) * k as f64 / (LEVELS + 1) as f64;
    let area = |k: usize| {
        relief
            .above(level(k))
            .iter()
            .map(|polygon| polyline(frame, polygon, true))
            .collect()
    };
    Drawn {
        areas: (1..=LEVELS).map(area).collect(),
        lines: (1..=LEVELS)
            .map(|k| line(&relief, level(k), frame))
            .collect(),
        tops: tops(map),
    }
}

/// The level line through a height.
#[must_use]
pub fn line_at(map: Height, height: f64, frame: &Frame) -> String {
    line(&Relief::of(|p| map.value(p), SIDE, EXTENT), height, frame)
}

fn line(relief: &Relief, level: f64, frame: &Frame) -> String {
    polylines(frame, &joined(&relief.line(level)))
}

/// Pieces that meet, as one line each: dashes run on along a line, and begin anew with each piece.
fn joined(pieces: &[[Point; 2]]) -> Vec<Vec<Point>> {
    // Two cells compute the crossing of their common edge in different orders, so ends that meet differ by rounding.
    let key = |p: Point| [p.x, p.y].map(|v| (v * 1e7).round() as i64);
    let mut meeting: HashMap<[i64; 2], Vec<usize>> = HashMap::new();
    for (index, piece) in pieces.iter().enumerate() {
        for end in piece {
            meeting.entry(key(*end)).or_default().push(index);
        }
    }
    let mut used = vec![false; pieces.len()];
    let follow = |line: &mut Vec<Point>, used: &mut Vec<bool>| {
        while let Some(&last) = line.last() {
            let next = meeting
                .get(&key(last))
                .and_then(|all| all.iter().copied().find(|index| !used[*index]));
            let Some(index) = next else { return };
            used[index] = true;
            let [a, b] = pieces[index];
            line.push(if key(a) == key(last) { b } else { a });
        }
    };
    let mut lines = Vec::new();
    for start in 0..pieces.len() {
        if used[start] {
            continue;
        }
        used[start] = true;
        let mut line = pieces[start].to_vec();
        follow(&mut line, &mut used);
        line.reverse();
        follow(&mut line, &mut used);
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_an_area_and_higher_ones_are_smaller() {
        let frame = Frame::square(EXTENT, 400.0);
        for map in [Height::Hills, Height::Saddle, Height::Waves, Height::Plane] {
            let drawn = draw(map, &frame);
            assert_eq!(drawn.areas.len(), LEVELS);
            assert!(
                drawn
                    .areas
                    .iter()
                    .all(|d| d.starts_with('M') && d.ends_with('Z')),
                "{map:?}"
            );
            assert!(drawn.lines.starts_with('M') && !drawn.lines.contains("NaN"));
        }
        assert_eq!(line_at(Height::Plane, 9.0, &frame), "");
        assert_ne!(line_at(Height::Plane, 0.0, &frame), "");
    }

    #[test]
    fn a_level_line_is_one_line_and_not_many_pieces() {
        let frame = Frame::square(EXTENT, 400.0);
        let lines = |map, height| line_at(map, height, &frame).matches('M').count();
        assert_eq!(lines(Height::Hills, 0.9), 1, "around the higher top");
        assert_eq!(lines(Height::Hills, 0.66), 2, "around both");
        assert_eq!(lines(Height::Plane, 0.0), 1);
    }

    #[test]
    fn hills_have_two_tops_and_a_saddle_has_none() {
        let found = tops(Height::Hills);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!((found[0].at[0] + 0.4).abs() < 0.05 && (found[0].height - 1.0).abs() < 0.02);
        assert!((found[1].at[1] - 0.4).abs() < 0.05 && found[1].height < found[0].height);
        assert!(tops(Height::Saddle).is_empty() && tops(Height::Plane).is_empty());
    }
}
