//! What the figure shows at one point and size. Plain values, no browser.

use crate::figures::numbers::{number, small};

use super::maps::{EXTENT, MapKind};
use geometry::gap::{Gap, halvings, ladder, largest_gap};
use geometry::{Ladder, Matrix, Point, SmoothMap, Square, linear_prediction, shape};

/// Smallest and largest square: length of a basis nudge.
pub const HALF_RANGE: [f64; 2] = [0.004, 0.5];
/// Where the size begins.
pub const HOME_HALF: f64 = 0.3;
/// Points per edge of the drawn outline.
pub const PER_EDGE: usize = 16;
/// The gap is looked at in the corners and in the middles of the edges.
pub const GAP_PER_EDGE: usize = 2;
/// Largest size of the gap chart, halved so many times.
pub const LADDER_TOP: f64 = 0.5;
/// Sizes in the gap chart: 0.5 down to 0.00003.
pub const LADDER_STEPS: usize = 15;
/// Distance of the size handle from the square's corner, along both axes.
pub const KNOB_GAP: f64 = 0.17;

/// Everything at one point and size.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Point and size.
    pub square: Square,
    /// `F(p)`.
    pub value: Point,
    /// `J(p)`.
    pub jacobian: Matrix,
    /// True image of the boundary.
    pub image: Vec<Point>,
    /// Gap of this square.
    pub gap: f64,
    /// Gap of the square half as large.
    pub gap_of_half: f64,
    /// Gaps over many sizes; `None` while they are being computed.
    pub ladder: Option<Ladder>,
}

impl Scene {
    /// The scene of a map that can be evaluated at once.
    pub fn of(map: &impl SmoothMap, square: Square) -> Self {
        let measure = |square| geometry::gap::gap(map, square, GAP_PER_EDGE).gap;
        Self {
            square,
            value: map.value(square.centre),
            jacobian: map.jacobian(square.centre),
            image: square.image(map, PER_EDGE),
            gap: measure(square),
            gap_of_half: measure(square.with_half(square.half / 2.0)),
            ladder: Some(ladder(
                map,
                square.centre,
                LADDER_TOP,
                LADDER_STEPS,
                GAP_PER_EDGE,
            )),
        }
    }

    /// Corners of the predicted parallelogram.
    pub fn parallelogram(&self) -> [Point; 4] {
        self.square.parallelogram(self.value, &self.jacobian)
    }

    /// Tips of the two image arrows, `F(p) + J(p) d` for the basis nudges `d`.
    pub fn tips(&self) -> [Point; 2] {
        self.square
            .basis_nudges()
            .map(|d| linear_prediction(self.value, &self.jacobian, d))
    }

    /// `gap / gap of half the size`, about 4 where the map is smooth and rounding plays no part.
    pub fn ratio(&self) -> Option<f64> {
        (self.gap_of_half > 0.0).then(|| self.gap / self.gap_of_half)
    }

    /// Slope of the gap chart below a tenth, where neither higher orders nor rounding matter; `None` without three such sizes.
    pub fn slope(&self) -> Option<f64> {
        let ladder = self.ladder.as_ref()?;
        let floor = ladder.floor().map_or(0.0, |floor| 10.0 * floor);
        let usable: Vec<Gap> = ladder
            .gaps
            .iter()
            .copied()
            .filter(|g| g.half < 0.1 && g.gap > floor)
            .collect();
        if usable.len() < 3 {
            None
        } else {
            geometry::log_log_slope(&usable)
        }
    }

    /// Largest distance of anything drawn from `F(p)`, at least a trifle: the microscope's field of view.
    pub fn reach(&self) -> f64 {
        let far = |points: &[Point]| {
            points
                .iter()
                .map(|q| (q - self.value).norm())
                .fold(0.0, f64::max)
        };
        far(&self.image).max(far(&self.parallelogram())).max(1e-9)
    }

    /// The scene in words.
    pub fn summary(&self) -> String {
        let (p, measures) = (self.square.centre, shape(&self.jacobian));
        let turned = match measures.orientation {
            geometry::Orientation::Kept => "and keeps their sense of rotation",
            geometry::Orientation::Reversed => "and turns them over",
            geometry::Orientation::Flat => "and flattens them",
        };
        let ratio = self.ratio().map_or_else(String::new, |r| {
            format!(", {r:.2} times as much as for half that size")
        });
        format!(
            "At p = ({}, {}) the map multiplies small areas by {} {turned}. For nudges of {} the prediction is off by at most {}{ratio}.",
            number(p.x, 2),
            number(p.y, 2),
            number(measures.determinant.abs(), 2),
            number(self.square.half, 3),
            small(self.gap),
        )
    }
}

/// Sizes of the gap chart.
pub fn ladder_sizes() -> impl Iterator<Item = f64> {
    halvings(LADDER_TOP, LADDER_STEPS)
}

/// The gap of one square whose images were computed elsewhere, in the order of [`Square::boundary_nudges`].
pub fn gap_of(square: Square, value: Point, jacobian: &Matrix, images: &[Point]) -> Gap {
    let nudges = square.boundary_nudges(GAP_PER_EDGE);
    Gap {
        half: square.half,
        gap: largest_gap(value, jacobian, &nudges, images),
    }
}

