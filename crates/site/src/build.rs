//! Writes everything that Trunk picks up from `target/site/`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    SiteError,
    article::{self, Article},
    check, goldens,
    measured::Measurements,
    shuffled,
    stills::Stills,
    styles,
};

/// Where things are, relative to the repository root.
pub const OUT: &str = "target/site";

/// What was written.
#[derive(Debug)]
pub struct Report {
    /// Folder of the results.
    pub folder: PathBuf,
    /// Bytes of `article.html`.
    pub article_bytes: usize,
    /// Bytes of `site.css`.
    pub css_bytes: usize,
    /// Whether `assets/measurements.json` was there.
    pub measured: bool,
}

/// Renders and checks the article of the repository at `root` without writing anything.
pub fn render(root: &Path) -> Result<(Article, bool), SiteError> {
    let chapters = article::read_chapters(&root.join("assets/article"))?;
    let measured = Measurements::read(&root.join("assets/measurements.json"))?;
    let stills = Stills::read(&root.join("assets/stills.json"))?;
    let article = article::render(&chapters, measured.as_ref(), stills.as_ref())?;
    check::page(&article.html)?;
    Ok((article, measured.is_some()))
}

/// Writes `article.html`, `site.css`, the golden fixtures, models and lenses. Files that would not change are left alone, so that a watcher is not woken.
pub fn run(root: &Path) -> Result<Report, SiteError> {
    let (article, measured) = render(root)?;
    let css = styles::bundle(root, &article.css)?;
    let folder = root.join(OUT);
    fs::create_dir_all(&folder).map_err(SiteError::io("creating", &folder))?;
    write_if_changed(&folder.join("article.html"), article.html.as_bytes())?;
    write_if_changed(&folder.join("site.css"), css.as_bytes())?;
    goldens::write(&root.join("tests/goldens"), &folder.join("goldens"))?;
    for assets in ["models", "lenses"] {
        shuffled::write(&root.join("assets").join(assets), &folder.join(assets))?;
    }
    Ok(Report {
        folder,
        article_bytes: article.html.len(),
        css_bytes: css.len(),
        measured,
    })
}

/// Writes a file unless it is there already with these bytes, so that a watcher is not woken.
pub(crate) fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<(), SiteError> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).map_err(SiteError::io("writing", path))
}

/// The page without Trunk: the template with the article and the sheet put in, for looking at the prose alone and for tests.
pub fn preview(root: &Path) -> Result<String, SiteError> {
    let (article, _) = render(root)?;
    let template = root.join("index.html");
    let text = fs::read_to_string(&template).map_err(SiteError::io("reading", &template))?;
    let mut out = String::with_capacity(text.len() + article.html.len());
    for line in text.lines() {
        let at = line.trim();
        if at.contains("rel=\"inline\"") {
            out.push_str(&article.html);
        } else if at.contains("rel=\"css\"") {
            out.push_str("<link rel=\"stylesheet\" href=\"site.css\">");
        } else if at.starts_with("<link data-trunk") || at.starts_with("<script data-trunk") {
            continue;
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    Ok(out)
}
