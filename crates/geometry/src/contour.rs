//! Level lines and level areas of a height map, by marching squares.
//!
//! The plane is cut into cells. In each, the part above a level is its square clipped at the edges' crossings (linear along an
//! edge), and the level line joins two crossings. A cell of which two opposite corners are above the level counts as above in its
//! middle too.

use crate::map::Point;

/// Heights on `side x side` points of the square `[-extent, extent]^2`, x fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Relief {
    side: usize,
    extent: f64,
    heights: Vec<f64>,
}

impl Relief {
    /// Samples a height; at least two points per side.
    pub fn of(height: impl Fn(Point) -> f64, side: usize, extent: f64) -> Self {
        let side = side.max(2);
        let heights = crate::SampledGrid::nodes(side, extent)
            .map(height)
            .collect();
        Self {
            side,
            extent,
            heights,
        }
    }

    /// Least and greatest height.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        let fold =
            |start: f64, pick: fn(f64, f64) -> f64| self.heights.iter().copied().fold(start, pick);
        [
            fold(f64::INFINITY, f64::min),
            fold(f64::NEG_INFINITY, f64::max),
        ]
    }

    /// Polygons that together cover what is at or above `level`; neighbours in a row that are wholly above are one.
    #[must_use]
    pub fn above(&self, level: f64) -> Vec<Vec<Point>> {
        let mut polygons = Vec::new();
        for row in 0..self.side - 1 {
            let mut run: Option<usize> = None;
            for column in 0..self.side {
                let whole = column + 1 < self.side && self.is_above(column, row, level);
                match (whole, run) {
                    (true, None) => run = Some(column),
                    (false, Some(first)) => {
                        polygons.push(self.corners(first, column, row).map(|c| c.0).to_vec());
                        run = None;
                    }
                    _ => {}
                }
                if column + 1 < self.side && !whole {
                    polygons.extend(self.clipped(column, row, level));
                }
            }
        }
        polygons
    }

    /// Pieces of the level line.
    #[must_use]
    pub fn line(&self, level: f64) -> Vec<[Point; 2]> {
        let mut pieces = Vec::new();
        for row in 0..self.side - 1 {
            for column in 0..self.side - 1 {
                let corners = self.corners(column, column + 1, row);
                let crossings: Vec<Point> = (0..4)
                    .filter_map(|k| crossing(corners[k], corners[(k + 1) % 4], level))
                    .collect();
                pieces.extend(crossings.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
            }
        }
        pieces
    }

    fn at(&self, column: usize, row: usize) -> (Point, f64) {
        let step = 2.0 * self.extent / (self.side - 1) as f64;
        let place = |i: usize| -self.extent + step * i as f64;
        (
            Point::new(place(column), place(row)),
            self.heights[row * self.side + column],
        )
    }

    /// Corners of the cells from column `first` up to column `past`, counter-clockwise.
    fn corners(&self, first: usize, past: usize, row: usize) -> [(Point, f64); 4] {
        [
            self.at(first, row),
            self.at(past, row),
            self.at(past, row + 1),
            self.at(first, row + 1),
        ]
    }

    fn is_above(&self, column: usize, row: usize, level: f64) -> bool {
        let corners = self.corners(column, column + 1, row);
        corners.iter().all(|(_, height)| *height >= level)
    }

    /// The part of one cell above the level; nothing if none is.
    fn clipped(&self, column: usize, row: usize, level: f64) -> Option<Vec<Point>> {
        let corners = self.corners(column, column + 1, row);
        let mut polygon = Vec::with_capacity(6);
        for k in 0..4 {
            let (here, next) = (corners[k], corners[(k + 1) % 4]);
            if here.1 >= level {
                polygon.push(here.0);
            }
            polygon.extend(crossing(here, next, level));
        }
        (polygon.len() > 2).then_some(polygon)
    }
}

/// Where an edge passes the level, if it does.
fn crossing((a, above_a): (Point, f64), (b, above_b): (Point, f64), level: f64) -> Option<Point> {
    ((above_a >= level) != (above_b >= level))
        .then(|| a + (b - a) * ((level - above_a) / (above_b - above_a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(polygon: &[Point]) -> f64 {
        let n = polygon.len();
        let twice: f64 = (0..n).map(|i| polygon[i].perp(&polygon[(i + 1) % n])).sum();
        twice / 2.0
    }

    #[test]
    fn the_level_line_of_a_cone_is_a_circle() {
        let relief = Relief::of(|p| p.norm(), 65, 1.0);
        let pieces = relief.line(0.6);
        assert!(pieces.len() > 40);
        for end in pieces.iter().flatten() {
            assert!((end.norm() - 0.6).abs() < 1e-3, "{end}");
        }
        let length: f64 = pieces.iter().map(|[a, b]| (a - b).norm()).sum();
        assert!(
            (length - std::f64::consts::TAU * 0.6).abs() < 0.01,
            "{length}"
        );
    }

    #[test]
    fn the_area_above_a_level_is_covered_once() {
        let relief = Relief::of(|p| -p.norm(), 65, 1.0);
        let covered: f64 = relief.above(-0.6).iter().map(|polygon| area(polygon)).sum();
        assert!(
            (covered - std::f64::consts::PI * 0.36).abs() < 0.005,
            "{covered}"
        );
        let [low, high] = relief.range();
        assert!((low + 2f64.sqrt()).abs() < 1e-12 && high == 0.0);
        let everything: f64 = relief.above(low).iter().map(|polygon| area(polygon)).sum();
        assert!((everything - 4.0).abs() < 1e-9);
        assert!(relief.above(high + 1.0).is_empty() && relief.line(high + 1.0).is_empty());
    }
}
