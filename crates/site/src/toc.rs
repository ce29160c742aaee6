//! Headings: an id for each, a link to itself, and the table of contents.

use std::collections::BTreeSet;

/// A heading of level 2 or 3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 2 for a part, 3 for a section.
    pub level: u8,
    /// Anchor without `#`.
    pub id: String,
    /// Rendered inline HTML.
    pub html: String,
}

/// Gives out ids that occur once on the page.
#[derive(Debug, Default)]
pub struct Anchors {
    used: BTreeSet<String>,
}

impl Anchors {
    /// An id made from the heading's words (or the one asked for), made unique with a number if need be.
    pub fn claim(&mut self, wanted: &str) -> String {
        let base = slug(wanted);
        let mut id = base.clone();
        let mut count = 2;
        while !self.used.insert(id.clone()) {
            id = format!("{base}-{count}");
            count += 1;
        }
        id
    }
}

/// Lower-case letters, digits and single hyphens.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') && c != '\'' && c != '’' {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() {
        "section".to_string()
    } else {
        out.to_string()
    }
}

/// The table of contents as nested lists: parts, and their sections inside.
pub fn render(headings: &[Heading]) -> String {
    let mut out = String::from(
        "<nav class=\"toc\" aria-labelledby=\"toc-title\">\n<h2 class=\"toc-title\" id=\"toc-title\">Contents</h2>\n<ol>\n",
    );
    let mut parts = headings.iter().peekable();
    while let Some(part) = parts.next() {
        out.push_str(&format!("<li><a href=\"#{}\">{}</a>", part.id, part.html));
        let mut sections = String::new();
        while let Some(section) = parts.next_if(|next| next.level > 2) {
            sections.push_str(&format!(
                "<li><a href=\"#{}\">{}</a></li>\n",
                section.id, section.html
            ));
        }
        if !sections.is_empty() {
            out.push_str(&format!("\n<ol>\n{sections}</ol>\n"));
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n</nav>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain_and_unique() {
        let mut anchors = Anchors::default();
        assert_eq!(
            anchors.claim("Part I · What's a layer?"),
            "part-i-whats-a-layer"
        );
        assert_eq!(
            anchors.claim("Part I · What's a layer?"),
            "part-i-whats-a-layer-2"
        );
        assert_eq!(anchors.claim("…"), "section");
    }

    #[test]
    fn sections_nest_under_their_part() {
        let heading = |level, id: &str| Heading {
            level,
            id: id.into(),
            html: id.to_uppercase(),
        };
        let html = render(&[heading(2, "a"), heading(3, "b"), heading(2, "c")]);
        let a = html.find("#a").unwrap();
        let b = html.find("#b").unwrap();
        let c = html.find("#c").unwrap();
        assert!(a < b && b < c);
        assert_eq!(html.matches("<ol>").count(), 2);
        assert_eq!(html.matches("<ol>").count(), html.matches("</ol>").count());
    }
}
