//! The slice through the real model: what is asked of the worker, and how its answers become scenes. Plain, tested; the figure's
//! view sends the requests.

use super::maps::EXTENT;
use super::presets::Setting;
use super::state::{self, GAP_PER_EDGE, Scene, gap_of, ladder_sizes};
use crate::client::Model;
use engine::protocol::{Slice, SliceRequest};
use geometry::{Ladder, Matrix, Point, SampledGrid, Square};

/// Samples per side of the drawn grid.
pub const GRID: usize = 21;
/// Points per edge of the outline; fewer than for formulas, since each costs a forward pass.
pub const PER_EDGE: usize = 8;
/// Points and sizes are multiples of this, so that `p + d` is exact in single precision and the gap contains no error of the
/// points themselves.
const RASTER: f64 = 1.0 / 4096.0;

impl Setting {
    /// A request without points; `Err` says what the model cannot do.
    fn request(&self, model: &Model) -> Result<SliceRequest, String> {
        let unknown = |word: &str| format!("“{word}” is not a word of this model.");
        let tokens = model
            .tokens(&self.prompt)
            .ok_or("The prompt has a word that the model does not know, or is too long.")?;
        let id = |word: &String| model.id(word).ok_or_else(|| unknown(word));
        let words = [id(&self.words[0])?, id(&self.words[1])?];
        if words[0] == words[1] {
            return Err("Two different words are needed to span a plane.".to_owned());
        }
        let last = tokens.len() - 1;
        Ok(SliceRequest {
            layer: self.layer.min(model.info.n_layers - 1),
            position: self.position.min(last),
            watch: last,
            words,
            extent: EXTENT as f32,
            grid: 0,
            points: Vec::new(),
            outline: Vec::new(),
            tokens,
        })
    }

    /// Asks for the grid.
    ///
    /// # Errors
    /// Says which word is unknown or unusable.
    pub fn grid_request(&self, model: &Model) -> Result<SliceRequest, String> {
        Ok(SliceRequest {
            grid: GRID,
            ..self.request(model)?
        })
    }

    /// Asks for everything drawn at one square: value and Jacobian at p, the outline, and the gap points of half the size.
    ///
    /// # Errors
    /// As [`Setting::grid_request`].
    pub fn square_request(&self, model: &Model, square: Square) -> Result<SliceRequest, String> {
        let half = square.with_half(square.half / 2.0);
        let outline = points(square, PER_EDGE)
            .chain(points(half, GAP_PER_EDGE))
            .collect();
        Ok(SliceRequest {
            points: vec![single(square.centre)],
            outline,
            ..self.request(model)?
        })
    }

    /// Asks for the gap points of all sizes at p.
    ///
    /// # Errors
    /// As [`Setting::grid_request`].
    pub fn ladder_request(&self, model: &Model, centre: Point) -> Result<SliceRequest, String> {
        let outline = ladder_sizes()
            .flat_map(|half| points(Square { centre, half }, GAP_PER_EDGE))
            .collect();
        Ok(SliceRequest {
            points: vec![single(centre)],
            outline,
            ..self.request(model)?
        })
    }
}

/// The square that is really asked for: on a raster that single precision holds exactly.
pub fn on_raster(square: Square) -> Square {
    let round = |v: f64| (v / RASTER).round() * RASTER;
    Square {
        centre: square.centre.map(round),
        half: round(square.half).max(4.0 * RASTER),
    }
}

/// The grid between its samples.
///
/// # Errors
/// The answer has the wrong shape or holds numbers that are not finite.
pub fn grid_of(slice: &Slice) -> Result<SampledGrid, String> {
    let samples: Vec<Point> = slice.grid.iter().copied().map(double).collect();
    SampledGrid::new(GRID, EXTENT, &samples).map_err(|error| error.to_string())
}

/// The scene of an answer to [`Setting::square_request`]; `None` if the answer does not have its shape.
pub fn scene_of(square: Square, slice: &Slice) -> Option<Scene> {
    let (value, jacobian) = at_centre(slice)?;
    let split = 4 * PER_EDGE;
    let (outline, half) = slice.outline.split_at_checked(split)?;
    let image: Vec<Point> = outline.iter().copied().map(double).collect();
    let images_of_half: Vec<Point> = half.iter().copied().map(double).collect();
    let coarse: Vec<Point> = image
        .iter()
        .copied()
        .step_by(PER_EDGE / GAP_PER_EDGE)
        .collect();
    let smaller = square.with_half(square.half / 2.0);
    Some(Scene {
        square,
        value,
        jacobian,
        gap: gap_of(square, value, &jacobian, &coarse).gap,
        gap_of_half: gap_of(smaller, value, &jacobian, &images_of_half).gap,
        image,
        ladder: None,
    })
}

