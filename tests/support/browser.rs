//! One chromedriver with one browser that has a fresh profile.

use crate::{Error, Look, Result, setup};
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use thirtyfour::prelude::*;
use thirtyfour::{ChromeCapabilities, ChromiumLikeCapabilities, LoggingPrefsLogLevel};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// Headless, with software WebGPU where there is no graphics card, and without the browser's own
/// traffic to the outside.
const FLAGS: [&str; 12] = [
    "--headless=new",
    "--no-sandbox",
    "--enable-unsafe-webgpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-proxy-server",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
];

/// Letters of the same shape on every machine, in grey and not in the colours of a screen's stripes.
const STEADY: [&str; 3] = [
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--force-device-scale-factor=1",
];

/// A running driver; it is killed when dropped. Quit the session first, or the browser stays.
#[derive(Debug)]
pub struct Browser {
    /// The session.
    pub driver: WebDriver,
    process: Child,
    /// The driver writes here; it would block on a full pipe.
    _output: tokio::task::JoinHandle<()>,
    _profile: TempDir,
}

impl Browser {
    /// Starts both, for a look that may ask for letters alike everywhere; [`Look::apply`] does the rest.
    pub async fn start(look: &Look) -> Result<Self> {
        let profile = tempfile::tempdir().map_err(Error::io("making a browser profile"))?;
        let (process, port, mut lines) = start_driver().await?;
        let output =
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let address = format!("http://127.0.0.1:{port}");
        let driver = WebDriver::new(&address, capabilities(&profile, look)?).await?;
        driver.set_script_timeout(Duration::from_secs(120)).await?;
        Ok(Self {
            driver,
            process,
            _output: output,
            _profile: profile,
        })
    }

    /// Ends the driver; the session must have been quit.
    pub async fn stop(mut self) {
        let _ = self.process.kill().await;
    }
}

fn capabilities(profile: &TempDir, look: &Look) -> Result<ChromeCapabilities> {
    let mut capabilities = DesiredCapabilities::chrome();
    capabilities.set_binary(&setup::chrome()?.to_string_lossy())?;
    for flag in FLAGS {
        capabilities.add_arg(flag)?;
    }
    for flag in STEADY.iter().filter(|_| look.steady) {
        capabilities.add_arg(flag)?;
    }
    capabilities.add_arg(&format!("--user-data-dir={}", profile.path().display()))?;
    capabilities.set_browser_log_level(LoggingPrefsLogLevel::All)?;
    Ok(capabilities)
}

/// How often a driver may end at once: the port of its choice may be taken in the meantime.
const STARTS: usize = 3;

/// Starts chromedriver on a port of its choice, which it prints.
async fn start_driver() -> Result<(Child, u16, Lines<BufReader<ChildStdout>>)> {
    for _ in 1..STARTS {
        if let Ok(started) = try_driver().await {
            return Ok(started);
        }
    }
    try_driver().await
}

async fn try_driver() -> Result<(Child, u16, Lines<BufReader<ChildStdout>>)> {
    let program = setup::chromedriver()?;
    let mut process = Command::new(&program)
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(Error::io(program.display()))?;
    let stdout = process.stdout.take().ok_or_else(|| Error::Missing {
        what: "chromedriver's output".into(),
        fix: "run the test again".into(),
    })?;
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await.map_err(Error::io("chromedriver"))? {
        if let Some(port) = port_in(&line) {
            return Ok((process, port, lines));
        }
    }
    Err(Error::page("chromedriver ended before it named its port"))
}

/// `ChromeDriver was started successfully on port 40123.` -> 40123
fn port_in(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("successfully on port ")?;
    rest.trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::port_in;

    #[test]
    fn the_port_is_read_from_what_the_driver_prints() {
        let line = "ChromeDriver was started successfully on port 40123.";
        assert_eq!(port_in(line), Some(40123));
        assert_eq!(port_in("Starting ChromeDriver 156 on port 0"), None);
    }
}
