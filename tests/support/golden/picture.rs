//! Pictures in memory: read from PNG, made smaller, written as PNG.

use crate::{Error, Result};
use std::io::Cursor;

/// How much smaller a golden is than the photograph, each way.
pub const REDUCED_BY: usize = 3;

/// Rows of pixels from the top, three bytes each (red, green, blue; sRGB).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `3 * width * height` bytes.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// One colour everywhere.
    pub fn plain(width: usize, height: usize, colour: [u8; 3]) -> Self {
        let rgb = colour.repeat(width * height);
        Self { width, height, rgb }
    }

    /// Reads a PNG with 8 bits per channel; what shows through is dropped, not blended: photographs of a page are opaque.
    pub fn from_png(bytes: &[u8]) -> Result<Self> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(not_png)?;
        let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
        let info = reader.next_frame(&mut pixels).map_err(not_png)?;
        pixels.truncate(info.buffer_size());
        let rgb = match info.color_type {
            png::ColorType::Rgb => pixels,
            png::ColorType::Rgba => pixels
                .chunks_exact(4)
                .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
                .collect(),
            other => return Err(not_png(format!("colours are {other:?}, not RGB"))),
        };
        let (width, height) = (info.width as usize, info.height as usize);
        Ok(Self { width, height, rgb })
    }

    /// Writes a PNG, the same bytes for the same picture.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        // letters on flat ground pack best as they are: a fifth smaller than with filters
        encoder.set_filter(png::Filter::NoFilter);
        let mut writer = encoder.write_header().map_err(not_png)?;
        writer.write_image_data(&self.rgb).map_err(not_png)?;
        writer.finish().map_err(not_png)?;
        Ok(bytes)
    }

    /// The colour at a place; places outside have the colour of the nearest edge.
    pub fn at(&self, x: isize, y: isize) -> [u8; 3] {
        let clamp = |value: isize, size: usize| value.clamp(0, size as isize - 1) as usize;
        let start = 3 * (clamp(y, self.height) * self.width + clamp(x, self.width));
        [self.rgb[start], self.rgb[start + 1], self.rgb[start + 2]]
    }

    /// Reduced by [`REDUCED_BY`] with a box filter, after a move by `(right, down)` pixels.
    pub fn reduced(&self, (right, down): (isize, isize)) -> Self {
        let (width, height) = (
            self.width.div_ceil(REDUCED_BY),
            self.height.div_ceil(REDUCED_BY),
        );
        let mut rgb = Vec::with_capacity(3 * width * height);
        for y in 0..height {
            for x in 0..width {
                let corner = |at: usize, by: isize| (at * REDUCED_BY) as isize - by;
                rgb.extend(self.mean(corner(x, right), corner(y, down)));
            }
        }
        Self { width, height, rgb }
    }

    /// The mean colour of a box whose left upper corner is given.
    fn mean(&self, left: isize, top: isize) -> [u8; 3] {
        let side = REDUCED_BY as isize;
        let mut sums = [0_u32; 3];
        for y in top..top + side {
            for x in left..left + side {
                let colour = self.at(x, y);
                for (sum, value) in sums.iter_mut().zip(colour) {
                    *sum += u32::from(value);
                }
            }
        }
        let pixels = (side * side) as u32;
        sums.map(|sum| ((sum + pixels / 2) / pixels) as u8)
    }
}

fn not_png(problem: impl std::fmt::Display) -> Error {
    Error::page(format!("a picture in PNG: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_survives_its_file() -> Result {
        let mut picture = Picture::plain(5, 3, [252, 20, 8]);
        picture.rgb[7] = 99;
        let bytes = picture.to_png()?;
        assert_eq!(Picture::from_png(&bytes)?, picture);
        assert_eq!(bytes, picture.to_png()?);
        assert!(Picture::from_png(&bytes[..20]).is_err());
        Ok(())
    }

    #[test]
    fn reducing_takes_means_and_a_move_moves() {
        let mut picture = Picture::plain(6, 4, [0, 0, 0]);
        picture.rgb[..3].copy_from_slice(&[180, 90, 45]);
        let small = picture.reduced((0, 0));
        assert_eq!((small.width, small.height), (2, 2));
        assert_eq!([small.at(0, 0), small.at(1, 1)], [[20, 10, 5], [0, 0, 0]]);
        // three to the right: the second reduced pixel has it, and the edge goes on to the left
        let moved = picture.reduced((3, 0));
        assert_eq!(
            [moved.at(0, 0), moved.at(1, 0)],
            [[60, 30, 15], [20, 10, 5]]
        );
    }
}
