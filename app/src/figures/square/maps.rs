//! The maps that the reader can choose, and their grids.

use crate::controls::Frame;
use geometry::{Fold, Matrix, Point, PolarLike, SmoothMap, TwoShears};

/// Half width of the input plane of every map.
pub const EXTENT: f64 = 1.0;

/// A choice of map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKind {
    /// Rays and circles.
    Polar,
    /// Two sine shears.
    Shears,
    /// A fold along a line.
    Fold,
    /// Two directions of the model's residual stream.
    Model,
}

/// A map given by a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Analytic {
    /// Rays and circles.
    Polar(PolarLike),
    /// Two sine shears.
    Shears(TwoShears),
    /// A fold along a line.
    Fold(Fold),
}

impl MapKind {
    /// All, in the order shown.
    pub const ALL: [Self; 4] = [Self::Polar, Self::Shears, Self::Fold, Self::Model];

    /// Name on the switch.
    pub fn label(self) -> &'static str {
        match self {
            Self::Polar => "polar-like",
            Self::Shears => "shear wave",
            Self::Fold => "fold",
            Self::Model => "the real model",
        }
    }

    /// Short name for addresses.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Polar => "polar",
            Self::Shears => "shears",
            Self::Fold => "fold",
            Self::Model => "model",
        }
    }

    /// The map of a short name.
    pub fn from_slug(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.slug() == slug)
    }

    /// What the map does, in one line.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Polar => {
                "F bends upright lines into circles. Further from their centre, areas grow: the determinant is proportional to the radius."
            }
            Self::Shears => {
                "F shears sideways by a sine wave, then upwards by another. Everything bends, but no area changes: watch the determinant."
            }
            Self::Fold => {
                "F folds the plane along the dashed line. Drag p onto it: the parallelogram collapses, one direction is lost. Beyond it, the sheet lies upside down."
            }
            Self::Model => {
                "F is the small model itself: one residual vector is moved along two lens directions and followed through all later blocks. At p = (0, 0) nothing has been moved."
            }
        }
    }

    /// Where p begins.
    pub fn home(self) -> [f64; 2] {
        match self {
            Self::Polar => [0.2, 0.4],
            Self::Shears => [-0.2, 0.3],
            Self::Fold => [-0.2, 0.45],
            Self::Model => [0.0, 0.0],
        }
    }

    /// The formula, if there is one.
    pub fn analytic(self) -> Option<Analytic> {
        match self {
            Self::Polar => Some(Analytic::Polar(PolarLike::default())),
            Self::Shears => Some(Analytic::Shears(TwoShears::default())),
            Self::Fold => Some(Analytic::Fold(Fold::default())),
            Self::Model => None,
        }
    }
}

impl SmoothMap for Analytic {
    fn value(&self, p: Point) -> Point {
        match self {
            Self::Polar(map) => map.value(p),
            Self::Shears(map) => map.value(p),
            Self::Fold(map) => map.value(p),
        }
    }

    fn jacobian(&self, p: Point) -> Matrix {
        match self {
            Self::Polar(map) => map.jacobian(p),
            Self::Shears(map) => map.jacobian(p),
            Self::Fold(map) => map.jacobian(p),
        }
    }
}

/// Two families of lines: along the first input direction, and along the second.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Lines {
    /// `x` varies, one line per `y`.
    pub along_x: Vec<Vec<Point>>,
    /// `y` varies, one line per `x`.
    pub along_y: Vec<Vec<Point>>,
}

/// Lines per family.
const LINES: usize = 17;
/// Points per image line.
const STEPS: usize = 49;

/// Images of the input plane's grid lines.
pub fn image_lines(map: &impl SmoothMap) -> Lines {
    let at = |i: usize, of: usize| EXTENT * (2.0 * i as f64 / (of - 1) as f64 - 1.0);
    let family = |point: fn(f64, f64) -> Point| {
        let line = |k| {
            (0..STEPS)
                .map(|i| map.value(point(at(i, STEPS), at(k, LINES))))
                .collect()
        };
        (0..LINES).map(line).collect()
    };
    Lines {
        along_x: family(Point::new),
        along_y: family(|y, x| Point::new(x, y)),
    }
}

/// A square window that holds all points with a margin of a twelfth; `size` user units large.
pub fn window(points: impl IntoIterator<Item = Point>, size: f64) -> Frame {
    let (mut low, mut high) = (
        Point::repeat(f64::INFINITY),
        Point::repeat(f64::NEG_INFINITY),
    );
    for point in points {
        low = low.inf(&point);
        high = high.sup(&point);
    }
    if !(low.x <= high.x && low.y <= high.y) {
        return Frame::square(EXTENT, size);
    }
    let (centre, half) = (
        (low + high) / 2.0,
        ((high - low).max() / 2.0 * (1.0 + 1.0 / 12.0)).max(1e-6),
    );
    Frame {
        x: [centre.x - half, centre.x + half],
        y: [centre.y - half, centre.y + half],
        ..Frame::square(EXTENT, size)
    }
}

/// Window of a map's grid.
pub fn lines_window(lines: &Lines, size: f64) -> Frame {
    window(
        lines
            .along_x
            .iter()
            .chain(&lines.along_y)
            .flatten()
            .copied(),
        size,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_lines_are_images_of_straight_lines() {
        let map = Analytic::Fold(Fold::default());
        let lines = image_lines(&map);
        assert_eq!(
            (lines.along_x.len(), lines.along_x[0].len()),
            (LINES, STEPS)
        );
        assert_eq!(lines.along_x[0][0], map.value(Point::new(-1.0, -1.0)));
        assert_eq!(lines.along_x[16][0], map.value(Point::new(-1.0, 1.0)));
        assert_eq!(lines.along_y[0][48], map.value(Point::new(-1.0, 1.0)));
        assert_eq!(lines.along_y[16][0], map.value(Point::new(1.0, -1.0)));
    }

    #[test]
    fn the_window_holds_every_map_at_every_point() {
        for map in MapKind::ALL.into_iter().filter_map(MapKind::analytic) {
            let lines = image_lines(&map);
            let frame = lines_window(&lines, 400.0);
            for point in lines.along_x.iter().flatten() {
                assert_eq!(frame.clamp([point.x, point.y]), [point.x, point.y]);
            }
            assert!(
                (frame.x[1] - frame.x[0] - (frame.y[1] - frame.y[0])).abs() < 1e-12,
                "not square"
            );
        }
    }

    #[test]
    fn a_window_of_nothing_is_still_a_window() {
        assert_eq!(window([], 400.0), Frame::square(1.0, 400.0));
        assert!(window([Point::zeros()], 400.0).x[1] > 0.0);
    }

    #[test]
    fn addresses_name_maps() {
        for kind in MapKind::ALL {
            assert_eq!(MapKind::from_slug(kind.slug()), Some(kind));
        }
        assert_eq!(MapKind::from_slug("nonsense"), None);
    }
}
