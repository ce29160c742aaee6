//! Running other programs: found on the PATH, echoed before they run, their failure explained.

use crate::failure::{Failure, Result};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where a program lies on the PATH, if it does.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    find_in(program, &path)
}

/// Where a program lies on a PATH-like list of folders.
pub fn find_in(program: &str, path: &OsStr) -> Option<PathBuf> {
    let names: &[&str] = if cfg!(windows) {
        &[".exe", ".cmd", ".bat"]
    } else {
        &[""]
    };
    std::env::split_paths(path)
        .flat_map(|folder| {
            names
                .iter()
                .map(move |end| folder.join(format!("{program}{end}")))
        })
        .find(|candidate| candidate.is_file())
}

/// A command for a program name; on Windows this resolves `npm` to `npm.cmd`.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let program = program.as_ref();
    let resolved = program.to_str().and_then(find);
    match resolved {
        Some(path) if cfg!(windows) => Command::new(path),
        _ => Command::new(program),
    }
}

/// Runs a program with its output shown; fails when it does.
pub fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    eprintln!("  $ {line}");
    let status = command
        .status()
        .map_err(|error| Failure::io(format!("could not start `{line}`"), &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("`{line}` failed ({status})")))
    }
}

/// Runs a program silently and returns what it printed, or `None` when it is missing or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The first word of a program's `--version` that begins with a digit: `trunk 0.21.14` -> `0.21.14`.
pub fn version(program: &Path) -> Option<String> {
    let text = output(Command::new(program).arg("--version"))?;
    version_in(&text)
}

fn version_in(text: &str) -> Option<String> {
    text.split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
}

/// A command as a person would type it (without its environment).
pub fn line(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| quote(&word.to_string_lossy()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quote(word: &str) -> String {
    if word.is_empty() || word.contains([' ', '"', '\'', '$']) {
        format!("'{word}'")
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        for (text, expected) in [
            ("trunk 0.21.14", Some("0.21.14")),
            ("wasm-opt version 132 (version_132)", Some("132")),
            (
                "Chromium 156.0.8078.114 built on Debian",
                Some("156.0.8078.114"),
            ),
            ("no number here", None),
        ] {
            assert_eq!(version_in(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn lines_quote_what_a_shell_would_split() {
        let mut command = Command::new("echo");
        command.args(["one", "two words"]);
        assert_eq!(line(&command), "echo one 'two words'");
    }
}
