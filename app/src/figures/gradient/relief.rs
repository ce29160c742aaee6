//! A height map as paths: one area per level, each drawn over the one below, and the level lines between them.

use super::state::EXTENT;
use crate::controls::Frame;
use crate::figures::draw::{polyline, polylines};
use geometry::{Height, Relief};

/// Samples per side; fine enough that the lines look smooth.
const SIDE: usize = 49;
/// Shades above the ground, one per level; as many as the style sheet's heat scale may use behind dark ink.
pub const LEVELS: usize = 7;

/// A height map, drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Path of what lies above each level, lowest level first.
    pub areas: Vec<String>,
    /// Path of all level lines.
    pub lines: String,
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
    }
}

/// The level line through a height.
#[must_use]
pub fn line_at(map: Height, height: f64, frame: &Frame) -> String {
    line(&Relief::of(|p| map.value(p), SIDE, EXTENT), height, frame)
}

fn line(relief: &Relief, level: f64, frame: &Frame) -> String {
    let pieces: Vec<_> = relief
        .line(level)
        .iter()
        .map(|ends| ends.to_vec())
        .collect();
    polylines(frame, &pieces)
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
}
