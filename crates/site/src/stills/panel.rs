//! A window onto the plane in a still.

use geometry::Point;
use std::fmt::Write as _;

/// A panel: where it lies, how large it is, and what part of the plane it shows.
pub struct Panel {
    /// Left edge in SVG units.
    pub left: f64,
    /// Width and height in SVG units.
    pub size: (f64, f64),
    /// The point in its middle.
    pub centre: Point,
    /// Half its width in the plane's coordinates.
    pub extent: f64,
}

impl Panel {
    /// A square panel around the origin.
    pub fn square(left: f64, side: f64, extent: f64) -> Self {
        Self {
            left,
            size: (side, side),
            centre: Point::zeros(),
            extent,
        }
    }

    /// SVG units of a point.
    pub fn place(&self, point: Point) -> (f64, f64) {
        let scale = self.size.0 / (2.0 * self.extent);
        let from = point - self.centre;
        (
            self.left + self.size.0 / 2.0 + from.x * scale,
            self.size.1 / 2.0 - from.y * scale,
        )
    }

    /// A line through points.
    pub fn path(&self, points: &[Point], closed: bool) -> String {
        let mut d = String::new();
        for (index, point) in points.iter().enumerate() {
            let (x, y) = self.place(*point);
            let _ = write!(d, "{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
        }
        if closed {
            d.push('Z');
        }
        d
    }

    /// Its frame.
    pub fn frame(&self, svg: &mut String) {
        let _ = writeln!(
            svg,
            "<rect class=\"plot-frame\" x=\"{}\" width=\"{}\" height=\"{}\"/>",
            self.left, self.size.0, self.size.1
        );
    }

    /// An arrow between two points.
    pub fn arrow(&self, svg: &mut String, idea: &str, from: Point, to: Point) {
        super::arrow(svg, idea, self.place(from), self.place(to));
    }

    /// A name beside a point, that many SVG units to the right and down.
    pub fn name(
        &self,
        svg: &mut String,
        at: Point,
        by: (f64, f64),
        text: &str,
        idea: Option<&str>,
    ) {
        let (x, y) = self.place(at);
        super::label(svg, x + by.0, y + by.1, text, idea);
    }
}

/// A line in an idea's colour and dashes; without an idea a thin grey one.
pub fn line(svg: &mut String, idea: Option<&str>, d: &str) {
    let look = match idea {
        Some(idea) => format!("data-idea=\"{idea}\""),
        None => "data-style=\"ghost\"".to_owned(),
    };
    let _ = writeln!(svg, "<path class=\"plot-line\" {look} d=\"{d}\"/>");
}
