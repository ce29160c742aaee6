//! How far a photograph is from its golden: mean colour difference, tile by tile.

use super::picture::{Picture, REDUCED_BY};

/// Side of a tile, in reduced pixels: about a digit. Tiles overlap by half, so that whatever changes lies well within one.
const TILE: usize = 4;
const STEP: usize = TILE / 2;

/// A tile is alike when its mean colour difference (0 to 255; of a pixel, the largest of its three channels') is at most this.
///
/// Measured on Figures 4, 6 and 17, at 1280 pixels in light and at 360 in dark, worst tile:
///
/// | what differs | difference |
/// | --- | --- |
/// | nothing, photographed again | 0 |
/// | the browser's own way of drawing letters instead of [`Look::steady`](crate::Look::steady) | 0.6 |
/// | everything one pixel lower and to the right | at most the tolerance, by [`SLACK`] |
/// | one small digit in a cell, .149 to .144 | 8.4 and 13 |
/// | one digit elsewhere (3.78, 1.478, 0.98, 4.01, 0.41, 0.029) | 13 to 37 |
/// | a tick label hidden | 19 and 36 |
/// | a label, or an arrow, in the colour of another idea | 21 to 59 |
/// | a label hidden | 43 to 66 |
/// | a handle moved by 3 pixels, by 6 | 38 and 59, 60 and 101 |
/// | a legend hidden, left out | 58 to 65, 161 and 177 |
///
/// Everything moved by 0.4 pixels would be 22 to 27; so the camera sets figures on whole pixels.
pub const TOLERANCE: f32 = 4.0;

/// Text may sit so many pixels of the photograph beside its place, (across, down).
const SLACK: (isize, isize) = (1, 2);

/// A golden and a photograph may differ by so many reduced pixels in width and height.
const SIZE_SLACK: usize = 1;

/// What a comparison found.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Width and height of the photograph, reduced.
    pub size: (usize, usize),
    /// Width and height of the golden.
    pub golden: (usize, usize),
    /// Tiles that were compared.
    pub tiles: usize,
    /// The largest difference of a tile.
    pub worst: f32,
    /// Tiles beyond the tolerance, the most different first.
    pub over: Vec<Tile>,
}

/// A tile beyond the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// Left upper corner, in reduced pixels.
    pub at: (usize, usize),
    /// Mean colour difference.
    pub difference: f32,
}

impl Comparison {
    /// Whether the photograph shows what the golden does.
    pub fn alike(&self) -> bool {
        let near = |a: usize, b: usize| a.abs_diff(b) <= SIZE_SLACK;
        near(self.size.0, self.golden.0) && near(self.size.1, self.golden.1) && self.over.is_empty()
    }

    /// What differs, in a few words; places and sizes in pixels of the photograph.
    pub fn report(&self) -> String {
        let pixels = |(x, y): (usize, usize)| format!("{} × {}", x * REDUCED_BY, y * REDUCED_BY);
        let size = if self.size == self.golden {
            String::new()
        } else {
            format!("{} instead of {}; ", pixels(self.size), pixels(self.golden))
        };
        let tiles = match self.over.first() {
            None => format!("every tile within {:.1}", self.worst),
            Some(worst) => format!(
                "{} of {} tiles differ, most at ({}, {}): {:.1}, tolerance {TOLERANCE}",
                self.over.len(),
                self.tiles,
                worst.at.0 * REDUCED_BY,
                worst.at.1 * REDUCED_BY,
                worst.difference
            ),
        };
        format!("{size}{tiles}")
    }

    /// The golden paled, with the tiles that differ in red.
    pub fn picture(&self, golden: &Picture) -> Picture {
        let mut picture = golden.clone();
        for value in &mut picture.rgb {
            *value = 160 + *value / 4;
        }
        for tile in &self.over {
            for (x, y) in pixels(tile.at, golden) {
                let start = 3 * (y * golden.width + x);
                picture.rgb[start..start + 3].copy_from_slice(&[
                    210,
                    golden.rgb[start + 1] / 3,
                    golden.rgb[start + 2] / 3,
                ]);
            }
        }
        picture
    }
}

/// Compares a photograph in its full size with its golden.
pub fn compare(photograph: &Picture, golden: &Picture) -> Comparison {
    let new = photograph.reduced((0, 0));
    let common = (new.width.min(golden.width), new.height.min(golden.height));
    let mut tiles: Vec<Tile> = corners(common)
        .map(|at| Tile {
            at,
            difference: difference(&new, golden, at),
        })
        .collect();
    let count = tiles.len();
    let alike = |tile: &Tile| tile.difference <= TOLERANCE;
    let mut worst = tiles
        .iter()
        .filter(|tile| alike(tile))
        .map(|tile| tile.difference)
        .fold(0.0, f32::max);
    tiles.retain(|tile| !alike(tile));
    for by in moves() {
        if tiles.is_empty() {
            break;
        }
        let moved = photograph.reduced(by);
        for tile in &mut tiles {
            let here = difference(&moved, golden, tile.at);
            tile.difference = tile.difference.min(here);
        }
    }
    worst = tiles
        .iter()
        .map(|tile| tile.difference)
        .fold(worst, f32::max);
    tiles.retain(|tile| !alike(tile));
    tiles.sort_by(|a, b| b.difference.total_cmp(&a.difference));
    Comparison {
        size: (new.width, new.height),
        golden: (golden.width, golden.height),
        tiles: count,
        worst,
        over: tiles,
    }
}

