//! Goldens: how every figure, and the top of the page, looks at 1280 and 360 pixels, light and dark.
//! They lie in `tests/visual/goldens`, reduced; `cargo xtask shots --accept [figure …]` renews them.
//!
//! | module | job |
//! | --- | --- |
//! | [`camera`] | photographs that come out alike whenever and wherever they are taken |
//! | [`picture`] | PNG, and smaller pictures |
//! | [`compare`] | how far a photograph is from its golden |

pub mod camera;
pub mod compare;
pub mod picture;

use crate::{Error, Look, Result, setup};
use compare::{Comparison, compare};
use picture::Picture;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the goldens were drawn by, beside them.
const DRAWN_BY: &str = "drawn-by.txt";

/// Photographs every figure in a look and compares it with its golden. What differs is laid into `target/screenshots`.
pub async fn check(look: Look) -> Result {
    let view = look.name();
    let stored = stored()?;
    let mut found = BTreeMap::new();
    let alike = |name: &str, photograph: &Picture| {
        let golden = read(&format!("{name}-{view}"))?;
        let comparison = golden.map(|golden| compare(photograph, &golden));
        let alike = comparison.as_ref().is_some_and(Comparison::alike);
        found.insert(name.to_owned(), comparison);
        Ok(alike)
    };
    let photographs = camera::photograph(look, &[], alike).await?;
    let (mut missing, mut different, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for (name, photograph) in &photographs {
        let file = format!("{name}-{view}");
        match found.get(name).and_then(Option::as_ref) {
            Some(comparison) if comparison.alike() => continue,
            None => missing.push(format!("{file}: there is no golden")),
            Some(comparison) => {
                show(&file, photograph, comparison)?;
                different.push(format!("{file}: {}", comparison.report()));
            }
        }
        names.push(name.as_str());
    }
    let taken = photographs.iter().map(|(name, _)| format!("{name}-{view}"));
    let taken: BTreeSet<String> = taken.collect();
    for file in stored.difference(&taken).filter(|f| f.ends_with(&view)) {
        missing.push(format!(
            "{file}: a golden of no figure on the page; --accept without names removes it"
        ));
    }
    if !different.is_empty() {
        let (here, there) = (drawn_by().await?, recorded()?);
        if here != there {
            say(&format!(
                "NOT COMPARED, for the goldens were drawn by another system ({there}; here {here}):\n{}",
                different.join("\n")
            ))?;
            different.clear();
        }
    }
    if missing.is_empty() && different.is_empty() {
        return Ok(());
    }
    Err(Error::page(format!(
        "{}\nFILE-new, -golden and -diff in {} show them; if they are meant to look so: `cargo xtask shots --accept {}`",
        [missing, different].concat().join("\n"),
        setup::shots()?.display(),
        names.join(" ")
    )))
}

/// Where the test harness does not keep it back, as it does with what passing tests print.
fn say(text: &str) -> Result {
    writeln!(std::io::stderr(), "{text}").map_err(Error::io("standard error"))
}

/// The browser's version, and a hash (FNV-1a) of the pixels of some words in our face: alike where text is drawn alike. Faces are
/// ours, but how their edges are smoothed is the system's; where it differs, a difference between pictures says nothing.
async fn drawn_by() -> Result<String> {
    let script = "
        return document.fonts.load(`16px 'Source Sans 3'`).then(() => {
            const pen = new OffscreenCanvas(200, 24).getContext('2d', {willReadFrequently: true});
            pen.font = `16px 'Source Sans 3'`;
            pen.fillText('spins webs, 8 to 6', 1.3, 17.4);
            const bytes = pen.getImageData(0, 0, 200, 24).data;
            const hash = bytes.reduce((h, byte) => Math.imul(h ^ byte, 16777619) >>> 0, 2166136261);
            return `${navigator.userAgent.match(/Chrome\\/\\d+/)[0]} ${hash.toString(16)}`;
        });";
    let mut drawn = String::new();
    crate::on_page(Look::desktop().steady(), async |page| {
        drawn = page.script(script, vec![]).await?;
        Ok(())
    })
    .await?;
    Ok(drawn)
}

fn recorded() -> Result<String> {
    let file = folder().join(DRAWN_BY);
    let text = std::fs::read_to_string(&file).map_err(Error::io(file.display()))?;
    Ok(text.trim().to_owned())
}

/// Makes goldens of these figures, or of all and nothing else; says what it did. Nothing is written before all photographs are
/// taken. It is an error to add single figures to goldens that another system has drawn.
pub async fn accept(wanted: &[String]) -> Result<Vec<String>> {
    let drawn_by = drawn_by().await?;
    if !wanted.is_empty() && drawn_by != recorded()? {
        return Err(Error::page(format!(
            "the goldens were drawn by {}, here text is drawn by {drawn_by}: only all of them can be renewed here, by --accept without names",
            recorded()?
        )));
    }
    let mut pictures = Vec::new();
    for look in camera::looks() {
        let view = look.name();
        for (name, picture) in camera::photograph(look, wanted, |_, _| Ok(false)).await? {
            pictures.push((format!("{name}-{view}"), picture));
        }
    }
    let file = folder().join(DRAWN_BY);
    std::fs::write(&file, format!("{drawn_by}\n")).map_err(Error::io(file.display()))?;
    let mut said = Vec::new();
    for (file, photograph) in &pictures {
        let golden = photograph.reduced((0, 0));
        let was = match read(file) {
            Ok(Some(old)) if old == golden => continue,
            Ok(Some(old)) => compare(photograph, &old).report(),
            Ok(None) => "new".into(),
            Err(error) => format!("instead of an unreadable one ({error})"),
        };
        write(&path(file), &golden)?;
        said.push(format!("{file}: {was}"));
    }
    if wanted.is_empty() {
        let taken: BTreeSet<String> = pictures.into_iter().map(|(file, _)| file).collect();
        for file in stored()?.difference(&taken) {
            std::fs::remove_file(path(file)).map_err(Error::io(file))?;
            said.push(format!("{file}: removed, it is of no figure on the page"));
        }
    }
    Ok(said)
}

/// Lays the photograph, the golden and their difference side by side, all reduced.
fn show(file: &str, new: &Picture, comparison: &Comparison) -> Result {
    let Some(golden) = read(file)? else {
        return Ok(());
    };
    let folder = setup::shots()?;
    let named = |what: &str| folder.join(format!("{file}-{what}.png"));
    write(&named("new"), &new.reduced((0, 0)))?;
    write(&named("golden"), &golden)?;
    write(&named("diff"), &comparison.picture(&golden))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("visual/goldens")
}

fn path(file: &str) -> PathBuf {
    folder().join(format!("{file}.png"))
}

/// The names of all goldens, without `.png`.
fn stored() -> Result<BTreeSet<String>> {
    let folder = folder();
    if !folder.is_dir() {
        return Ok(BTreeSet::new());
    }
    let entries = std::fs::read_dir(&folder).map_err(Error::io(folder.display()))?;
    let mut names = BTreeSet::new();
    for entry in entries {
        let name = entry.map_err(Error::io(folder.display()))?.file_name();
        names.extend(
            name.to_string_lossy()
                .strip_suffix(".png")
                .map(str::to_owned),
        );
    }
    Ok(names)
}

fn read(file: &str) -> Result<Option<Picture>> {
    let path = path(file);
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = std::fs::read(&path).map_err(Error::io(path.display()))?;
    Picture::from_png(&bytes).map(Some)
}

fn write(path: &Path, picture: &Picture) -> Result {
    std::fs::create_dir_all(folder()).map_err(Error::io(folder().display()))?;
    std::fs::write(path, picture.to_png()?).map_err(Error::io(path.display()))
}