/// The gaps of an answer to [`Setting::ladder_request`]; `None` if the answer does not have its shape.
pub fn ladder_of(centre: Point, slice: &Slice) -> Option<Ladder> {
    let (value, jacobian) = at_centre(slice)?;
    let per_size = 4 * GAP_PER_EDGE;
    let images: Vec<Point> = slice.outline.iter().copied().map(double).collect();
    let gap =
        |(half, images): (f64, &[Point])| gap_of(Square { centre, half }, value, &jacobian, images);
    (images.len() == per_size * state::LADDER_STEPS).then(|| Ladder {
        gaps: ladder_sizes()
            .zip(images.chunks(per_size))
            .map(gap)
            .collect(),
    })
}

fn at_centre(slice: &Slice) -> Option<(Point, Matrix)> {
    let [[a, b], [c, d]] = *slice.jacobians.first()?;
    let entries = [a, b, c, d].map(f64::from);
    Some((
        double(*slice.values.first()?),
        Matrix::new(entries[0], entries[1], entries[2], entries[3]),
    ))
}

fn points(square: Square, per_edge: usize) -> impl Iterator<Item = [f32; 2]> {
    square
        .boundary_nudges(per_edge)
        .into_iter()
        .map(move |d| single(square.centre + d))
}

fn single(point: Point) -> [f32; 2] {
    [point.x as f32, point.y as f32]
}

fn double([x, y]: [f32; 2]) -> Point {
    Point::new(f64::from(x), f64::from(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{PolarLike, SmoothMap};

    /// Answers a request as a worker would, for a map that is known.
    fn answer(map: &impl SmoothMap, request: &SliceRequest) -> Slice {
        let image = |p: &[f32; 2]| single(map.value(double(*p)));
        let jacobian = |p: &[f32; 2]| {
            let j = map.jacobian(double(*p)).map(|v| v as f32);
            [[j.m11, j.m12], [j.m21, j.m22]]
        };
        Slice {
            grid: SampledGrid::nodes(request.grid, EXTENT)
                .map(|p| single(map.value(p)))
                .collect(),
            values: request.points.iter().map(image).collect(),
            jacobians: request.points.iter().map(jacobian).collect(),
            outline: request.outline.iter().map(image).collect(),
        }
    }

    fn empty() -> SliceRequest {
        SliceRequest {
            tokens: vec![0, 1],
            layer: 2,
            position: 1,
            watch: 1,
            words: [3, 4],
            extent: 1.0,
            grid: 0,
            points: vec![],
            outline: vec![],
        }
    }

    #[test]
    fn an_answer_becomes_the_same_scene_as_the_formula() {
        let map = PolarLike::default();
        let square = on_raster(Square {
            centre: Point::new(0.2, 0.4),
            half: 0.25,
        });
        let smaller = square.with_half(square.half / 2.0);
        let outline = points(square, PER_EDGE)
            .chain(points(smaller, GAP_PER_EDGE))
            .collect();
        let request = SliceRequest {
            points: vec![single(square.centre)],
            outline,
            ..empty()
        };
        let scene = scene_of(square, &answer(&map, &request)).unwrap();
        let truth = Scene::of(&map, square);
        assert!(
            (scene.gap - truth.gap).abs() < 1e-6
                && (scene.gap_of_half - truth.gap_of_half).abs() < 1e-6
        );
        assert!((scene.jacobian - truth.jacobian).norm() < 1e-6);
        assert_eq!(scene.image.len(), 4 * PER_EDGE);
    }

    #[test]
    fn single_precision_shows_as_a_floor_under_slope_two() {
        let map = PolarLike::default();
        let centre = on_raster(Square {
            centre: Point::new(0.23, 0.41),
            half: 0.1,
        })
        .centre;
        let outline = ladder_sizes()
            .flat_map(|half| points(Square { centre, half }, GAP_PER_EDGE))
            .collect();
        let request = SliceRequest {
            points: vec![single(centre)],
            outline,
            ..empty()
        };
        let ladder = ladder_of(centre, &answer(&map, &request)).unwrap();
        assert!(
            ladder.floor().is_some_and(|floor| floor < 1e-6),
            "{ladder:?}"
        );
        let scene = Scene {
            ladder: Some(ladder),
            ..Scene::of(&map, Square { centre, half: 0.1 })
        };
        assert!(
            (scene.slope().unwrap() - 2.0).abs() < 0.1,
            "{:?}",
            scene.slope()
        );
    }

    #[test]
    fn the_raster_is_exact_in_single_precision() {
        let square = on_raster(Square {
            centre: Point::new(0.123_456, -0.987_654),
            half: 0.000_1,
        });
        for point in points(square, PER_EDGE) {
            let nudge = double(point) - square.centre;
            assert!((nudge.amax() - square.half).abs() < 1e-15, "{nudge}");
        }
    }

    #[test]
    fn answers_of_another_shape_are_refused() {
        let square = Square {
            centre: Point::zeros(),
            half: 0.1,
        };
        let slice = Slice {
            grid: vec![[0.0; 2]; 7],
            values: vec![],
            jacobians: vec![],
            outline: vec![],
        };
        assert_eq!(scene_of(square, &slice), None);
        assert_eq!(ladder_of(square.centre, &slice), None);
        assert!(grid_of(&slice).unwrap_err().contains("samples"));
    }
}
