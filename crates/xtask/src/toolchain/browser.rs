//! Chromium and chromedriver of one version, for the browser tests and screenshots.

use super::apt;
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::proc;
use std::path::{Path, PathBuf};

/// Names under which Chromium and its kin are installed, in order of preference.
const CHROMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser with the driver that fits it.
#[derive(Debug)]
pub struct Browser {
    /// The browser program.
    pub chrome: PathBuf,
    /// Its driver.
    pub driver: PathBuf,
    /// The version of both, up to their last number.
    pub version: String,
}

/// Finds both (`CHROME` and `CHROMEDRIVER` name them explicitly); on Debian installs them.
pub fn ensure(context: &Context) -> Result<Browser> {
    let _lock = context.lock("browser")?;
    if (chrome().is_none() || driver().is_none())
        && apt::is_there()
        && apt::offers("chromium-driver")
    {
        apt::ensure(
            context,
            &["chromium", "chromium-driver"],
            "tests and screenshots in a real browser",
        )?;
    }
    let chrome = chrome().ok_or_else(|| missing("Chromium or Chrome", "CHROME"))?;
    let driver = driver().ok_or_else(|| missing("chromedriver", "CHROMEDRIVER"))?;
    let version = same_major(&chrome, &driver)?;
    Ok(Browser {
        chrome,
        driver,
        version,
    })
}

fn chrome() -> Option<PathBuf> {
    let named = std::env::var_os("CHROME").map(PathBuf::from);
    named
        .or_else(|| CHROMES.iter().find_map(|name| proc::find(name)))
        .or_else(|| {
            let usual = [
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
            ];
            usual.iter().map(PathBuf::from).find(|path| path.exists())
        })
}

fn driver() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMEDRIVER").map(PathBuf::from);
    named.or_else(|| proc::find("chromedriver"))
}

fn missing(what: &str, variable: &str) -> Failure {
    let how = if cfg!(target_os = "macos") {
        "brew install --cask google-chrome chromedriver"
    } else if cfg!(windows) {
        "install Google Chrome, and chromedriver (npm install -g chromedriver)"
    } else if apt::is_there() {
        "Debian: sudo apt-get install chromium chromium-driver\n\
         Ubuntu: sudo snap install chromium (it brings chromedriver as chromium.chromedriver)"
    } else {
        "install chromium and chromedriver with the system's package manager"
    };
    Failure::new(format!("{what} is missing; the browser tests need it"))
        .fix(format!("{how}\nor name the program in {variable}"))
}

/// A driver speaks only to browsers of its own major version. Chrome on Windows prints no
/// version; the driver then reports a mismatch itself.
fn same_major(chrome: &Path, driver: &Path) -> Result<String> {
    let of_driver = proc::version(driver)
        .ok_or_else(|| Failure::new(format!("{} --version fails", driver.display())))?;
    if let Some(of_chrome) = proc::version(chrome) {
        let major = |version: &str| version.split('.').next().map(str::to_owned);
        if major(&of_chrome) != major(&of_driver) {
            return Err(Failure::new(format!(
                "chromedriver {of_driver} does not fit the browser {of_chrome}"
            ))
            .fix("install both from one source, or name them in CHROME and CHROMEDRIVER"));
        }
    }
    Ok(of_driver)
}
