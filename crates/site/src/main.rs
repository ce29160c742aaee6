//! `site build` before Trunk, `site seal` after it; `site preview` and `site check PAGE` for people.
#![forbid(unsafe_code)]

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use site::{SiteError, build, check, csp, offline};

const USAGE: &str = "usage: site build | preview | seal [FOLDER] | check PAGE
  build     writes target/site/article.html and target/site/site.css (Trunk's pre_build hook)
  preview   writes target/site/preview.html, the page without its live figures
  seal      closes the content policy of FOLDER/index.html and writes the offline copy's worker (Trunk's post_build hook)
  check     checks links, ids, labels and outside requests of PAGE";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["build"] => build_site(),
        ["preview"] => preview(),
        ["seal"] => seal_staged(),
        ["seal", folder] => seal(Path::new(folder)),
        ["check", page] => check_page(Path::new(page)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("site: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The repository: the nearest folder upwards that holds `assets/article`, so that the hook may run from anywhere inside.
fn root() -> Result<PathBuf, SiteError> {
    let here = std::env::current_dir().map_err(SiteError::io("finding", "."))?;
    let found = here
        .ancestors()
        .find(|folder| folder.join("assets/article").is_dir());
    Ok(found.unwrap_or(&here).to_path_buf())
}

fn build_site() -> Result<(), SiteError> {
    let report = build::run(&root()?)?;
    println!(
        "site: article {} KB, styles {} KB{}",
        report.article_bytes / 1024,
        report.css_bytes / 1024,
        if report.measured {
            ""
        } else {
            " (no assets/measurements.json yet: sentences with measured numbers are left out)"
        }
    );
    Ok(())
}

fn preview() -> Result<(), SiteError> {
    let root = root()?;
    build::run(&root)?;
    let page = build::preview(&root)?;
    let path = root.join(build::OUT).join("preview.html");
    std::fs::write(&path, page).map_err(SiteError::io("writing", &path))
}

/// As Trunk's hook: the page lies where Trunk says that it is putting the site together.
fn seal_staged() -> Result<(), SiteError> {
    let folder = std::env::var_os("TRUNK_STAGING_DIR").unwrap_or_else(|| "dist".into());
    seal(Path::new(&folder))
}

/// The policy first: the copy's version counts every byte of the page.
fn seal(folder: &Path) -> Result<(), SiteError> {
    csp::seal_file(&folder.join("index.html"))?;
    match offline::write(folder)? {
        Some(copy) => println!("site: version {}, {} files", copy.version, copy.files),
        None => println!("site: served for development, no offline copy"),
    }
    Ok(())
}

fn check_page(path: &Path) -> Result<(), SiteError> {
    let html = std::fs::read_to_string(path).map_err(SiteError::io("reading", path))?;
    check::page(&html)
}
