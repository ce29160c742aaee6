//! A matrix as pixels: signed values between two colours through a neutral one.

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// The colours of a theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Least value.
    pub negative: Rgb,
    /// Zero.
    pub zero: Rgb,
    /// Greatest value.
    pub positive: Rgb,
}

impl Default for Palette {
    /// The light theme's, for a page whose style sheet cannot be read.
    fn default() -> Self {
        Self {
            negative: [0x2c, 0x5a, 0xa8],
            zero: [0xfb, 0xfa, 0xf6],
            positive: [0xb0, 0x50, 0x1a],
        }
    }
}

impl Palette {
    /// Colour of a value on the scale `-limit ..= limit`; beyond it the end colours.
    pub fn colour(&self, value: f32, limit: f32) -> Rgb {
        let share = if limit > 0.0 {
            (value / limit).clamp(-1.0, 1.0)
        } else {
            0.0
        };
        let end = if share < 0.0 {
            self.negative
        } else {
            self.positive
        };
        // The square root shows small entries too, next to a diagonal near 1.
        let weight = share.abs().sqrt();
        [0, 1, 2].map(|i| {
            (f32::from(self.zero[i]) + weight * (f32::from(end[i]) - f32::from(self.zero[i])))
                .round() as u8
        })
    }

    /// RGBA pixels of a matrix; numbers that are missing (NaN) are transparent.
    pub fn pixels(&self, values: &[f32], limit: f32) -> Vec<u8> {
        let pixel = |value: &f32| {
            let [r, g, b] = self.colour(*value, limit);
            if value.is_nan() {
                [0, 0, 0, 0]
            } else {
                [r, g, b, 255]
            }
        };
        values.iter().flat_map(pixel).collect()
    }
}

/// `#rgb`, `#rrggbb` or `rgb(r, g, b)`.
pub fn parse_colour(text: &str) -> Option<Rgb> {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix('#') {
        let digit = |i: usize| {
            hex.get(i..i + 1)
                .and_then(|c| u8::from_str_radix(c, 16).ok())
        };
        let byte = |i: usize| {
            hex.get(i..i + 2)
                .and_then(|c| u8::from_str_radix(c, 16).ok())
        };
        return match hex.len() {
            3 => Some([digit(0)? * 17, digit(1)? * 17, digit(2)? * 17]),
            6 => Some([byte(0)?, byte(2)?, byte(4)?]),
            _ => None,
        };
    }
    let inner = text.strip_prefix("rgb(")?.strip_suffix(')')?;
    let mut parts = inner
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

/// End of the scale: the absolute value that one entry in a hundred exceeds, rounded up to one digit, so that it does not
/// flicker. 1 for an empty or zero matrix.
pub fn limit(values: &[f32]) -> f32 {
    let mut sizes: Vec<f32> = values
        .iter()
        .map(|v| v.abs())
        .filter(|v| v.is_finite())
        .collect();
    sizes.sort_by(f32::total_cmp);
    let at = (sizes.len().saturating_sub(1)) * 99 / 100;
    match sizes.get(at).copied().filter(|v| *v > 0.0) {
        Some(size) => {
            let unit = 10f32.powf(size.log10().floor());
            (size / unit).ceil() * unit
        }
        None => 1.0,
    }
}

/// Row and column of a place in a square drawing, `x` and `y` as shares of its sides.
pub fn entry_at(d: usize, x: f64, y: f64) -> Option<[usize; 2]> {
    let index = |share: f64| {
        (0.0..1.0)
            .contains(&share)
            .then_some((share * d as f64) as usize)
    };
    Some([index(y)?, index(x)?])
}

/// The entry after an arrow key; Home and End go to the ends of the diagonal. Shift moves by ten.
pub fn moved([row, column]: [usize; 2], key: &str, shift: bool, d: usize) -> Option<[usize; 2]> {
    let (step, last) = (if shift { 10 } else { 1 }, d.checked_sub(1)?);
    Some(match key {
        "ArrowUp" => [row.saturating_sub(step), column],
        "ArrowDown" => [(row + step).min(last), column],
        "ArrowLeft" => [row, column.saturating_sub(step)],
        "ArrowRight" => [row, (column + step).min(last)],
        "Home" => [0, 0],
        "End" => [last, last],
        _ => return None,
    })
}

/// What stands out in a square matrix: mean of the diagonal, root mean square off it.
pub fn diagonal_and_rest(values: &[f32], d: usize) -> Option<[f32; 2]> {
    if d < 2 || values.len() != d * d {
        return None;
    }
    let diagonal: f32 = values.iter().step_by(d + 1).sum::<f32>() / d as f32;
    let squares =
        |iter: &mut dyn Iterator<Item = &f32>| iter.map(|v| f64::from(*v).powi(2)).sum::<f64>();
    let rest = squares(&mut values.iter()) - squares(&mut values.iter().step_by(d + 1));
    Some([
        diagonal,
        (rest.max(0.0) / (d * (d - 1)) as f64).sqrt() as f32,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_middle_of_the_palette() {
        let palette = Palette::default();
        assert_eq!(palette.colour(0.0, 1.0), palette.zero);
        assert_eq!(palette.colour(2.0, 1.0), palette.positive);
        assert_eq!(palette.colour(-1.0, 1.0), palette.negative);
        assert_eq!(palette.colour(1.0, 0.0), palette.zero);
    }

    #[test]
    fn missing_numbers_are_transparent() {
        let pixels = Palette::default().pixels(&[f32::NAN, 1.0], 1.0);
        assert_eq!(pixels, [0, 0, 0, 0, 0xb0, 0x50, 0x1a, 255]);
    }

    #[test]
    fn colours_of_the_style_sheet() {
        assert_eq!(parse_colour(" #2c5aa8"), Some([0x2c, 0x5a, 0xa8]));
        assert_eq!(parse_colour("#fff"), Some([255, 255, 255]));
        assert_eq!(parse_colour("rgb(1, 2, 3)"), Some([1, 2, 3]));
        assert_eq!(parse_colour("rgb(1 2)"), None);
        assert_eq!(parse_colour("papayawhip"), None);
        assert_eq!(parse_colour("#éé"), None);
    }

    #[test]
    fn the_scale_leaves_out_one_in_a_hundred() {
        let mut values = vec![0.021; 199];
        values.push(5.0);
        assert!((limit(&values) - 0.03).abs() < 1e-6, "{}", limit(&values));
        assert_eq!(limit(&[]), 1.0);
        assert_eq!(limit(&[0.0, f32::NAN]), 1.0);
    }

    #[test]
    fn places_and_keys() {
        assert_eq!(entry_at(96, 0.0, 0.999), Some([95, 0]));
        assert_eq!(entry_at(96, 1.0, 0.5), None);
        assert_eq!(moved([0, 0], "ArrowUp", false, 96), Some([0, 0]));
        assert_eq!(moved([5, 90], "ArrowRight", true, 96), Some([5, 95]));
        assert_eq!(moved([5, 5], "End", false, 96), Some([95, 95]));
        assert_eq!(moved([5, 5], "a", false, 96), None);
        assert_eq!(moved([0, 0], "End", false, 0), None);
    }

    #[test]
    fn the_diagonal_is_told_from_the_rest() {
        let [diagonal, rest] = diagonal_and_rest(&[1.0, 0.3, -0.3, 2.0], 2).unwrap();
        assert!((diagonal - 1.5).abs() < 1e-6 && (rest - 0.3).abs() < 1e-6);
        assert_eq!(diagonal_and_rest(&[1.0], 2), None);
    }
}
