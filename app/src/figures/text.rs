//! How figures write numbers and words.

use engine::protocol::Targets;

/// A probability for a reader: "41 %", "4.1 %", "0.3 %", "< 0.1 %".
#[must_use]
pub fn percent(share: f32) -> String {
    let hundredths = share * 100.0;
    match hundredths {
        h if h >= 9.95 => format!("{h:.0}\u{202f}%"),
        h if h >= 0.095 => format!("{h:.1}\u{202f}%"),
        h if h > 0.0 => "<\u{202f}0.1\u{202f}%".to_owned(),
        _ => "0\u{202f}%".to_owned(),
    }
}

/// A word in quotation marks.
#[must_use]
pub fn quoted(word: &str) -> String {
    format!("“{word}”")
}

/// A token as it stands in a list: marks alone are put in quotation marks, to be seen.
#[must_use]
pub fn legible(token: &str) -> String {
    if token.chars().any(char::is_alphanumeric) {
        token.to_owned()
    } else {
        quoted(token)
    }
}

/// "1st", "2nd", "3rd", "11th" for a rank counted from 1.
#[must_use]
pub fn ordinal(rank: u32) -> String {
    let end = match (rank % 10, rank % 100) {
        (1, last) if last != 11 => "st",
        (2, last) if last != 12 => "nd",
        (3, last) if last != 13 => "rd",
        _ => "th",
    };
    format!("{rank}{end}")
}

/// The three-way switch of what a lens looks forward to.
#[must_use]
pub fn target_options() -> Vec<(Targets, &'static str)> {
    vec![
        (Targets::All, "all targets"),
        (Targets::Same, "same position"),
        (Targets::Future, "future only"),
    ]
}

/// A lens's targets in a link.
#[must_use]
pub const fn target_id(targets: Targets) -> &'static str {
    match targets {
        Targets::All => "all",
        Targets::Same => "same",
        Targets::Future => "future",
    }
}

/// Reads [`target_id`].
#[must_use]
pub fn target_from(id: &str) -> Option<Targets> {
    [Targets::All, Targets::Same, Targets::Future]
        .into_iter()
        .find(|targets| target_id(*targets) == id)
}

/// A number of parameters: "842 k", "135 M".
#[must_use]
pub fn parameters(count: usize) -> String {
    match count {
        c if c >= 10_000_000 => format!("{} M", c / 1_000_000),
        c if c >= 10_000 => format!("{} k", c / 1000),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        let said =
            [0.973, 0.0412, 0.0033, 0.0004, 0.0].map(|p| percent(p).replace('\u{202f}', " "));
        assert_eq!(said, ["97 %", "4.1 %", "0.3 %", "< 0.1 %", "0 %"]);
    }

    #[test]
    fn marks_are_quoted() {
        assert_eq!(
            ["?", "=", "8", "<s>", "软"].map(legible).join(" "),
            "“?” “=” 8 <s> 软"
        );
    }

    #[test]
    fn ranks() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21, 102, 112]
                .map(ordinal)
                .join(" "),
            "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 112th"
        );
    }

    #[test]
    fn sizes() {
        assert_eq!(
            [parameters(842_208), parameters(134_515_008), parameters(12)],
            ["842 k", "134 M", "12"]
        );
    }
}