/// Every way to move a picture within the slack.
fn moves() -> impl Iterator<Item = (isize, isize)> {
    let (across, down) = SLACK;
    (-down..=down).flat_map(move |y| (-across..=across).map(move |x| (x, y)))
}

/// The left upper corners of all tiles of an area.
fn corners((width, height): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    let along = |size: usize| (0..size.saturating_sub(STEP).max(1)).step_by(STEP);
    along(height).flat_map(move |y| along(width).map(move |x| (x, y)))
}

/// The pixels of a tile that lie in a picture.
fn pixels((left, top): (usize, usize), picture: &Picture) -> impl Iterator<Item = (usize, usize)> {
    let right = (left + TILE).min(picture.width);
    let bottom = (top + TILE).min(picture.height);
    (top..bottom).flat_map(move |y| (left..right).map(move |x| (x, y)))
}

/// Mean colour difference of two pictures in a tile.
fn difference(a: &Picture, b: &Picture, tile: (usize, usize)) -> f32 {
    let (mut sum, mut count) = (0_u32, 0_u32);
    for (x, y) in pixels(tile, b).filter(|&(x, y)| x < a.width && y < a.height) {
        let (a, b) = (a.at(x as isize, y as isize), b.at(x as isize, y as isize));
        let apart = a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max();
        sum += u32::from(apart.unwrap_or(0));
        count += 1;
    }
    sum as f32 / count.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: [u8; 3] = [253, 252, 249];
    const INK: [u8; 3] = [31, 29, 25];
    const BLUE: [u8; 3] = [65, 98, 210];
    const GREEN: [u8; 3] = [22, 80, 55];

    fn fill(picture: &mut Picture, left: usize, top: usize, size: (usize, usize), ink: [u8; 3]) {
        for y in top..top + size.1 {
            for x in left..left + size.0 {
                let start = 3 * (y * picture.width + x);
                picture.rgb[start..start + 3].copy_from_slice(&ink);
            }
        }
    }

    /// Lines of strokes like letters, a handle, and an arrow's shaft; moved by some pixels.
    fn scene(by: usize, handle: usize, arrow: [u8; 3], letters: usize) -> Picture {
        let mut picture = Picture::plain(240, 150, PAPER);
        for letter in 0..letters {
            let left = 12 + 9 * (letter % 20) + by;
            let top = 12 + 18 * (letter / 20) + by;
            fill(&mut picture, left, top, (2, 11), INK);
            fill(&mut picture, left, top + letter % 3 * 4, (6, 2), INK);
        }
        fill(&mut picture, 80 + handle + by, 90 + by, (14, 14), INK);
        fill(&mut picture, 120 + by, 100 + by, (60, 3), arrow);
        picture
    }

    fn against(golden: &Picture, photograph: &Picture) -> Comparison {
        compare(photograph, &golden.reduced((0, 0)))
    }

    #[test]
    fn the_same_and_the_same_a_pixel_further_are_alike() {
        let golden = scene(0, 0, BLUE, 60);
        let same = against(&golden, &golden);
        assert!(same.alike() && same.worst == 0.0, "{}", same.report());
        let moved = against(&golden, &scene(1, 0, BLUE, 60));
        assert!(moved.alike() && moved.worst > 0.0, "{}", moved.report());
    }

    #[test]
    fn faint_differences_everywhere_are_alike() {
        let golden = scene(0, 0, BLUE, 60);
        let mut paler = golden.clone();
        for value in &mut paler.rgb {
            *value = value.saturating_add(2);
        }
        assert!(against(&golden, &paler).alike());
    }

    #[test]
    fn faults_are_found_where_they_are() {
        let golden = scene(0, 0, BLUE, 60);
        for (fault, photograph, area) in [
            ("a letter is missing", scene(0, 0, BLUE, 59), (183, 48)),
            ("a handle has moved", scene(0, 6, BLUE, 60), (80, 90)),
            (
                "an arrow is of another idea",
                scene(0, 0, GREEN, 60),
                (120, 100),
            ),
            ("everything is elsewhere", scene(9, 0, BLUE, 60), (12, 12)),
        ] {
            let found = against(&golden, &photograph);
            assert!(!found.alike(), "{fault}: {}", found.report());
            let near = |tile: &Tile| {
                let (x, y) = (tile.at.0 * REDUCED_BY, tile.at.1 * REDUCED_BY);
                x.abs_diff(area.0) <= 12 && y.abs_diff(area.1) <= 12
            };
            assert!(found.over.iter().any(near), "{fault}: {:?}", found.over);
            let picture = found.picture(&golden.reduced((0, 0)));
            assert!(picture.rgb.chunks(3).any(|c| c[0] == 210 && c[1] < 90));
        }
    }

    #[test]
    fn another_size_is_a_fault_and_said() {
        let golden = Picture::plain(90, 60, PAPER);
        let near = against(&golden, &Picture::plain(90, 62, PAPER));
        assert!(near.alike(), "{}", near.report());
        let collapsed = against(&golden, &Picture::plain(90, 30, PAPER));
        assert!(!collapsed.alike());
        let said = collapsed.report();
        assert!(said.contains("90 × 30 instead of 90 × 60"), "{said}");
    }
}
