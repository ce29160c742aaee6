//! Seals the content policy of the page that Trunk has put together.
//!
//! Trunk writes its start-up script into the page, and its text is known only after the build (it names hashed files). The template's
//! policy therefore says `'unsafe-inline'` for scripts, and [`seal`] replaces that by the SHA-256 of each inline script found, so that the
//! browser runs these and no others.

use std::{collections::BTreeSet, fs, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::{SiteError, tags::start_tags};

const OPEN: &str = "script-src 'self' 'wasm-unsafe-eval' ";
const LOOSE: &str = "'unsafe-inline'";

/// The page with its script policy closed. `Err` holds what is wrong with it.
pub fn seal(html: &str) -> Result<String, String> {
    let Some(at) = html.find(OPEN).map(|at| at + OPEN.len()) else {
        return Err(format!("no content policy with `{OPEN}` was found"));
    };
    let length = html[at..]
        .find([';', '"'])
        .ok_or("the content policy does not end")?;
    let mut sources = BTreeSet::new();
    for tag in start_tags(html) {
        if tag.name != "script" || tag.get("src").is_some() {
            continue;
        }
        let end = html[tag.end..]
            .find("</script")
            .ok_or("an inline script does not end")?;
        let digest = Sha256::digest(&html.as_bytes()[tag.end..tag.end + end]);
        sources.insert(format!("'sha256-{}'", STANDARD.encode(digest)));
    }
    let sources: Vec<String> = sources.into_iter().collect();
    Ok(format!(
        "{}{}{}",
        &html[..at],
        sources.join(" "),
        &html[at + length..]
    ))
}

/// Seals the file in place. Doing it twice gives the same page.
pub fn seal_file(path: &Path) -> Result<(), SiteError> {
    let html = fs::read_to_string(path).map_err(SiteError::io("reading", path))?;
    let sealed = seal(&html).map_err(|message| SiteError::Policy {
        path: path.to_path_buf(),
        message,
    })?;
    if sealed.contains(LOOSE) {
        return Err(SiteError::Policy {
            path: path.to_path_buf(),
            message: format!("{LOOSE} is left in the page after sealing"),
        });
    }
    fs::write(path, sealed).map_err(SiteError::io("writing", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_scripts_are_named_by_their_hash() {
        let page = "<meta content=\"default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'unsafe-inline'; img-src 'self'\">\
                    <script src=\"a.js\"></script><script>alert(1)</script>";
        let sealed = seal(page).unwrap();
        // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
        assert!(
            sealed.contains("script-src 'self' 'wasm-unsafe-eval' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='; img"),
            "{sealed}"
        );
        assert_eq!(seal(&sealed).unwrap(), sealed);
        assert!(seal("<p>no policy</p>").is_err());
    }
}
