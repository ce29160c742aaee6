//! One style sheet out of `assets/css/*.css`, the figures' own sheets in `app/`, and the classes of the formulas.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::SiteError;

/// Concatenates the sheets in a fixed order: `assets/css` by name, then every `.css` under `app/src` by path, then `extra`.
pub fn bundle(root: &Path, extra: &str) -> Result<String, SiteError> {
    let mut sheets = Vec::new();
    collect(&root.join("assets/css"), &mut sheets)?;
    let figures = root.join("app/src");
    if figures.is_dir() {
        collect(&figures, &mut sheets)?;
    }
    let mut out = String::new();
    for sheet in sheets {
        let text = fs::read_to_string(&sheet).map_err(SiteError::io("reading", &sheet))?;
        out.push_str(&without_comments(&text));
    }
    out.push_str(extra);
    Ok(out)
}

fn collect(folder: &Path, sheets: &mut Vec<PathBuf>) -> Result<(), SiteError> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(SiteError::io("listing", folder))? {
        entries.push(entry.map_err(SiteError::io("listing", folder))?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, sheets)?;
        } else if path.extension().is_some_and(|extension| extension == "css") {
            sheets.push(path);
        }
    }
    Ok(())
}

/// Drops comments, indentation and empty lines; nothing cleverer, so that the result stays readable.
fn without_comments(css: &str) -> String {
    let mut plain = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(open) = rest.find("/*") {
        plain.push_str(&rest[..open]);
        rest = rest[open..]
            .find("*/")
            .map_or("", |close| &rest[open + close + 2..]);
    }
    plain.push_str(rest);
    let mut out = String::with_capacity(plain.len());
    for line in plain.lines().map(str::trim).filter(|line| !line.is_empty()) {
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_keep_their_order_and_lose_their_comments() {
        let root = tempfile::tempdir().unwrap();
        let css = root.path().join("assets/css");
        let app = root.path().join("app/src/figures/hero");
        fs::create_dir_all(&css).unwrap();
        fs::create_dir_all(&app).unwrap();
        fs::write(css.join("20-b.css"), "/* why */\n.b {\n  top: 0;\n}\n").unwrap();
        fs::write(css.join("10-a.css"), ".a { top: 0 }").unwrap();
        fs::write(css.join("README.md"), "not css").unwrap();
        fs::write(app.join("hero.css"), ".hero { top: 0 }").unwrap();
        let out = bundle(root.path(), ".mm0{top:0}").unwrap();
        assert_eq!(
            out,
            ".a { top: 0 }\n.b {\ntop: 0;\n}\n.hero { top: 0 }\n.mm0{top:0}"
        );
    }
}
