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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn measured() -> Measurements {
    let path = root().join("assets/measurements.json");
    Measurements::read(&path)
        .unwrap()
        .expect("the report is there")
}

fn rendered(measured: Option<&Measurements>) -> Article {
    let chapters = article::read_chapters(&root().join("assets/article")).unwrap();
    article::render(&chapters, measured, None).unwrap()
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

/// The tables in the figures' places are of the weights that the measurements are of.
#[test]
fn stills_and_measurements_are_of_the_same_model() {
    let stills = site::stills::Stills::read(&root().join("assets/stills.json"))
        .unwrap()
        .unwrap();
    assert!(measured().weights_hash.starts_with(&stills.weights_hash));
    let (article, _) = build::render(&root()).unwrap();
    for (figure, table) in &stills.figures {
        assert!(figures::find(figure, "stills.json").is_ok(), "{figure}");
        assert!(table.rows.iter().all(|row| row.len() == table.heads.len()));
    }
    assert_eq!(
        article.html.matches("still-table").count(),
        stills.figures.len()
    );
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
    assert!(bytes < 230 * 1024, "styles and fonts weigh {bytes} bytes");
}

/// Headless machines and many phones have no Chinese face of their own.
#[test]
fn the_chinese_face_has_every_character_of_the_vocabulary() {
    let tokens = fs::read_to_string(root().join("assets/css/00-tokens.css")).unwrap();
    let range = tokens
        .split("Noto Sans SC Subset\"; font-display: swap; unicode-range: ")
        .nth(1)
        .unwrap();
    let has: BTreeSet<char> = range[..range.find(';').unwrap()]
        .split(',')
        .map(|code| u32::from_str_radix(code.trim_start_matches("U+"), 16).unwrap())
        .map(|code| char::from_u32(code).unwrap())
        .collect();
    let words = fs::read_to_string(root().join("assets/models/words.json")).unwrap();
    let words: BTreeSet<char> = words.chars().filter(|c| !c.is_ascii()).collect();
    assert_eq!(has, words);
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

/// The rows of the table of claims, cell by cell, without markup.
fn claims(html: &str) -> Vec<Vec<String>> {
    let table = html
        .split("claims-table")
        .nth(1)
        .expect("a table of claims");
    let body = table.split("<tbody>").nth(1).unwrap();
    let body = body.split("</tbody>").next().unwrap();
    let bare = |cell: &str| {
        let inner = cell.split_once('>').map_or(cell, |(_, inner)| inner);
        let inner = inner.split(['\n']).next().unwrap();
        let mut out = String::new();
        let mut inside = false;
        for c in inner.chars() {
            match c {
                '<' => inside = true,
                '>' => inside = false,
                c if !inside => out.push(c),
                _ => {}
            }
        }
        out.trim().to_owned()
    };
    body.split("<tr")
        .skip(1)
        .map(|row| {
            let cells = row.replace("<th", "<td");
            cells.split("<td").skip(1).map(bare).collect()
        })
        .collect()
}

#[test]
fn the_table_of_claims_has_no_empty_cell() {
    let measured = measured();
    let html = rendered(Some(&measured)).html;
    let rows = claims(&html);
    assert!(rows.len() >= 20, "{} claims", rows.len());
    for row in &rows {
        assert_eq!(row.len(), 7, "{row:?}");
        assert!(row.iter().all(|cell| !cell.is_empty()), "{row:?}");
        assert!(
            row[2].chars().any(|c| c.is_ascii_digit()),
            "no number: {row:?}"
        );
        let baseline_or_control = format!("{} {}", row[3], row[4]);
        assert!(
            baseline_or_control
                .matches(|c: char| c.is_ascii_digit())
                .count()
                >= 2,
            "{row:?}"
        );
        assert!(row[5].parse::<u64>().unwrap() > 0, "{row:?}");
    }
    // Whatever the outcome: not everything is seen here, and the table says so.
    let verdicts: BTreeSet<&str> = start_tags(&html)
        .iter()
        .filter(|tag| tag.name == "tr")
        .filter_map(|tag| tag.get("data-verdict"))
        .collect();
    assert_eq!(verdicts, BTreeSet::from(["no", "none", "part", "yes"]));
    // The comparisons, or the reason why there are none, stand beside the verdict.
    for row in &rows {
        assert!(
            row[6].contains(" holds") || row[6].contains(" fails") || row[6].contains("compar"),
            "{row:?}"
        );
    }
}

#[test]
fn every_stored_number_leads_to_its_row() {
    let html = rendered(Some(&measured())).html;
    for tag in start_tags(&html).iter().filter(|tag| tag.name == "span") {
        let Some(name) = tag.get("data-live") else {
            continue;
        };
        let id = name.split('#').next().unwrap();
        assert!(html.contains(&format!("id=\"row-{id}\"")), "{id}");
        assert!(tag.get("title").is_some_and(|title| title.contains("n = ")));
    }
}

#[test]
fn the_numbers_are_of_the_weights_that_the_page_ships() {
    let weights = fs::read(root().join("assets/models/world.safetensors")).unwrap();
    let file = formats::ModelFile::read(&weights).unwrap();
    assert_eq!(
        measured().weights_hash,
        file.weights_hash(),
        "stale: run `cargo run --profile native -p cli -- eval --json > assets/measurements.json`"
    );
}

/// What the article says in words about the bridge, layer by layer, is what the stored numbers say.
#[test]
fn the_coda_names_the_layers_in_which_the_bridge_is_read() {
    let measured = measured();
    let share = |layer: usize, field: &str| {
        let id = format!("read.animals.filler.future.layer{layer}.hit1");
        let row = measured.rows.iter().find(|row| row.id == id).unwrap();
        row.field(field).unwrap()
    };
    let read = |field| -> Vec<usize> { (0..8).filter(|l| share(*l, field) > 0.5).collect() };
    assert_eq!(read("value"), [0, 1, 2, 3, 4], "the Jacobian lens");
    assert_eq!(read("baseline"), [4, 5, 6], "the logit lens");
    assert!(share(7, "value") < 0.1 && share(7, "baseline") < 0.1);
    let coda = fs::read_to_string(root().join("assets/article/55-coda.md")).unwrap();
    for said in [
        "It fades from layer 5 on. In layers 4 to 6 the logit lens reads it, and in layer 7 neither does.",
        "by the Jacobian lens in the lower half and by the logit lens in layers 4 to 6",
    ] {
        assert!(coda.contains(said), "{said}");
    }
}
