//! A small scanner over the start tags of HTML that we generated ourselves (attributes quoted with `"`), for the checks.

/// One start tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag<'a> {
    /// Element name as written.
    pub name: &'a str,
    /// Attributes in order; a bare attribute has an empty value.
    pub attributes: Vec<(&'a str, &'a str)>,
    /// Byte offset just after the `>`.
    pub end: usize,
}

impl<'a> Tag<'a> {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.attributes
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| *value)
    }
}

/// All start tags of `html`, in order. Comments, end tags and the contents of `<script>` and `<style>` are skipped.
pub fn start_tags(html: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(open) = html[at..].find('<').map(|i| at + i) {
        if html[open..].starts_with("<!--") {
            at = html[open..]
                .find("-->")
                .map_or(html.len(), |i| open + i + 3);
            continue;
        }
        let Some(tag) = parse_tag(html, open) else {
            at = open + 1;
            continue;
        };
        at = tag.end;
        if matches!(tag.name, "script" | "style") {
            let close = format!("</{}", tag.name);
            at = html[at..].find(&close).map_or(html.len(), |i| at + i);
        }
        tags.push(tag);
    }
    tags
}

fn parse_tag(html: &str, open: usize) -> Option<Tag<'_>> {
    let rest = &html[open + 1..];
    if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let name_len = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
    let mut tag = Tag {
        name: &rest[..name_len],
        attributes: Vec::new(),
        end: 0,
    };
    let mut at = open + 1 + name_len;
    loop {
        at += html[at..].len()
            - html[at..]
                .trim_start_matches(|c: char| c.is_whitespace() || c == '/')
                .len();
        if html[at..].starts_with('>') {
            tag.end = at + 1;
            return Some(tag);
        }
        let key_len = html[at..].find(|c: char| c.is_whitespace() || "=>/".contains(c))?;
        if key_len == 0 {
            return None;
        }
        let key = &html[at..at + key_len];
        at += key_len;
        let mut value = "";
        if html[at..].starts_with("=\"") {
            let length = html[at + 2..].find('"')?;
            value = &html[at + 2..at + 2 + length];
            at += length + 3;
        } else if html[at..].starts_with('=') {
            let length = html[at + 1..].find(|c: char| c.is_whitespace() || c == '>')?;
            value = &html[at + 1..at + 1 + length];
            at += length + 1;
        }
        tag.attributes.push((key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_attributes_and_skips_scripts_and_comments() {
        let html = "<!-- <b> --><p class=\"a b\" hidden>x</p><script>if (a<b) {}</script><br/><img alt=\"1 > 0\" src=x>";
        let tags = start_tags(html);
        let names: Vec<_> = tags.iter().map(|t| t.name).collect();
        assert_eq!(names, ["p", "script", "br", "img"]);
        assert_eq!(tags[0].get("class"), Some("a b"));
        assert_eq!(tags[0].get("hidden"), Some(""));
        assert_eq!(tags[3].get("alt"), Some("1 > 0"));
        assert_eq!(tags[3].get("src"), Some("x"));
    }
}
