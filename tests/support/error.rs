//! What can go wrong in a browser test.

use std::fmt;
use thirtyfour::error::WebDriverError;

/// The result of everything here.
pub type Result<T = ()> = std::result::Result<T, Error>;

/// What went wrong.
#[derive(thiserror::Error)]
pub enum Error {
    /// Something that the tests need is not there.
    #[error("{what} is missing; {fix}")]
    Missing {
        /// The missing thing.
        what: String,
        /// How to get it.
        fix: String,
    },
    /// The browser or its driver refused.
    #[error("the browser refused: {0}")]
    Browser(#[from] WebDriverError),
    /// A file or a process.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: String,
        /// Why it failed.
        source: std::io::Error,
    },
    /// The page answered something of another shape.
    #[error("the page answered something unexpected: {0}")]
    Json(#[from] serde_json::Error),
    /// Something did not happen in time.
    #[error("waited {seconds} s in vain until {what}; last seen: {seen}")]
    Timeout {
        /// The awaited event.
        what: String,
        /// How long.
        seconds: f64,
        /// The last state that was seen.
        seen: String,
    },
    /// The page logged errors.
    #[error("the page logged errors:\n{0}")]
    Console(String),
    /// The page is not as it should be.
    #[error("{0}")]
    Page(String),
    /// A test's failure, with the place of the photograph that was taken of it.
    #[error("{error}\nphotograph: {photograph}{console}")]
    Failed {
        /// What failed.
        error: Box<Error>,
        /// Path of the picture.
        photograph: String,
        /// What the page had logged, if anything.
        console: String,
    },
}

/// Test runners print a test's error with `Debug`; people want to read it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Error {
    /// For `map_err` on file and process operations.
    pub fn io(doing: impl fmt::Display) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io {
            doing: doing.to_string(),
            source,
        }
    }

    /// The page is not as it should be.
    pub fn page(problem: impl Into<String>) -> Self {
        Self::Page(problem.into())
    }
}
