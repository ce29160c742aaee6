//! From a drawing's own coordinates to the figure's and back, and what keys do to a handle. Plain arithmetic.

/// A window onto the plane: the rectangle `x` x `y` of figure coordinates (y up) fills the rectangle `left, top, width, height`
/// of SVG user units (y down).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Least and greatest x.
    pub x: [f64; 2],
    /// Least and greatest y.
    pub y: [f64; 2],
    /// Left edge in user units.
    pub left: f64,
    /// Top edge in user units.
    pub top: f64,
    /// Width in user units.
    pub width: f64,
    /// Height in user units.
    pub height: f64,
}

impl Frame {
    /// A square of `size` user units, from the origin, showing `-extent ..= extent` both ways.
    #[must_use]
    pub const fn square(extent: f64, size: f64) -> Self {
        Self {
            x: [-extent, extent],
            y: [-extent, extent],
            left: 0.0,
            top: 0.0,
            width: size,
            height: size,
        }
    }

    /// Figure coordinates to user units.
    #[must_use]
    pub fn to_svg(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let right = (x - self.x[0]) / (self.x[1] - self.x[0]);
        let up = (y - self.y[0]) / (self.y[1] - self.y[0]);
        [
            self.left + right * self.width,
            self.top + (1.0 - up) * self.height,
        ]
    }

    /// User units to figure coordinates.
    #[must_use]
    pub fn from_svg(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (right, down) = ((x - self.left) / self.width, (y - self.top) / self.height);
        [
            self.x[0] + right * (self.x[1] - self.x[0]),
            self.y[1] - down * (self.y[1] - self.y[0]),
        ]
    }

    /// The nearest point inside the window.
    #[must_use]
    pub fn clamp(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x.clamp(self.x[0], self.x[1]), y.clamp(self.y[0], self.y[1])]
    }
}

/// An affine map of the plane as SVG writes it: `(a x + c y + e, b x + d y + f)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// `[a, b, c, d, e, f]`.
    pub entries: [f64; 6],
}

impl Affine {
    /// The point that this map sends to `[x, y]`; nothing if the drawing has no area (hidden).
    #[must_use]
    pub fn invert(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let [a, b, c, d, e, f] = self.entries;
        let area = a * d - b * c;
        let (x, y) = (x - e, y - f);
        (area.abs() > 1e-12).then(|| [(d * x - c * y) / area, (a * y - b * x) / area])
    }
}

/// What a key does to a handle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyMove {
    /// Moves by so many steps right and up.
    By([f64; 2]),
    /// Returns to where it began.
    Home,
}

/// Arrow keys move by one step, with Shift by a tenth of one; Page Up and Page Down by five steps up and down; Home returns.
#[must_use]
pub fn key_move(key: &str, shift: bool) -> Option<KeyMove> {
    let step = if shift { 0.1 } else { 1.0 };
    Some(match key {
        "ArrowLeft" => KeyMove::By([-step, 0.0]),
        "ArrowRight" => KeyMove::By([step, 0.0]),
        "ArrowUp" => KeyMove::By([0.0, step]),
        "ArrowDown" => KeyMove::By([0.0, -step]),
        "PageUp" => KeyMove::By([0.0, 5.0 * step]),
        "PageDown" => KeyMove::By([0.0, -5.0 * step]),
        "Home" => KeyMove::Home,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let frame = Frame {
            x: [-2.0, 2.0],
            y: [0.0, 1.0],
            left: 10.0,
            top: 20.0,
            width: 400.0,
            height: 100.0,
        };
        assert_eq!(frame.to_svg([-2.0, 1.0]), [10.0, 20.0]);
        assert_eq!(frame.to_svg([2.0, 0.0]), [410.0, 120.0]);
        let [x, y] = frame.from_svg(frame.to_svg([0.3, 0.7]));
        assert!((x - 0.3).abs() < 1e-12 && (y - 0.7).abs() < 1e-12);
        assert_eq!(frame.clamp([9.0, -1.0]), [2.0, 0.0]);
    }

    #[test]
    fn affine_maps_invert() {
        let map = Affine {
            entries: [2.0, 0.5, -1.0, 3.0, 7.0, -4.0],
        };
        let [a, b, c, d, e, f] = map.entries;
        let (x, y) = (1.25, -0.5);
        let back = map.invert([a * x + c * y + e, b * x + d * y + f]).unwrap();
        assert!((back[0] - x).abs() < 1e-12 && (back[1] - y).abs() < 1e-12);
        assert_eq!(Affine { entries: [0.0; 6] }.invert([1.0, 1.0]), None);
    }

    #[test]
    fn keys() {
        assert_eq!(key_move("ArrowUp", false), Some(KeyMove::By([0.0, 1.0])));
        assert_eq!(key_move("ArrowLeft", true), Some(KeyMove::By([-0.1, 0.0])));
        assert_eq!(key_move("Home", false), Some(KeyMove::Home));
        assert_eq!(key_move("Tab", false), None);
    }
}