/// On which side of p the size handle stands: inwards, so that it never leaves the plane.
fn knob_side(p: [f64; 2]) -> [f64; 2] {
    p.map(|coordinate| if coordinate > 0.3 { -1.0 } else { 1.0 })
}

/// Where the size handle stands.
pub fn knob(p: [f64; 2], half: f64) -> [f64; 2] {
    let side = knob_side(p);
    [0, 1].map(|i| p[i] + side[i] * (half + KNOB_GAP))
}

/// The size that the handle asks for at `place`.
pub fn half_from_knob(p: [f64; 2], place: [f64; 2]) -> f64 {
    let side = knob_side(p);
    let wish = [0, 1].map(|i| (place[i] - p[i]) * side[i] - KNOB_GAP);
    clamp_half((wish[0] + wish[1]) / 2.0)
}

/// A size within the range.
pub fn clamp_half(half: f64) -> f64 {
    half.clamp(HALF_RANGE[0], HALF_RANGE[1])
}

/// Map, point and size as text for the address: `fold,-0.2,0.45,0.3`.
pub fn to_address(kind: MapKind, p: [f64; 2], half: f64) -> String {
    let round = |value: f64| (value * 1e4).round() / 1e4;
    format!(
        "{},{},{},{}",
        kind.slug(),
        round(p[0]),
        round(p[1]),
        round(half)
    )
}

/// The reverse; `None` for text that is not such a state. Values outside their ranges are brought inside.
pub fn from_address(text: &str) -> Option<(MapKind, [f64; 2], f64)> {
    let mut parts = text.split(',');
    let kind = MapKind::from_slug(parts.next()?)?;
    let mut number = || {
        parts
            .next()?
            .parse()
            .ok()
            .filter(|value: &f64| value.is_finite())
    };
    let [x, y, half] = [number()?, number()?, number()?];
    let inside = |value: f64| value.clamp(-EXTENT, EXTENT);
    Some((kind, [inside(x), inside(y)], clamp_half(half)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Fold, PolarLike};

    fn square(half: f64) -> Square {
        Square {
            centre: Point::new(0.2, 0.4),
            half,
        }
    }

    #[test]
    fn a_scene_shows_slope_two() {
        let scene = Scene::of(&PolarLike::default(), square(0.1));
        assert!(
            (scene.ratio().unwrap() - 4.0).abs() < 0.2,
            "{:?}",
            scene.ratio()
        );
        assert!(
            (scene.slope().unwrap() - 2.0).abs() < 0.02,
            "{:?}",
            scene.slope()
        );
        assert_eq!(scene.image.len(), 4 * PER_EDGE);
        assert!(scene.gap <= scene.reach());
    }

    #[test]
    fn arrows_end_in_the_middles_of_the_parallelograms_edges() {
        let scene = Scene::of(&Fold::default(), square(0.3));
        let corners = scene.parallelogram();
        let middle = |a: usize, b: usize| (corners[a] + corners[b]) / 2.0;
        assert!((scene.tips()[0] - middle(1, 2)).norm() < 1e-12);
        assert!((scene.tips()[1] - middle(2, 3)).norm() < 1e-12);
    }

    #[test]
    fn the_summary_tells_what_happens_to_areas() {
        let at = |y| {
            Scene::of(
                &Fold::default(),
                Square {
                    centre: Point::new(0.0, y),
                    half: 0.1,
                },
            )
            .summary()
        };
        assert!(at(0.5).contains("areas by 1.20 and keeps"), "{}", at(0.5));
        assert!(at(-0.5).contains("turns them over"));
        assert!(at(0.0).contains("areas by 0.00 and flattens"));
    }

    #[test]
    fn the_size_handle_stays_inside_and_says_its_size() {
        for p in [[0.0, 0.0], [1.0, -1.0], [0.3, 0.31], [-1.0, 1.0]] {
            for half in [HALF_RANGE[0], 0.2, HALF_RANGE[1]] {
                let place = knob(p, half);
                assert!(place.iter().all(|c| c.abs() <= 1.0), "{place:?}");
                assert!((half_from_knob(p, place) - half).abs() < 1e-12);
            }
        }
        assert_eq!(half_from_knob([0.0, 0.0], [-1.0, -1.0]), HALF_RANGE[0]);
        assert_eq!(half_from_knob([0.0, 0.0], [3.0, 3.0]), HALF_RANGE[1]);
    }

    #[test]
    fn the_address_leads_back() {
        let text = to_address(MapKind::Fold, [-0.2, 0.45], 0.3);
        assert_eq!(text, "fold,-0.2,0.45,0.3");
        assert_eq!(
            from_address(&text),
            Some((MapKind::Fold, [-0.2, 0.45], 0.3))
        );
        assert_eq!(
            from_address("polar,9,-9,7"),
            Some((MapKind::Polar, [1.0, -1.0], HALF_RANGE[1]))
        );
        for nonsense in ["", "fold", "fold,1,2", "fold,1,NaN,0.3", "torus,0,0,0.1"] {
            assert_eq!(from_address(nonsense), None, "{nonsense}");
        }
    }
}
