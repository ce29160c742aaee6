//! Axes, ticks and grid lines of data charts, drawn by plotters into an SVG string.
//!
//! Only the backdrop comes from plotters, once per chart: the data themselves are paths laid over it in the same user units, so
//! that a dragged point changes one `d` attribute and not a whole picture, and colours follow the page's theme.

use crate::controls::Frame;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;

/// One axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Least and greatest value; both positive on a logarithmic axis.
    pub range: [f64; 2],
    /// Powers of ten at equal distances.
    pub log: bool,
    /// What it measures.
    pub name: &'static str,
    /// Greatest number of ticks.
    pub ticks: usize,
}

impl Axis {
    /// Numbers at equal distances.
    #[must_use]
    pub const fn linear(name: &'static str, range: [f64; 2], ticks: usize) -> Self {
        Self {
            range,
            log: false,
            name,
            ticks,
        }
    }

    /// Powers of ten at equal distances.
    #[must_use]
    pub const fn log(name: &'static str, range: [f64; 2], ticks: usize) -> Self {
        Self {
            log: true,
            ..Self::linear(name, range, ticks)
        }
    }
}

/// The drawn axes, and where the data belong.
#[derive(Clone, Debug, PartialEq)]
pub struct Backdrop {
    /// `<svg>...</svg>`, `size` user units large.
    pub svg: String,
    /// Window of the data; logarithmic axes hold decadic logarithms.
    pub frame: Frame,
    /// Width and height in user units.
    pub size: [u32; 2],
    axes: [Axis; 2],
}

/// Size of a chart's text in pixels, as in `assets/css/60-plot.css`.
const TEXT: f64 = 13.0;

impl Backdrop {
    /// Draws the axes, with labels that are readable at so many user units per pixel (see [`super::unit`]). A chart that cannot
    /// be drawn (a size without room for its labels) becomes an empty one, with its data in the right place all the same.
    pub fn new(axes: [Axis; 2], size: [u32; 2], unit: f64) -> Self {
        let mut svg = String::new();
        let window = draw(&mut svg, axes, size, unit).unwrap_or([
            0.0,
            0.0,
            f64::from(size[0]),
            f64::from(size[1]),
        ]);
        let range = |axis: Axis| {
            if axis.log {
                axis.range.map(f64::log10)
            } else {
                axis.range
            }
        };
        let [left, top, width, height] = window;
        let frame = Frame {
            x: range(axes[0]),
            y: range(axes[1]),
            left,
            top,
            width,
            height,
        };
        Self {
            svg,
            frame,
            size,
            axes,
        }
    }

    /// User units of a data point; `None` if it has no logarithm or lies outside the window.
    pub fn place(&self, point: [f64; 2]) -> Option<[f64; 2]> {
        let scaled = [0, 1].map(|i| {
            if self.axes[i].log {
                point[i].log10()
            } else {
                point[i]
            }
        });
        let inside = scaled
            .iter()
            .zip([self.frame.x, self.frame.y])
            .all(|(v, [low, high])| *v >= low && *v <= high);
        inside.then(|| self.frame.to_svg(scaled))
    }

    /// `viewBox` of the whole chart.
    pub fn view_box(&self) -> String {
        format!("0 0 {} {}", self.size[0], self.size[1])
    }
}

type Failure = Box<dyn std::error::Error>;

fn draw(svg: &mut String, axes: [Axis; 2], size: [u32; 2], unit: f64) -> Result<[f64; 4], Failure> {
    let [x, y] = axes;
    let span = |axis: Axis| axis.range[0]..axis.range[1];
    match (x.log, y.log) {
        (true, true) => mesh(
            svg,
            axes,
            size,
            unit,
            span(x).log_scale(),
            span(y).log_scale(),
        ),
        (true, false) => mesh(svg, axes, size, unit, span(x).log_scale(), span(y)),
        (false, true) => mesh(svg, axes, size, unit, span(x), span(y).log_scale()),
        (false, false) => mesh(svg, axes, size, unit, span(x), span(y)),
    }
}

