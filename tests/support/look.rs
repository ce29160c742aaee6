//! How the page is looked at: window size, colour scheme, touch, scripting.

use crate::Result;
use serde_json::json;
use thirtyfour::WebDriver;

/// How the page is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Width of the window in CSS pixels.
    pub width: u32,
    /// Height of the window in CSS pixels.
    pub height: u32,
    /// Dark colour scheme.
    pub dark: bool,
    /// A phone: touch screen, mobile viewport.
    pub touch: bool,
    /// Scripts run.
    pub scripting: bool,
    /// The reader asked for less motion.
    pub reduced_motion: bool,
}

impl Look {
    /// A desktop window, 1280 pixels wide, light.
    pub fn desktop() -> Self {
        Self {
            width: 1280,
            height: 900,
            dark: false,
            touch: false,
            scripting: true,
            reduced_motion: true,
        }
    }

    /// A small phone, 360 pixels wide, light.
    pub fn phone() -> Self {
        Self {
            width: 360,
            height: 740,
            touch: true,
            ..Self::desktop()
        }
    }

    /// The same in the dark colour scheme.
    pub fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    /// The same with scripts switched off.
    pub fn without_scripting(self) -> Self {
        Self {
            scripting: false,
            ..self
        }
    }

    /// A name for files: `1280-light`.
    pub fn name(&self) -> String {
        format!(
            "{}-{}",
            self.width,
            if self.dark { "dark" } else { "light" }
        )
    }

    /// Makes a browser look this way; holds until changed.
    pub async fn apply(&self, driver: &WebDriver) -> Result {
        let cdp = driver.cdp();
        let metrics = json!({
            "width": self.width, "height": self.height, "deviceScaleFactor": 1, "mobile": self.touch,
        });
        cdp.send_raw("Emulation.setDeviceMetricsOverride", metrics)
            .await?;
        let scheme = if self.dark { "dark" } else { "light" };
        let motion = if self.reduced_motion {
            "reduce"
        } else {
            "no-preference"
        };
        let features = json!({"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ]});
        cdp.send_raw("Emulation.setEmulatedMedia", features).await?;
        let touch = json!({"enabled": self.touch, "maxTouchPoints": 5});
        cdp.send_raw("Emulation.setTouchEmulationEnabled", touch)
            .await?;
        let scripts = json!({"value": !self.scripting});
        cdp.send_raw("Emulation.setScriptExecutionDisabled", scripts)
            .await?;
        Ok(())
    }
}
