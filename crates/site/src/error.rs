//! The one error type of this crate.

use std::path::PathBuf;

/// What can go wrong while the page is being made. Every variant says where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// A file could not be read or written.
    #[error("{action} {path}: {source}")]
    Io {
        /// What was being done, e.g. "reading".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// `measurements.json` is not what `jlens eval --json` writes.
    #[error("{path}: not a measurements file ({source}); make it again with `jlens eval --json`")]
    Measurements {
        /// The file.
        path: PathBuf,
        /// Where the JSON went wrong.
        source: serde_json::Error,
    },
    /// `stills.json` is not what the engine's test writes.
    #[error(
        "{path}: not a file of stills ({source}); make it again with `JLENS_RENEW=1 cargo test -p engine --test stills`"
    )]
    Stills {
        /// The file.
        path: PathBuf,
        /// Where the JSON went wrong.
        source: serde_json::Error,
    },
    /// A golden fixture is damaged.
    #[error("{path}: not a golden fixture ({source}); see tests/goldens/README.md")]
    Golden {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: safetensors::SafeTensorError,
    },
    /// The list of golden fixtures cannot be read.
    #[error("{path}: not a list of golden fixtures ({source}); see tests/goldens/README.md")]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A `{{live:…}}` names a number that was not measured.
    #[error("{place}: no measurement has the id `{id}`; known ids: {known}")]
    UnknownLive {
        /// Chapter file and line.
        place: String,
        /// The id asked for.
        id: String,
        /// The ids there are, or a note that there is no measurements file yet.
        known: String,
    },
    /// A `::figure` or `{{fig:…}}` names a figure that is not registered in `figures.rs`.
    #[error("{place}: unknown figure `{name}`; registered figures: {known}")]
    UnknownFigure {
        /// Chapter file and line.
        place: String,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// Wrong use of `::…` or `{{…}}`.
    #[error("{place}: {message}")]
    Syntax {
        /// Chapter file and line.
        place: String,
        /// What was expected and what was found.
        message: String,
    },
    /// A formula does not parse.
    #[error("{place}: the formula `{latex}` does not parse: {message}")]
    Math {
        /// Chapter file.
        place: String,
        /// The formula.
        latex: String,
        /// What the parser said.
        message: String,
    },
    /// The finished page breaks a rule of [`crate::check`].
    #[error("the page breaks {} rule(s):\n  {}", .0.len(), .0.join("\n  "))]
    Check(Vec<String>),
    /// The content policy cannot be sealed.
    #[error("{path}: {message}")]
    Policy {
        /// The page.
        path: PathBuf,
        /// What was expected.
        message: String,
    },
}

impl SiteError {
    /// Wraps an I/O error with what was being done to which path.
    pub fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
