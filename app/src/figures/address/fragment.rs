//! The page's fragment as text: `fig-swap?v1&swap=recall;animals;0&hero=2;5`.
//!
//! Before the `?` stands where on the page one is, as in any link; after it the version, then a figure's settings each. A link
//! comes from outside: whatever cannot be read is left out, and the rest still works.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::collections::BTreeMap;

/// Version of this format; links of another one lead to their place on the page and say nothing more.
const VERSION: &str = "v1";
/// Longest fragment that is read, in bytes.
const LONGEST: usize = 16_384;
/// Longest settings of one figure, in bytes.
const LONGEST_VALUE: usize = 4096;
/// Figures in one link, at most.
const MOST: usize = 64;

/// What settings may not contain as they are; blanks become `+`. Brackets and quotes would end a link in many a message.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b'%')
    .add(b'&')
    .add(b'+')
    .add(b'#')
    .add(b'"')
    .add(b'\'')
    .add(b'<')
    .add(b'>')
    .add(b'(')
    .add(b')')
    .add(b'[')
    .add(b']')
    .add(b'{')
    .add(b'}')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'|');

/// A place on the page, and figures' settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// Id of an element, as it stands in links (perhaps with escapes); empty for none.
    pub anchor: String,
    /// Settings by the figure's name.
    pub figures: BTreeMap<String, String>,
}

impl Fragment {
    /// Reads a fragment, with or without its `#`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.strip_prefix('#').unwrap_or(text);
        if text.len() > LONGEST {
            return Self::default();
        }
        // Some programs escape a whole fragment before they pass it on.
        let escaped = !text.contains('?') && mentions_escaped_mark(text);
        let unescaped = escaped.then(|| decode(text)).flatten();
        let text = unescaped.as_deref().unwrap_or(text);
        let (anchor, settings) = text.split_once('?').unwrap_or((text, ""));
        Self {
            anchor: if is_anchor(anchor) { anchor } else { "" }.to_owned(),
            figures: settings_in(settings),
        }
    }

    /// Writes it, without the `#`; empty if there is nothing to say.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = self.anchor.clone();
        if !self.figures.is_empty() {
            text.push('?');
            text.push_str(VERSION);
        }
        for (name, value) in &self.figures {
            let value = utf8_percent_encode(value, ESCAPED)
                .to_string()
                .replace(' ', "+");
            text.push_str(&format!("&{name}={value}"));
        }
        text
    }

    /// The id of the element that it leads to.
    #[must_use]
    pub fn target(&self) -> Option<String> {
        decode(&self.anchor).filter(|id| !id.is_empty())
    }

    /// Takes a figure's settings in, or out; says whether that changed anything. What could not be read again is not taken in.
    pub fn set(&mut self, figure: &str, settings: Option<&str>) -> bool {
        let settings = settings.filter(|text| is_name(figure) && text.len() <= LONGEST_VALUE);
        match settings {
            Some(text) if self.figures.get(figure).map(String::as_str) == Some(text) => false,
            Some(text) => {
                self.figures.insert(figure.to_owned(), text.to_owned());
                true
            }
            None => self.figures.remove(figure).is_some(),
        }
    }
}

fn settings_in(text: &str) -> BTreeMap<String, String> {
    let mut parts = text.split('&');
    let mut figures = BTreeMap::new();
    if parts.next() != Some(VERSION) {
        return figures;
    }
    for (name, value) in parts.filter_map(|part| part.split_once('=')) {
        let value = decode(&value.replace('+', " ")).filter(|text| text.len() <= LONGEST_VALUE);
        if let (true, true, Some(value)) = (is_name(name), figures.len() < MOST, value) {
            figures.entry(name.to_owned()).or_insert(value);
        }
    }
    figures
}

/// `None` for what is not UTF-8.
fn decode(text: &str) -> Option<String> {
    let text = percent_decode_str(text).decode_utf8().ok()?;
    Some(text.into_owned())
}

