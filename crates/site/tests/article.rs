//! The article of this repository, rendered whole and looked at as a reader's browser would.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use site::{
    article::{self, Article},
    build, check, csp, figures,
    measured::Measurements,
    tags::{Tag, start_tags},
};

/// The ids that `jlens eval --json` promises; the article may use these and no others.
const PROMISED: [&str; 28] = [
    "twohop.animals.plain",
    "twohop.animals.filler",
    "twohop.countries.plain",
    "twohop.countries.filler",
    "couplet.noun",
    "couplet.early",
    "antonym.within",
    "swap.animals.plain",
    "swap.animals.filler",
    "swap.countries.plain",
    "swap.animals.filler.random",
    "swap.animals.filler.margin",
    "flex.countries.changed",
    "swap.couplet.noun",
    "swap.couplet.early",
    "swap.couplet.noun.logit",
    "read.animals.filler.future.hit1",
    "read.animals.filler.full.hit1",
    "read.animals.filler.full.hit5",
    "read.animals.filler.layer12.margin",
    "read.animals.filler.tuned.hit1",
    "read.animals.filler.tuned.layer12.hit1",
    "jspace.k1.variance",
    "jspace.k3.variance",
    "jspace.k10.variance",
    "swap.couplet.noun.full",
    "jspace.k3.part",
    "jspace.k3.rest",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn measured() -> Measurements {
    let rows: Vec<String> = PROMISED
        .iter()
        .map(|id| format!(r#"{{"id": "{id}", "value": 0.5, "n": 10, "low": 0.2, "high": 0.8, "control": 0.1}}"#))
        .collect();
    let json = format!(
        r#"{{"model": "m", "weights_hash": "0123456789ab", "software": "0", "split": "test", "rows": [{}]}}"#,
        rows.join(",")
    );
    serde_json::from_str(&json).unwrap()
}

fn rendered(measured: Option<&Measurements>) -> Article {
    let chapters = article::read_chapters(&root().join("assets/article")).unwrap();
    article::render(&chapters, measured).unwrap()
}

#[test]
fn it_keeps_every_rule_with_and_without_measurements() {
    check::page(&rendered(None).html).unwrap();
    let full = rendered(Some(&measured()));
    check::page(&full.html).unwrap();
    assert!(full.html.matches("data-live=").count() >= 12);
    // Without measurements there must be no measured number at all.
    assert!(!rendered(None).html.contains("data-live="));
}

#[test]
fn every_figure_stands_once_with_caption_and_still() {
    let html = rendered(None).html;
    for figure in figures::FIGURES {
        let shell = format!("data-figure=\"{}\"", figure.name);
        assert_eq!(html.matches(&shell).count(), 1, "{}", figure.name);
        assert!(html.contains(&format!("id=\"cap-{}\"", figure.name)));
    }
    assert_eq!(
        html.matches("class=\"figure-still\"").count(),
        figures::FIGURES.len()
    );
    assert_eq!(html.matches("<noscript>").count(), figures::FIGURES.len());
}

#[test]
fn every_part_asks_for_a_prediction() {
    let chapters = article::read_chapters(&root().join("assets/article")).unwrap();
    let parts: Vec<_> = chapters
        .iter()
        .filter(|chapter| chapter.text.starts_with("## Part"))
        .collect();
    assert!(parts.len() >= 4);
    for part in parts {
        assert!(
            part.text.contains("\n::predict "),
            "{} asks nothing",
            part.file
        );
    }
}

#[test]
fn formulas_are_mathml_in_the_colours_of_their_ideas() {
    let html = rendered(None).html;
    assert!(html.matches("<math").count() > 60);
    for idea in ["activation", "transport", "token", "output"] {
        assert!(
            html.contains(&format!("<mrow data-idea=\"{idea}\">")),
            "{idea}"
        );
        assert!(
            html.contains(&format!("class=\"idea\" data-idea=\"{idea}\"")),
            "{idea}"
        );
    }
    let prose_with_dollars = start_tags(&html).iter().any(|tag| tag.name == "merror");
    assert!(
        !prose_with_dollars && !html.contains('$'),
        "a formula was not rendered"
    );
}

#[test]
fn nothing_of_the_markup_is_left_in_the_text() {
    let html = rendered(Some(&measured())).html;
    for leftover in ["{{", "}}", "::figure", "::end", "[2pt]", "]("] {
        assert!(!html.contains(leftover), "`{leftover}` is left in the page");
    }
}

#[test]
fn the_whole_page_is_sound_and_its_policy_can_be_sealed() {
    let page = build::preview(&root()).unwrap();
    check::page(&page).unwrap();
    let headings: Vec<u8> = start_tags(&page)
        .iter()
        .filter_map(|tag| tag.name.strip_prefix('h')?.parse().ok())
        .collect();
    assert_eq!(
        headings.iter().filter(|level| **level == 1).count(),
        1,
        "one <h1>"
    );
    for pair in headings.windows(2) {
        assert!(
            pair[1] <= pair[0] + 1,
            "heading levels jump from {} to {}",
            pair[0],
            pair[1]
        );
    }
    let as_trunk_would = page.replace(
        "</body>",
        "<script type=\"module\">import './x.js';</script></body>",
    );
    let sealed = csp::seal(&as_trunk_would).unwrap();
    assert!(sealed.contains("'sha256-") && !sealed.contains("'unsafe-inline'"));
    let policy = start_tags(&sealed)
        .iter()
        .find_map(|tag| policy_of(tag))
        .unwrap();
    assert!(
        !policy.contains("http") && !policy.contains('*') && !policy.contains("unsafe-eval'; ")
    );
}

fn policy_of(tag: &Tag<'_>) -> Option<String> {
    (tag.get("http-equiv")? == "Content-Security-Policy")
        .then(|| tag.get("content").unwrap_or("").to_string())
}

#[test]
fn the_styles_ask_no_other_server_and_find_their_fonts() {
    let css = site::styles::bundle(&root(), &rendered(None).css).unwrap();
    assert!(!css.contains("://") && !css.contains("@import"));
    let mut fonts = BTreeSet::new();
    for part in css.split("url(\"").skip(1) {
        fonts.insert(part.split('"').next().unwrap().to_string());
    }
    assert!(fonts.len() >= 4);
    let mut bytes = css.len() as u64;
    for font in &fonts {
        let path = root().join("assets").join(font);
        bytes += fs::metadata(&path)
            .unwrap_or_else(|_| panic!("{} is missing", path.display()))
            .len();
    }
    assert!(bytes < 190 * 1024, "styles and fonts weigh {bytes} bytes");
}

#[test]
fn every_idea_has_its_colour_in_both_themes() {
    let tokens = fs::read_to_string(root().join("assets/css/00-tokens.css")).unwrap();
    for variable in [
        "--c-activation:",
        "--c-transport:",
        "--c-token:",
        "--c-output:",
    ] {
        // Light, dark by choice, dark by system.
        assert_eq!(
            tokens.matches(&format!(" {variable} #")).count(),
            3,
            "{variable}"
        );
    }
    let dark = |from: &str| {
        let start = tokens.find(from).unwrap();
        let body = &tokens[start + from.len()..];
        let mut lines: Vec<_> = body[..body.find('}').unwrap()]
            .lines()
            .map(str::trim)
            .collect();
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    };
    assert_eq!(
        dark(":root[data-theme=\"dark\"] {"),
        dark(":root:not([data-theme=\"light\"]) {"),
        "the two spellings of the dark theme have drifted apart"
    );
}
