//! The one error type: what went wrong, and the command or step that puts it right.

use std::fmt;

/// A step that could not be done.
#[derive(Debug)]
pub struct Failure {
    what: String,
    fix: Option<String>,
}

/// The result of every step.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Says what went wrong; add the remedy with [`Failure::fix`].
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            fix: None,
        }
    }

    /// Names the command or step that puts it right.
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// A file operation that failed.
    pub fn io(doing: impl fmt::Display, error: &std::io::Error) -> Self {
        Self::new(format!("{doing}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "xtask: {}", self.what)?;
        if let Some(fix) = &self.fix {
            write!(f, "\n  to fix it: {}", fix.replace('\n', "\n             "))?;
        }
        Ok(())
    }
}