/// Draws axes into `svg`; gives `[left, top, width, height]` of the plotting area.
fn mesh<X, Y>(
    svg: &mut String,
    axes: [Axis; 2],
    size: [u32; 2],
    unit: f64,
    x: X,
    y: Y,
) -> Result<[f64; 4], Failure>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let area = SVGBackend::with_string(svg, (size[0], size[1])).into_drawing_area();
    let room = |pixels: f64| (pixels * unit).round() as i32;
    let ticks = |axis: Axis| ((axis.ticks as f64 / unit.max(1.0)).round() as usize).max(3);
    let text = ("sans-serif", TEXT * unit);
    let mut chart = ChartBuilder::on(&area)
        .margin_top(room(10.0))
        .margin_right(room(14.0))
        .x_label_area_size(room(44.0))
        .y_label_area_size(room(56.0))
        .build_cartesian_2d(x, y)?;
    let label = |axis: Axis| move |value: &f64| tick(axis, *value);
    chart
        .configure_mesh()
        .x_desc(axes[0].name)
        .y_desc(axes[1].name)
        .x_labels(ticks(axes[0]))
        .y_labels(ticks(axes[1]))
        .max_light_lines(0)
        .x_label_formatter(&label(axes[0]))
        .y_label_formatter(&label(axes[1]))
        .label_style(text)
        .axis_desc_style(text)
        .draw()?;
    let (across, down): (Range<i32>, Range<i32>) = chart.plotting_area().get_pixel_range();
    area.present()?;
    Ok([
        across.start,
        down.start,
        across.end - across.start,
        down.end - down.start,
    ]
    .map(f64::from))
}

/// Text of a tick: a power of ten on logarithmic axes, few decimals on others.
fn tick(axis: Axis, value: f64) -> String {
    if !axis.log {
        let text = format!("{value:.3}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        return match text.strip_prefix('-') {
            Some("0") => "0".to_owned(),
            Some(digits) => format!("−{digits}"),
            None => text.to_owned(),
        };
    }
    let power = value.log10().round() as i32;
    match power {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", superscript(power)),
    }
}

/// An integer in raised digits.
pub fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    number.to_string().chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_axis(range: [f64; 2]) -> Axis {
        Axis::log("size", range, 5)
    }

    #[test]
    fn data_lie_where_plotters_draws_its_ticks() {
        let backdrop = Backdrop::new(
            [log_axis([1e-4, 1.0]), log_axis([1e-8, 1.0])],
            [400, 300],
            1.0,
        );
        let frame = backdrop.frame;
        assert!(
            backdrop.svg.contains("10⁻⁴") && backdrop.svg.contains("size"),
            "{}",
            backdrop.svg
        );
        assert_eq!(
            backdrop.place([1e-4, 1e-8]),
            Some([frame.left, frame.top + frame.height])
        );
        assert_eq!(
            backdrop.place([1.0, 1.0]),
            Some([frame.left + frame.width, frame.top])
        );
        assert!(frame.left > 40.0 && frame.left + frame.width < 400.0);
    }

    #[test]
    fn what_has_no_place_is_left_out() {
        let backdrop = Backdrop::new(
            [log_axis([1e-4, 1.0]), log_axis([1e-8, 1.0])],
            [400, 300],
            1.0,
        );
        assert_eq!(backdrop.place([0.1, 0.0]), None);
        assert_eq!(backdrop.place([2.0, 0.1]), None);
        assert_eq!(backdrop.place([f64::NAN, 0.1]), None);
    }

    #[test]
    fn the_picture_carries_no_inline_style() {
        let linear = Axis::linear("prompts", [0.0, 25.0], 6);
        assert!(
            !Backdrop::new([linear, linear], [400, 300], 1.0)
                .svg
                .contains("style=")
        );
    }

    #[test]
    fn ticks_are_short() {
        let linear = Axis::linear("", [0.0, 1.0], 5);
        assert_eq!(
            (tick(linear, 0.98), tick(linear, 25.0)),
            ("0.98".to_owned(), "25".to_owned())
        );
        assert_eq!(
            (tick(linear, -1e-9), tick(linear, -0.4)),
            ("0".to_owned(), "−0.4".to_owned())
        );
        assert_eq!(tick(log_axis([1e-12, 1.0]), 1e-10), "10⁻¹⁰");
    }
}
