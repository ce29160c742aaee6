//! Measured numbers as text.

use super::chart::superscript;

/// What to write for a value that is no number: a broken calculation must not read as a perfect one.
fn not_finite(value: f64) -> Option<&'static str> {
    match value {
        v if v.is_nan() => Some("not a number"),
        v if v.is_finite() => None,
        v if v < 0.0 => Some("−∞"),
        _ => Some("∞"),
    }
}

/// A number with a true minus sign; what rounds to zero has none.
pub fn number(value: f64, decimals: usize) -> String {
    if let Some(text) = not_finite(value) {
        return text.to_owned();
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().any(|b| (b'1'..=b'9').contains(&b)) => format!("−{digits}"),
        Some(digits) => digits.to_owned(),
        None => text,
    }
}

/// A small positive number with two significant digits, `3.1 × 10⁻⁵` below a thousandth.
pub fn small(value: f64) -> String {
    if let Some(text) = not_finite(value) {
        return text.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    if value >= 1e-3 {
        let decimals = (1 - value.log10().floor() as i32).clamp(0, 4) as usize;
        return number(value, decimals);
    }
    let text = format!("{value:.1e}");
    match text
        .split_once('e')
        .and_then(|(digits, power)| Some((digits, power.parse().ok()?)))
    {
        Some((digits, power)) => {
            format!("{digits} × 10{}", superscript(power))
        }
        None => text,
    }
}

/// The same for what is zero but for rounding: below a thousand millionth it is `0`.
pub fn small_or_zero(value: f64) -> String {
    if value.abs() < 1e-9 {
        "0".to_owned()
    } else {
        small(value)
    }
}

/// A number of either sign that may be small: three decimals from a tenth on, two significant digits below.
pub fn signed(value: f64) -> String {
    match value {
        v if v.abs() >= 0.0995 => number(v, 3),
        v if v < 0.0 => format!("−{}", small(-v)),
        v => small(v),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [number(-0.5, 2), number(-0.001, 2), number(1.0, 1)],
            ["−0.50", "0.00", "1.0"]
        );
        assert_eq!(
            [small(0.0312), small(0.25), small(3.14e-5), small(0.0)],
            ["0.031", "0.25", "3.1 × 10⁻⁵", "0"]
        );
    }

    #[test]
    fn a_broken_number_does_not_read_as_a_perfect_one() {
        let write: [fn(f64) -> String; 4] = [|v| number(v, 2), small, small_or_zero, signed];
        for text in write {
            assert_eq!(
                [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(text),
                ["not a number", "∞", "−∞"]
            );
        }
    }

    #[test]
    fn rounding_is_not_a_result() {
        assert_eq!(
            [small_or_zero(1.1e-16), small_or_zero(2e-9)],
            ["0", "2.0 × 10⁻⁹"]
        );
    }

    #[test]
    fn small_numbers_keep_their_sign() {
        assert_eq!(
            [signed(1.4728), signed(-0.5), signed(0.0)],
            ["1.473", "−0.500", "0"]
        );
        assert_eq!([signed(-0.0312), signed(4.2e-5)], ["−0.031", "4.2 × 10⁻⁵"]);
    }
}