fn mentions_escaped_mark(text: &str) -> bool {
    text.contains("%3F") || text.contains("%3f")
}

fn is_anchor(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~%".contains(c);
    text.chars().all(plain) && !mentions_escaped_mark(text)
}

fn is_name(text: &str) -> bool {
    (1..=32).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn figure(text: &str, name: &str) -> Option<String> {
        Fragment::parse(text).figures.get(name).cloned()
    }

    #[test]
    fn plain_anchors_stay_as_they_are() {
        for text in ["", "swap", "fig-hero", "part-i-%E2%84%93"] {
            let fragment = Fragment::parse(&format!("#{text}"));
            assert_eq!(
                (fragment.anchor.as_str(), fragment.figures.len()),
                (text, 0)
            );
            assert_eq!(fragment.to_text(), text);
        }
        let target = Fragment::parse("#part-%E2%84%93").target();
        assert_eq!(target.as_deref(), Some("part-ℓ"));
        assert_eq!(Fragment::parse("#?v1&a=b").target(), None);
    }

    #[test]
    fn settings_are_short_and_readable() {
        let mut fragment = Fragment::parse("#fig-hero");
        assert!(fragment.set("hero", Some("2;3;logit;all;spider;the cat & 50% #1")));
        assert!(!fragment.set("hero", Some("2;3;logit;all;spider;the cat & 50% #1")));
        let text = fragment.to_text();
        assert_eq!(
            text,
            "fig-hero?v1&hero=2;3;logit;all;spider;the+cat+%26+50%25+%231"
        );
        assert_eq!(Fragment::parse(&text), fragment);
        assert!(fragment.set("hero", None));
        assert_eq!(fragment.to_text(), "fig-hero");
    }

    #[test]
    fn broken_and_foreign_links_lose_only_what_cannot_be_read() {
        assert_eq!(
            figure("#x?v1&a=1&b&=2&C=3&c=%FF&d=4", "d").as_deref(),
            Some("4")
        );
        assert_eq!(
            Fragment::parse("#x?v1&a=1&b&=2&C=3&c=%FF&d=4")
                .figures
                .len(),
            2
        );
        // another version, or none: the place is still found
        for text in ["#fig-swap?v2&swap=1", "#fig-swap?swap=1", "#fig-swap?"] {
            let fragment = Fragment::parse(text);
            assert_eq!(
                (fragment.anchor.as_str(), fragment.figures.len()),
                ("fig-swap", 0)
            );
        }
        // escaped once more on the way
        assert_eq!(
            figure("#fig-a%3Fv1%26a%3D1%3B2", "a").as_deref(),
            Some("1;2")
        );
        assert_eq!(
            figure("#?v1&a=first&a=second", "a").as_deref(),
            Some("first")
        );
        assert_eq!(Fragment::parse("#<script>?v1&a=1").anchor, "");
        assert_eq!(
            Fragment::parse(&"x".repeat(LONGEST + 1)),
            Fragment::default()
        );
    }

    proptest! {
        #[test]
        fn whatever_is_read_can_be_written_and_read_again(text in ".{0,200}") {
            let once = Fragment::parse(&text);
            prop_assert_eq!(Fragment::parse(&once.to_text()), once);
        }

        #[test]
        fn nearly_right_links_too(text in "[a-z%#?]{0,6}(%3F|\\?)v[12](&[a-zA-Z-]{0,3}=?[a-z0-9%+&=;]{0,9}){0,5}") {
            let once = Fragment::parse(&text);
            prop_assert_eq!(Fragment::parse(&once.to_text()), once);
        }

        #[test]
        fn settings_come_back_whatever_is_in_them(value in ".{0,300}", anchor in "[a-z0-9-]{0,12}") {
            let mut fragment = Fragment { anchor, ..Fragment::default() };
            fragment.set("hero", Some(&value));
            let text = fragment.to_text();
            prop_assert!(!text.contains([' ', '#', '"', '<', '>']), "{}", text);
            prop_assert_eq!(Fragment::parse(&text), fragment);
        }
    }
}
