//! The rules that the finished HTML must keep. They are checked on every build, and again by tests.

use std::collections::BTreeSet;

use crate::{
    SiteError,
    tags::{Tag, start_tags},
};

/// Checks a page or a fragment. In a fragment, links to ids that are not in it are errors too, so it must be self-contained.
pub fn page(html: &str) -> Result<(), SiteError> {
    let tags = start_tags(html);
    let mut problems = Vec::new();
    let mut ids = BTreeSet::new();
    for id in tags.iter().filter_map(|tag| tag.get("id")) {
        if !ids.insert(id) {
            problems.push(format!("the id `{id}` occurs twice"));
        }
    }
    for tag in &tags {
        references(tag, &ids, &mut problems);
        outside_requests(tag, &mut problems);
        manners(tag, &mut problems);
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(SiteError::Check(problems))
    }
}

/// `href="#x"`, `aria-labelledby`, `aria-describedby` and `for` must point at something.
fn references(tag: &Tag<'_>, ids: &BTreeSet<&str>, problems: &mut Vec<String>) {
    if let Some(target) = tag.get("href").and_then(|href| href.strip_prefix('#'))
        && !ids.contains(target)
    {
        problems.push(format!(
            "a link goes to `#{target}`, which is not on the page"
        ));
    }
    for attribute in ["aria-labelledby", "aria-describedby", "for"] {
        for target in tag
            .get(attribute)
            .into_iter()
            .flat_map(str::split_whitespace)
        {
            if !ids.contains(target) {
                problems.push(format!("{attribute}=\"{target}\" points at nothing"));
            }
        }
    }
}

/// Nothing is fetched from elsewhere: only `<a href>` may name another origin.
fn outside_requests(tag: &Tag<'_>, problems: &mut Vec<String>) {
    for attribute in ["src", "href", "srcset", "poster", "data", "action"] {
        let Some(value) = tag.get(attribute) else {
            continue;
        };
        let outside = value.starts_with("//") || value.contains("://");
        if outside && !(tag.name == "a" && attribute == "href") {
            problems.push(format!(
                "<{} {attribute}=\"{value}\"> would ask another server",
                tag.name
            ));
        }
    }
}

/// What accessibility and the content policy ask of single tags.
fn manners(tag: &Tag<'_>, problems: &mut Vec<String>) {
    if tag.name == "img" && tag.get("alt").is_none() {
        problems.push("an <img> has no alt text".into());
    }
    if tag.get("style").is_some() {
        problems.push(format!(
            "<{}> has an inline style, which the content policy blocks",
            tag.name
        ));
    }
    if let Some((name, _)) = tag.attributes.iter().find(|(name, _)| {
        name.len() > 2 && name.starts_with("on") && name.chars().all(|c| c.is_ascii_lowercase())
    }) {
        problems.push(format!("<{}> has an inline handler `{name}`", tag.name));
    }
    let role = tag.get("role").unwrap_or("");
    let named = tag.get("aria-label").is_some() || tag.get("aria-labelledby").is_some();
    if matches!(role, "img" | "region" | "group") && !named {
        problems.push(format!("<{} role=\"{role}\"> has no label", tag.name));
    }
    if tag.name == "nav" && !named {
        problems.push("a <nav> has no label".into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_catches_its_mistake() {
        for (html, wanted) in [
            ("<a href=\"#gone\">x</a>", "#gone"),
            ("<p id=\"a\"></p><p id=\"a\"></p>", "twice"),
            (
                "<script src=\"https://example.org/x.js\"></script>",
                "another server",
            ),
            (
                "<link rel=\"stylesheet\" href=\"//example.org/x.css\">",
                "another server",
            ),
            ("<img src=\"x.png\">", "alt"),
            ("<p style=\"color:red\">", "inline style"),
            ("<p onclick=\"x()\">", "inline handler"),
            ("<div role=\"region\">", "no label"),
            ("<p aria-labelledby=\"nobody\">", "nothing"),
        ] {
            let error = page(html).unwrap_err().to_string();
            assert!(error.contains(wanted), "{html}: {error}");
        }
        page("<p id=\"a\"><a href=\"#a\">in</a> <a href=\"https://example.org\">out</a></p>")
            .unwrap();
    }
}
